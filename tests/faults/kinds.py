"""The kinds of trouble: each makes a plan from the chance of its round, and carries it out while people ask."""

import asyncio
import resource
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tests.doubles.little import asks, key_in
from tests.faults.model import Trouble
from tests.faults.rounds import PATIENCE, Kind, Scene
from tests.faults.town import Asked

# A call that is not answered for longer is given up, where a round lets answers come late.
_SHORT = 0.4
_LATE = 0.8
# A model takes its time, so that something can happen meanwhile.
_THINKS = 0.6
# What is looked up comes, and later than anybody who is waited for waits for it.
_SLOW = 0.7
# What is stored is acknowledged, also by a worker that has to start first.
_ACKNOWLEDGED = 15.0

# A transaction may stand still for less than it takes for a worker to be taken for dead here.
_LIMITS = {"adapters.storage.limits.STILL": 1.0, "adapters.storage.limits.BLOCKED": 2.0}
# Calls within whose transactions others wait.
_HOLDING = (
    *("inbox.record", "inbox.take", "outbox.claim", "outbox.sent", "threads.close", "replicas.beat", "replicas.lease"),
    *("dbos.init_workflow", "dbos.record_operation_result", "dbos.update_workflow_outcome"),
)

# Calls that give a worker a message to show.
_CLAIMING = ("outbox.claim", "outbox.sent", "outbox.borrow")
# Seconds in which a worker that goes on again has done what it was about to do.
_AWAKE = 0.7

# Calls that a worker makes while it answers, and those by which another one takes over what is left, in their order.
_ANSWERING = (
    "inbox.take",
    "runs.start",
    "model.asked",
    "dbos.record_operation_result",
    "threads.close",
    "outbox.claim",
)
_INHERITING = ("runs.take_over", "runs.unfinished", "inbox.take_over", "outbox.take_over", "replicas.bury")


async def template(scene: Scene) -> None:
    """Nobody asks anything: what is left is an empty database with every table."""
    await _serving(scene)


async def plain(scene: Scene) -> None:
    """Nothing goes wrong."""
    await _serving(scene)
    await scene.ask_all()


async def boundary(scene: Scene) -> None:
    """A worker dies before or after a call that leaves a trace, and sometimes the next one does as well."""
    fates = [[_death(scene, 1.0)]]
    while scene.case.replicas == 1 and len(fates) < 4 and scene.chance.random() < 0.4:
        fates.append([_death(scene, 0.5)])
    scene.plan += [f"worker {number} dies: {fate}" for number, fate in enumerate(fates, 1)]
    scene.fates = fates
    await _serving(scene, wait=scene.chance.random() < 0.7)
    await scene.ask_all()


async def inheriting(scene: Scene) -> None:
    """A worker dies while it answers, and so does the one that takes its place, while it takes over what is left."""
    first = {"at": scene.chance.choice(_ANSWERING), "nth": scene.chance.randint(1, 3), "when": _around(scene)}
    heir = {"at": scene.chance.choice(_INHERITING), "nth": 1, "when": _around(scene)}
    scene.plan += [f"worker 1 dies: {first}", f"worker 2 dies: {heir}"]
    scene.fates = [[first], [heir]]
    await _serving(scene)
    await scene.ask_all()


def dies_at(at: str, when: str, nth: int = 1, seconds: float = 4.0) -> Kind:
    """Return the kind in which the first worker dies at this call, or freezes in it; nobody waits longer than this."""

    async def dying(scene: Scene) -> None:
        scene.patience = seconds
        scene.constants |= _LIMITS
        scene.fates = [[{"at": at, "nth": nth, "when": when}]]
        await _serving(scene)
        await scene.ask_all()

    return dying


async def moment(scene: Scene) -> None:
    """A worker is killed at some moment, up to three times."""
    kills = 1 if scene.case.replicas > 1 else scene.chance.randint(1, 3)
    moments = [round(scene.chance.random() * 0.9, 3) for _ in range(kills)]
    scene.plan.append(f"killed after {moments} s")
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all(pause=0.1))
    for seconds in moments:
        await asyncio.sleep(seconds)
        await (await _victim(scene)).kill()
    await asking


