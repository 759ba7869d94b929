"""Two small firms, an English and a Russian one, as folders of a few pages each."""

from collections.abc import Mapping

WORKSHOPS: Mapping[str, str] = {
    "places/berlin.md": """# Berlin workshop

The Berlin workshop repairs cargo bikes. It opened in 2019.

## Opening hours

Monday to Friday from 8:00 to 18:00.

## Contacts

- Phone: +49 30 5550 101
- Email: berlin@spoke.example

## Prices

A basic service costs €85. A brake overhaul costs €140.
""",
    "places/lyon.md": """# Lyon workshop

The Lyon workshop builds trailers. It opened in 2021.

## Opening hours

Tuesday to Saturday from 9:00 to 19:00.

## Contacts

- Phone: +33 4 5550 202
- Email: lyon@spoke.example

## Prices

A basic service costs €79. A brake overhaul costs €155.
""",
    "leave/mechanics.md": """# Leave for mechanics

Mechanics get 28 days of paid leave a year. Leave must be requested four weeks ahead.
""",
    "leave/office.md": """# Leave for office staff

Office staff get 25 days of paid leave a year. Leave must be requested two weeks ahead.
""",
    "plans/starter.md": "# Starter plan\n\n- Price: €19 a month\n- Bikes: up to 3\n\nIt may be cancelled any day.\n",
    "plans/fleet.md": "# Fleet plan\n\n- Price: €240 a month\n- Bikes: up to 50\n\nIt has a notice period.\n",
    "safety.md": """# Workshop safety

## Protective equipment

Everybody who works at a bench wears:

- safety glasses
- nitrile gloves
- steel-toe shoes

## Forbidden things

- smoking
- open flames
""",
    "reports/2023.md": "# Annual report 2023\n\nRevenue in 2023 was €4.1 million. Customers filed 212 complaints.\n",
    "reports/2024.md": "# Annual report 2024\n\nRevenue in 2024 was €5.6 million. Customers filed 148 complaints.\n",
    "reports/2025.md": "# Annual report 2025\n\nRevenue in 2025 was €6.3 million. Customers filed 95 complaints.\n",
    "expenses.md": "# Travel and expenses\n\nA hotel may cost up to €130 a night. Meals are paid at €38 a day.\n",
}

STORES: Mapping[str, str] = {
    "sklady/kazan.md": """# Склад в Казани

Склад в Казани хранит замороженные продукты.

## Часы работы

С понедельника по субботу с 7:00 до 21:00.

## Контакты

- Телефон: +7 843 555-01-01
- Почта: kazan@sklad.example

## Тарифы

Хранение паллеты стоит 45 рублей в сутки. Погрузка паллеты стоит 120 рублей.
""",
    "sklady/tver.md": """# Склад в Твери

Склад в Твери хранит сухие продукты и корма.

## Часы работы

С понедельника по пятницу с 8:00 до 20:00.

## Контакты

- Телефон: +7 4822 55-02-02
- Почта: tver@sklad.example

## Тарифы

Хранение паллеты стоит 38 рублей в сутки. Погрузка паллеты стоит 150 рублей.
""",
    "otpusk/piloty.md": "# Отпуск пилотов\n\nПилотам положено 56 дней отпуска в год. Заявление подают за месяц.\n",
    "otpusk/tehniki.md": "# Отпуск техников\n\nТехникам положено 35 дней отпуска в год. Заявление подают за неделю.\n",
    "tarify/base.md": "# Тариф «Базовый»\n\n- Цена: 1 900 рублей в месяц\n- Пользователей: до 5\n",
    "tarify/firm.md": "# Тариф «Корпоративный»\n\n- Цена: 24 000 рублей в месяц\n- Пользователей: без ограничений\n",
    "ohrana.md": """# Охрана труда

## Средства защиты

Каждый на складе носит:

- каску
- светоотражающий жилет
- ботинки с металлическим носком

## Запрещено

- курить на рампе
- ездить на вилах погрузчика
""",
    "otchety/2023.md": "# Отчёт за 2023 год\n\nВыручка в 2023 году составила 310 млн рублей. Поступило 96 жалоб.\n",
    "otchety/2024.md": "# Отчёт за 2024 год\n\nВыручка в 2024 году составила 402 млн рублей. Поступила 71 жалоба.\n",
    "otchety/2025.md": "# Отчёт за 2025 год\n\nВыручка в 2025 году составила 455 млн рублей. Поступило 58 жалоб.\n",
    "komandirovki.md": "# Командировки\n\nГостиница оплачивается до 6 500 рублей за ночь. Суточные – 1 200 рублей.\n",
}
