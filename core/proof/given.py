"""First names that people in both languages have: who opens a sentence may be one of them."""

GIVEN_NAMES = frozenset(
    """
anna anne maria mary john james robert michael william david richard thomas charles daniel matthew anthony mark donald
steven paul andrew joshua kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan
stephen larry justin scott brandon benjamin samuel gregory frank alexander patrick jack dennis jerry tyler aaron jose
henry adam peter nathan zachary walter kyle harold carl arthur roger lawrence joe emma olivia sophia isabella charlotte
amelia emily elizabeth sarah laura karen nancy lisa betty sandra ashley kimberly donna michelle carol amanda melissa
deborah stephanie rebecca sharon cynthia kathleen amy angela helen samantha katherine christine rachel julia olga elena
natalia irina svetlana dmitry sergey ivan boris igor oleg pavel alexey mikhail vladimir nikolai viktor yuri anton maxim
lucy oliver leo oscar hugo felix simon martin stefan jan tom tim ben sam max alex kate jane alice sophie clara nina eva
priya rahul wei mei omar ali ahmed fatima aisha carlos juan pedro luis diego marta sofia lena greta hans karl
анна мария елена ольга наталья ирина светлана татьяна юлия екатерина дарья ксения полина алина вероника виктория марина
людмила галина нина лариса тамара софья алиса дмитрий сергей иван борис игорь олег павел алексей михаил владимир николай
виктор юрий антон максим андрей александр артем денис евгений кирилл константин никита роман станислав тимур федор егор
илья глеб григорий петр василий степан матвей руслан вадим валерий геннадий леонид
""".split()
)