async def frozen(scene: Scene) -> None:
    """Of two workers one stands still, at some moment or within a transaction, and never goes on."""
    scene.constants |= _LIMITS
    if inside := scene.chance.random() < 0.7:
        call = {"at": scene.chance.choice(_HOLDING), "nth": scene.chance.randint(1, 3), "when": "inside"}
        scene.fates = [[call]]
        scene.plan.append(f"worker 1 is to stand still: {call}")
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all(pause=0.1))
    if not inside:
        seconds = round(scene.chance.random() * 0.9, 3)
        scene.plan.append(f"stands still after {seconds} s")
        await asyncio.sleep(seconds)
        victim = await _victim(scene)
        scene.frozen.add(victim.pid)
        victim.freeze()
    await asking


async def thawed(scene: Scene) -> None:
    """Of two workers one stands still with a message that it has claimed, and goes on when the other has shown all."""
    call = {"at": scene.chance.choice(_CLAIMING), "nth": scene.chance.randint(1, 3), "when": "thaws"}
    scene.constants |= _LIMITS
    scene.fates = [[call]]
    scene.plan.append(f"worker 1 is to stand still: {call}")
    await _serving(scene)
    await scene.ask_all(pause=0.1)
    await scene.quiet()
    if scene.thaw():
        await asyncio.sleep(_AWAKE)


async def stop(scene: Scene) -> None:
    """A worker is asked to stop while it works, and another one takes its place."""
    seconds = round(scene.chance.random() * 0.8, 3)
    scene.plan.append(f"stopped after {seconds} s")
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all(pause=0.1))
    await asyncio.sleep(seconds)
    victim = await _victim(scene)
    scene.leaving.add(victim.pid)
    await victim.stop()
    await asking


async def repeats(scene: Scene) -> None:
    """The platform tells of a message again, in any order, and devices send messages twice."""
    await _serving(scene)
    await scene.ask_all()
    for asked in [scene.chance.choice(scene.asked) for _ in range(4)]:
        times = scene.chance.randint(1, 4)
        scene.plan.append(f"question {asked.number} is told of {times} times more")
        await scene.town.repeat(asked, times)
        await asyncio.sleep(scene.chance.random() * 0.3)
    if scene.town.name == "slack":
        for asked in scene.chance.sample(scene.asked, 2):
            scene.plan.append(f"question {asked.number} is sent again by its device")
            await scene.ask_again(asked)
    if scene.chance.random() < 0.5:
        scene.plan.append("killed, and told of again afterwards")
        await (await _victim(scene)).kill()
        await scene.town.repeat(scene.chance.choice(scene.asked[:7]), 2)


async def reconnects(scene: Scene) -> None:
    """The connections over which events come end, with and without a word."""
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all(pause=0.15))
    for _ in range(scene.chance.randint(1, 3)):
        how = scene.chance.choice(("refresh", "drop"))
        scene.plan.append(f"connections end: {how}")
        await asyncio.sleep(scene.chance.random() * 0.4)
        await scene.town.cut(how)
    await asking


async def limits(scene: Scene) -> None:
    """The platform asks for pauses."""
    for method in (*scene.town.posts, *scene.town.changes):
        times = scene.chance.randint(0, 2)
        scene.plan.append(f"{method}: {times} times 429")
        for _ in range(times):
            scene.town.fail(method, **_busy(scene))
    await _serving(scene)
    await scene.ask_all()


async def refusals(scene: Scene) -> None:
    """The platform fails by its own fault, before it does anything."""
    for method in (*scene.town.posts, *scene.town.changes):
        for _ in range(scene.chance.randint(1, 3)):
            status = scene.chance.choice((500, 502, 503))
            scene.plan.append(f"{method}: {status}")
            scene.town.fail(method, status=status)
    await _serving(scene)
    await scene.ask_all()


async def lookups(scene: Scene) -> None:
    """Slack does not say who asks until every question has been taken; guests ask, too, and workers die."""
    how: dict[str, Any] = scene.chance.choice(
        ({"status": 500}, {"status": 503}, _busy(scene), {"delay": _SLOW}, {"drop": "before"}, {"error": "fatal_error"})
    )
    seconds = round(scene.chance.random() * 2.0, 2)
    scene.constants |= {"adapters.slack.people.QUICK": _SHORT}
    scene.plan.append(f"until {seconds} s after the last question it is not told who asks: {how}")
    scene.town.trouble_look_ups(**how)
    await _serving(scene)
    await scene.town.ask_as_stranger(asks("KX1", russian=scene.chance.random() < 0.5))
    asking = asyncio.create_task(scene.ask_all(pause=0.1))
    for _ in range(scene.chance.randint(0, 1 if scene.case.replicas > 1 else 2)):
        await asyncio.sleep(scene.chance.random() * 0.8)
        scene.plan.append("killed")
        await (await _victim(scene)).kill()
    await asking
    if (asked := _somebody(scene)) and scene.chance.random() < 0.5:
        scene.plan.append(f"question {asked.number} is reworded")
        await scene.edit(asked)
    await asyncio.sleep(seconds)
    await _taken(scene)
    scene.town.mend_look_ups()
    await scene.town.ask_as_stranger(asks("KX2", russian=scene.chance.random() < 0.5))
    await scene.quiet()
    scene.findings += [f"seen in answer to a guest: {said}" for said in scene.town.told_strangers()]
    scene.findings += [f"the model was asked for a guest: {call}" for call in scene.model.calls if "KX" in call.key]


async def losses(scene: Scene) -> None:
    """Connections break before or after a call has done what it does, and answers come too late."""
    scene.constants |= {"adapters.slack.app.CALL_TIMEOUT": _SHORT, "adapters.telegram.client.READ_SECONDS": _SHORT}
    await _serving(scene)
    for method in (*scene.town.posts, *scene.town.changes):
        for _ in range(scene.chance.randint(1, 2)):
            how: dict[str, Any] = scene.chance.choice(({"drop": "before"}, {"drop": "after"}, {"delay": _LATE}))
            scene.plan.append(f"{method}: {how}")
            scene.town.fail(method, **how)
    await scene.ask_all()


async def telling(scene: Scene) -> None:
    """While it is told how answers go, the platform asks for pauses, fails or loses calls, and workers die."""
    scene.constants |= {"adapters.slack.app.CALL_TIMEOUT": _SHORT, "adapters.telegram.client.READ_SECONDS": _SHORT}
    await _serving(scene)
    for method in ("chat.update",) if scene.town.name == "slack" else ("sendMessageDraft", "editMessageText"):
        for _ in range(scene.chance.randint(1, 3)):
            ways = (_busy(scene), {"status": 500}, {"drop": "before"}, {"drop": "after"}, {"delay": _LATE})
            how: dict[str, Any] = scene.chance.choice(ways)
            scene.plan.append(f"{method}: {how}")
            scene.town.fail(method, **how)
    asking = asyncio.create_task(scene.ask_all(pause=0.1))
    for _ in range(scene.chance.randint(0, 1 if scene.case.replicas > 1 else 2)):
        await asyncio.sleep(scene.chance.random() * 0.6)
        scene.plan.append("killed")
        await (await _victim(scene)).kill()
    await asking


async def models(scene: Scene) -> None:
    """The model fails: now and then, or each time."""
    troubles: list[Trouble] = [
        scene.chance.choice(("429", "500", "timeout", "drop", "401")) for _ in range(scene.chance.randint(1, 5))
    ]
    if scene.chance.random() < 0.3:
        scene.model.always = scene.chance.choice(("429", "500", "drop"))
    scene.model.troubles = list(troubles)
    scene.plan.append(f"the model: {troubles}, then always {scene.model.always}")
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all())
    if scene.chance.random() < 0.3:
        await asyncio.sleep(scene.chance.random() * 0.6)
        scene.plan.append("killed")
        await (await _victim(scene)).kill()
    await asking


async def database(scene: Scene, seconds: float | None = None) -> None:
    """The database is gone for a while; SQLite's files are locked by another program."""
    gone = seconds or round(0.3 + scene.chance.random() * 1.2, 2)
    before = round(scene.chance.random() * 0.4, 3)
    scene.plan.append(f"after {before} s the database is gone for {gone} s")
    pragmas = (
        "PRAGMA busy_timeout=200",
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "PRAGMA foreign_keys=ON",
    )
    scene.constants |= {"adapters.storage.database._PRAGMAS": pragmas}
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all(pause=0.15))
    await asyncio.sleep(before)
    async with scene.place.away():
        await asyncio.sleep(gone)
    await asking


async def unheard(scene: Scene) -> None:
    """The database does what it is told, and its answers are lost, up to eight times."""
    scene.order |= {"unheard": 8, "deaf_by": f"{scene.case}"}
    # A run that nobody works on is found by two looks in a row.
    scene.constants |= {"bot.line.CHECK_EVERY": 0.5}
    await _serving(scene)
    await scene.ask_all(pause=0.1)


async def outage(scene: Scene) -> None:
    """The database is gone for ten seconds, which is longer than any call waits."""
    await database(scene, seconds=10.0)


async def disk(scene: Scene) -> None:
    """SQLite's files cannot grow for a while."""
    room = scene.chance.choice((8, 32, 64, 128, 256)) * 1024
    scene.plan.append(f"for a second, files end at {room} bytes")
    await _serving(scene)
    worker = scene.workers[-1]
    endless = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    asking = asyncio.create_task(scene.ask_all(pause=0.15))
    await asyncio.sleep(1.0)
    resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, endless)
    await asking


async def edits(scene: Scene) -> None:
    """People reword their questions before, during and after the work on them; sometimes a worker dies as well."""
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all(pause=0.1))
    for _ in range(scene.chance.randint(2, 5)):
        await asyncio.sleep(scene.chance.random() * 0.4)
        if asked := _somebody(scene):
            scene.plan.append(f"question {asked.number} is reworded{_unless_taken(scene, asked)}")
            await scene.edit(asked)
    if scene.chance.random() < 0.5:
        scene.plan.append("killed")
        await (await _victim(scene)).kill()
    await asking


async def deletions(scene: Scene) -> None:
    """People take back questions that the bot knows of; sometimes a worker dies as well."""
    await _deleting(scene, early=False)


async def early(scene: Scene) -> None:
    """People take their questions back at once, so that the bot may hear of that first."""
    await _deleting(scene, early=True)


async def _deleting(scene: Scene, *, early: bool) -> None:
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all(pause=0.1))
    for _ in range(scene.chance.randint(1, 4)):
        await asyncio.sleep(scene.chance.random() * 0.4)
        asked = scene.asked[-1] if early and scene.asked else _somebody(scene, early=early)
        if asked and asked.wanted and asked.message:
            scene.plan.append(f"question {asked.number} is deleted{_unless_taken(scene, asked)}")
            await scene.delete(asked)
    if scene.chance.random() < 0.5:
        scene.plan.append("killed")
        await (await _victim(scene)).kill()
    await asking


async def withdrawing(scene: Scene) -> None:
    """What a thread began with is taken back while its next question is answered, and then the worker dies.

    It goes another way than before, as there is nothing to carry over any more: what models said of it stands.
    """
    scene.model.pause = _THINKS
    await _serving(scene)
    for thread in ("t0", "t1", "t2"):
        first = await scene.ask(thread)
        await _until(partial(_is_proven, scene, first))
        later = await scene.ask(thread)
        await _until(partial(_is_answered, scene, later))
        scene.plan.append(f"question {first.number} is deleted; killed")
        await scene.delete(first)
        await asyncio.sleep(scene.chance.random() * _THINKS)
        await (await _victim(scene)).kill()
        await scene.ask(thread)


def _is_proven(scene: Scene, asked: Asked) -> bool:
    """Return whether evidence for its answer was seen."""
    return any(sight.evidence and key_in(sight.text or "") == asked.wanted for sight in scene.town.sights.all)


def _is_answered(scene: Scene, asked: Asked) -> bool:
    """Return whether a model was asked to write its answer."""
    return any((call.role, call.key) == ("answer", asked.wanted) for call in scene.model.calls)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.02)


async def halts(scene: Scene) -> None:
    """People stop answers in the making and in the line; sometimes a worker dies as well."""
    await _halting(scene)
    if scene.chance.random() < 0.5:
        scene.plan.append("killed")
        await (await _victim(scene)).kill()


def dies_in_a_stop(at: str, when: str) -> Kind:
    """Return the kind in which the first worker dies at its first such call, which only a stop makes."""

    async def dying(scene: Scene) -> None:
        scene.fates = [[{"at": at, "nth": 1, "when": when}]]
        await _halting(scene)
        async with asyncio.timeout(PATIENCE):
            while not scene.deaths:
                await asyncio.sleep(0.02)

    return dying


async def _halting(scene: Scene) -> None:
    scene.env["MAX_PARALLEL_ANSWERS"] = "2"
    scene.model.pause = 0.3
    await _serving(scene)
    asking = asyncio.create_task(scene.ask_all(pause=0.05))
    for _ in range(scene.chance.randint(2, 4)):
        asked = await _stopped(scene)
        scene.plan.append(f"question {asked.number} is stopped" if asked else "nothing could be stopped")
        await asyncio.sleep(scene.chance.random() * 0.2)
    await asking


async def _stopped(scene: Scene) -> Asked | None:
    """Return the question whose answer its asker has just stopped, once there is one with a button."""
    for _ in range(200):
        there = [asked for asked in scene.asked if asked.message and not asked.stopped]
        scene.chance.shuffle(there)
        for asked in there:
            if await scene.stop(asked):
                return asked
        await asyncio.sleep(0.02)
    return None


async def busy(scene: Scene) -> None:
    """One channel asks much at once; in another one, two questions do not wait for all of that."""
    scene.model.pause = 0.05
    await _serving(scene)
    for number in range(20):
        await scene.ask(f"b{number % 10}", "C2")
    quiet = [await scene.ask("q", "C3") for _ in range(2)]
    await scene.quiet()
    firsts: dict[int, int] = {}
    for order, sight in enumerate(scene.town.sights.all):
        for asked in scene.asked:
            if asked.wanted and asked.wanted in (sight.text or "").replace(".", " ").split():
                firsts.setdefault(asked.number, order)
    later = sum(firsts.get(asked.number, 0) > firsts.get(quiet[0].number, 0) for asked in scene.asked[:20])
    if later < 3:
        scene.findings.append(f"the quiet channel waited for the busy one: only {later} of 20 came after it")


KINDS: Mapping[str, Kind] = {
    kind.__name__: kind
    for kind in (
        plain,
        boundary,
        inheriting,
        moment,
        frozen,
        thawed,
        stop,
        repeats,
        reconnects,
        limits,
        refusals,
        lookups,
        losses,
        telling,
        models,
        database,
        unheard,
        outage,
        disk,
        edits,
        deletions,
        early,
        withdrawing,
        halts,
        busy,
    )
}


async def _serving(scene: Scene, *, wait: bool = True) -> None:
    for _ in range(scene.case.replicas):
        await scene.start()
    if wait:
        await scene.serving(scene.case.replicas)


async def _victim(scene: Scene) -> Any:
    """Return the worker to die: any of those that share the work, or the only one, once it is there again."""
    while not (alive := [worker for worker in scene.workers if worker.is_running]):
        await asyncio.sleep(0.005)
    return scene.chance.choice(alive[-scene.case.replicas :])


async def _taken(scene: Scene) -> None:
    """Return once the platform has been told that each question has arrived; else that is a finding."""
    end = time.monotonic() + _ACKNOWLEDGED
    while left := [asked.number for asked in scene.asked if not scene.town.is_taken(asked)]:
        if time.monotonic() > end:
            scene.findings.append(f"not acknowledged while it is not told who asks: {left}")
            return
        await asyncio.sleep(0.02)


def _somebody(scene: Scene, *, early: bool = True) -> Asked | None:
    """Return a question that can still be changed; unless `early`, one that the bot knows of."""
    there = [asked for asked in scene.asked if asked.wanted and asked.message and (early or scene.town.is_taken(asked))]
    return scene.chance.choice(there) if there else None


def _unless_taken(scene: Scene, asked: Asked) -> str:
    return "" if scene.town.is_taken(asked) else ", not yet acknowledged"


def _death(scene: Scene, share: float) -> dict[str, Any]:
    """Return a call to die at, out of those that a round without trouble makes."""
    at = scene.chance.choice(sorted(scene.passed))
    most = max(1, int(scene.passed[at] * share / scene.case.replicas))
    return {"at": at, "nth": scene.chance.randint(1, most), "when": _around(scene)}


def _around(scene: Scene) -> str:
    return scene.chance.choice(("before", "after"))


def _busy(scene: Scene) -> dict[str, Any]:
    return {"status": 429, "retry_after": 1} if scene.town.name == "slack" else {"retry_after": 1}
