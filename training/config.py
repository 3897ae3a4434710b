"""The settings of a training run: what may be written in ``configs/*.yaml``. docs/training.md says what each does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from tabletop.files import text_of
from tabletop.training.reading import yaml_of

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]
Stored = Annotated[int, Field(ge=1, le=2**24)]


def _label(value: Any) -> Any:
    if not isinstance(value, (bool, int, float, str)):
        raise ValueError("expected a word or a number")
    return value


Label = Annotated[bool | int | float | str, BeforeValidator(_label)]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkSettings(_Settings):
    """The shape of the network (:class:`tabletop.agents.network.Network`)."""

    width: Annotated[int, Field(ge=1, le=2**14)] = 512
    blocks: Annotated[int, Field(ge=0, le=64)] = 1
    contents: bool = True
    places: bool = False


class PPO(_Settings):
    """Schulman et al. 2017; a pair ``[first, last]`` goes from one to the other in equal steps over the run."""

    epochs: Count = 2
    minibatch: Annotated[int, Field(ge=2)] = 2048  #: decisions
    run: Count = 1  #: decisions of a game, one after the other, that are in a minibatch together: many are faster
    learning_rate: tuple[Positive, Weight] = (5e-4, 2e-5)
    gamma: Share = 1.0
    lam: Share = 0.95  #: of the advantage's GAE
    win_lam: Share = 0.98  #: of the win head's targets
    clip: Annotated[float, Field(gt=0, le=100)] = 0.2
    entropy: tuple[Weight, Weight] = (0.01, 0.001)
    value: Weight = 0.5  #: weight of the value head's loss
    win: Weight = 0.1  #: weight of the win head's loss
    max_grad_norm: Positive = 0.5


class WarmStart(_Settings):
    """Another agent plays first, and the network learns to choose and to judge as it does.

    A network that imitates spreads its choices over all that the teacher might do; drawn from these it hardly ever
    wins, and so has nothing to learn from. ``temperature`` makes the likely ones likelier.

    Later the teacher still plays some of the games, in the cells that it wins more often than the network, and its
    choices are learnt beside the network's own experience (Rajeswaran et al. 2018). Positions of the games that it wins
    are stored for games to begin from: so the network meets wins that it could not come by (Resnick et al. 2018). What
    the network learns by itself stays near what it learnt from the teacher, as far as ``kl`` says: else it forgets what
    does not pay at once (Baker et al. 2022).
    """

    agent: str | None = None  #: by default the one that others are compared with in the game
    updates: Annotated[int, Field(ge=0)] = 0
    learning_rate: tuple[Positive, Weight] | None = None  #: in these updates, over them; by default that of ``ppo``
    epochs: Count | None = None  #: the same
    temperature: Positive = 1.0  #: by which logits are divided after them
    kl: Weight = 0.0  #: of the KL divergence from what was learnt in these updates, or from what ``init`` names
    share: Annotated[float, Field(ge=0, lt=1)] = 0.0  #: of the games that it plays later
    since: Share = 0.0  #: the share of the run from which it does
    weight: Weight = 1.0  #: of each of its choices then, beside one of the network's own
    until: Share = 0.5  #: the share of the run where that weight, and ``kl``, have faded to nothing


class Shaping(_Settings):
    """What a choice adds to what an agent says the position is worth, times ``scale``: a pair ``[first, last]``, the
    latter from a share of the run on.

    As in Ng et al. 1999, but the end of a game keeps its potential (a defeat before the last month has none), so that a
    defeat that stood better counts for more: with nothing at the end, a critic that has learnt the potential makes up
    for all of it.
    """

    agent: str | None = None  #: by default the one that others are compared with in the game
    scale: tuple[Weight, Weight] = (0.0, 0.0)
    until: Share = 0.5
    cost: Weight = 0.0  #: of each choice: what is free is otherwise done to and fro


class Sampler(_Settings):
    """How often each cell of a task is played."""

    #: what one counts that is always won or always lost; 1 samples evenly
    floor: Annotated[float, Field(gt=0, le=1)] = 0.3
    memory: Count = 100  #: games over which its win rate is averaged


class MidGame(_Settings):
    """Games that begin from positions met before: those that the network thinks open, and those of games that the
    teacher won, or the network in a cell that it seldom wins."""

    share: Share = 0.0
    stored: Stored = 8192
    low: Share = 0.05  #: positions are kept whose chance of winning the network puts between these
    high: Share = 0.95
    wins: str | None = None  #: a file of logs of won games (``python -m benchmarks.wins``), to begin from, too
    from_wins: Share = 0.5  #: share of these beside the stored positions


class Pool(_Settings):
    """Who has some seats of some games, as rivals or as partners in a team, and is not learnt from: earlier selves,
    or other agents."""

    share: Share = 0.0  #: of the games
    every: Count = 50  #: updates between two selves that are kept
    keep: Annotated[int, Field(ge=0)] = 10  #: how many, the newest
    agents: tuple[str, ...] = ()  #: others, by name; each plays as often as all earlier selves together
    alone: bool = False  #: the learner has one seat of such a game; otherwise one or more


class Searches(_Settings):
    """Positions that are searched (:mod:`tabletop.training.searches`); the network learns what is found."""

    positions: Annotated[int, Field(ge=0)] = 0  #: between two updates, of all games
    rollouts: Count = 512  #: for each
    stored: Stored = 4096  #: choices and chances that are kept, the newest
    minibatch: Count = 256  #: how many of them are learnt beside each minibatch of the games
    weight: Weight = 1.0  #: of the policy's loss on them; the win head's is that of ``ppo.win``


class Validation(_Settings):
    """How well the network plays games that it is not trained on; the best one is kept."""

    every: Count = 20_000_000  #: decisions
    games: Count = 20  #: in each cell
    against: str = "random"  #: among rivals: who sits on all seats but one
    keep: bool = False  #: whether the network of each validation stays, beside the best and the last


class Config(_Settings):
    """A whole run."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")] = "ppo"
    trainer: Literal["ppo", "maskable_ppo"] = "ppo"
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1
    decisions: Count = 100_000_000  #: of all games together
    tasks: dict[str, Positive] | None = None  #: share of each task among the games; by default the game's main one
    only: dict[str, tuple[Label, ...]] = {}  #: cells with one of these values of a label alone
    games: Annotated[int, Field(ge=1, le=2**20)] = 1024  #: played at once
    length: Annotated[int, Field(ge=1, le=2**16)] = 64  #: decisions in each game between two updates
    threads: Annotated[int, Field(ge=1, le=1024)] | None = None  #: by default all processors
    device: str = "auto"  #: auto, cpu, cuda
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    init: str | None = None  #: a checkpoint whose weights it begins with
    save_minutes: Positive = 5.0  #: between two saves of the whole state
    network: NetworkSettings = NetworkSettings()
    ppo: PPO = PPO()
    warm_start: WarmStart = WarmStart()
    shaping: Shaping = Shaping()
    sampler: Sampler = Sampler()
    mid_game: MidGame = MidGame()
    pool: Pool = Pool()
    searches: Searches = Searches()
    validation: Validation = Validation()

    @model_validator(mode="after")
    def _check(self) -> Config:
        if self.tasks == {}:
            raise ValueError("tasks is empty, name at least one")
        if self.mid_game.wins and not self.mid_game.share:
            raise ValueError("mid_game.wins is named, but mid_game.share is 0: no game begins from there")
        if self.mid_game.low >= self.mid_game.high:
            raise ValueError(f"mid_game.low is {self.mid_game.low}, it must be below high, {self.mid_game.high}")
        if self.searches.positions and self.trainer != "ppo":
            raise ValueError(f"searches.positions is {self.searches.positions}, which trainer {self.trainer} does not "
                             "learn from: choose 0, or trainer ppo")  # fmt: skip
        self.check_pool()
        self.check_teacher()
        if self.ppo.minibatch > self.batch or self.batch % self.ppo.minibatch:
            raise ValueError(f"games x length = {self.batch} is no multiple of a minibatch of {self.ppo.minibatch}")
        if self.length % self.ppo.run or self.ppo.minibatch % self.ppo.run:
            raise ValueError(f"ppo.run is {self.ppo.run}, choose a divisor of length, {self.length}, and of "
                             f"ppo.minibatch, {self.ppo.minibatch}")  # fmt: skip
        return self

    def check_pool(self) -> None:
        """Raises: ValueError: nobody of the pool can ever play."""
        own = self.pool
        if not own.share and (own.agents or own.alone):
            raise ValueError("pool.agents or pool.alone is set, but pool.share is 0: nobody of the pool plays; choose "
                             "a share above 0, or leave them out")  # fmt: skip
        if own.share and self.warm_start.updates >= self.updates:
            raise ValueError(f"pool.share is {own.share}, but the warm start takes all {self.updates} updates: nobody "
                             "of the pool can play; choose a share of 0, or fewer updates of it")  # fmt: skip
        if own.share and not own.agents:
            if not own.keep:
                raise ValueError(f"pool.share is {own.share}, but keep is 0 and agents names none: nobody can play")
            if own.every >= self.updates:
                raise ValueError(f"pool.share is {own.share}, but every is {own.every} of {self.updates} updates and "
                                 "agents names none: nobody can play; choose fewer, or more decisions")  # fmt: skip

    def check_teacher(self) -> None:
        """Raises: ValueError: what the warm start is to do later, it cannot; or it is longer than the run."""
        own, first, taught = self.warm_start, self.taught_from, self.taught_later
        if own.updates > self.updates:
            raise ValueError(f"warm_start.updates is {own.updates}, but there are {self.updates} updates in all: "
                             "choose fewer, or more decisions")  # fmt: skip
        if own.share and not 0 < taught < self.games:
            whom = "the network" if taught else "the teacher"
            raise ValueError(f"warm_start.share is {own.share}, which is {taught} of {self.games} games and leaves "
                             f"{whom} none: choose another share, 0, or more games")  # fmt: skip
        if own.share and not (own.weight and first < own.until * self.updates):
            raise ValueError(
                f"warm_start.share is {own.share}, but weight {own.weight}, from update {first} on (the warm start "
                f"takes {own.updates}, since is {own.since}) until {own.until} of {self.updates} updates, leaves none"
            )
        if own.kl and own.updates and own.updates >= own.until * self.updates:
            raise ValueError(f"warm_start.kl is {own.kl}, but it fades to nothing until {own.until} of {self.updates} "
                             f"updates, and the warm start takes {own.updates}, which leaves none: choose a later "
                             "until, fewer updates of it (0 with --stage, which has no warm start), more decisions, or "
                             "a kl of 0")  # fmt: skip

    @property
    def batch(self) -> int:
        """Decisions between two updates."""
        return self.games * self.length

    @property
    def updates(self) -> int:
        return -(-self.decisions // self.batch)

    @property
    def taught_from(self) -> int:
        """The update from which the teacher plays its share of the games."""
        return max(self.warm_start.updates, round(self.warm_start.since * self.updates))

    @property
    def taught_later(self) -> int:
        """How many games the teacher plays then."""
        return round(self.games * self.warm_start.share)

    def after(self, decisions: int) -> Config:
        """These settings for what is left after so many decisions in other ones: schedules stretch over that, and the
        teacher does not play first again.

        Raises:
            ValueError: nothing is left.
        """
        if decisions >= self.decisions:
            raise ValueError(f"decisions is {self.decisions:,}, but {decisions:,} are learnt from already: choose more")
        warm = self.warm_start.model_copy(update={"updates": 0})
        return self.model_copy(update={"decisions": self.decisions - decisions, "warm_start": warm})


#: What pydantic calls an error -> what to say was expected, with its own values in braces.
EXPECTED = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), "a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    **dict.fromkeys(("dict_type", "model_type"), "names with values"),
    **dict.fromkeys(("missing", "too_long"), "a pair [first, last]"),
    "tuple_type": "a list",
    "string_type": "a word",
    "string_pattern_mismatch": "letters and digits, and . _ - after the first",
    "literal_error": "{expected}",
    "greater_than_equal": "{ge} or more",
    "greater_than": "a number above {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "a number below {lt}",
}
#: What may be changed on the way without another stage: how it runs, not what is learnt.
HOW = ("threads", "device", "precision", "save_minutes")
#: What decides which games are played, and how they begin: other ones begin anew.
GAMES = ("games", "tasks", "only", "sampler", "mid_game", "pool")
#: Settings that are groups of settings; all others are replaced whole.
GROUPS = tuple(name for name, field in Config.model_fields.items() if isinstance(field.default, _Settings))


def changed(changes: Sequence[str]) -> dict[str, Any]:
    """Settings of "name=value" and "group.name=value".

    Raises:
        ValueError: one has no "=" or no value.
    """
    data: dict[str, Any] = {}
    for text in changes:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise ValueError(f"{text!r} changes no setting, write it as name=value")
        *groups, last = name.strip().split(".")
        inner = data
        for group in groups:
            inner = inner.setdefault(group, {})
            if not isinstance(inner, dict):
                raise ValueError(f"{text!r} changes a part of {group}, which was set as a whole before it")
        inner[last] = yaml_of(value, f"the value of {text!r}")
    return data


def merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with changes to them, group by group."""
    together = dict(data)
    for name, value in changes.items():
        inner = together.get(name)
        if name in GROUPS and isinstance(inner, Mapping) and isinstance(value, Mapping):
            value = merged(inner, value)
        together[name] = value
    return together


def load(path: Path, changes: Mapping[str, Any] | None = None) -> Config:
    """Reads a YAML file (:func:`found`), and changes its settings.

    Raises:
        ValueError: a setting is unknown or wrong; every one is named with what is allowed.
        OSError: the file cannot be read.
    """
    data = yaml_of(text_of(found(path)), str(path)) or {}
    if not isinstance(data, dict):
        raise ValueError(f"{path} holds no settings (name: value), but a {type(data).__name__}")
    return check(merged(data, changes or {}), str(path))


def found(path: str | Path) -> Path:
    """The file at a path; where there is none, the one that is installed by this name, like configs/ppo.yaml."""
    shipped = Path(str(files("tabletop"))) / path
    return shipped if not Path(path).exists() and shipped.is_file() else Path(path)


def check(data: dict[str, Any], source: str = "config") -> Config:
    """Settings of plain data; errors as of :func:`load`."""
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise ValueError("\n".join(_problem(source, one) for one in error.errors())) from None


def _problem(source: str, error: Any) -> str:
    where = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        allowed = ", ".join(_fields(error["loc"][:-1]))
        return f"{source}: {where}: there is no such setting, choose from {allowed}"
    text = error["msg"].removeprefix("Value error, ")
    if error["type"] in EXPECTED:
        text = "expected " + EXPECTED[error["type"]].format(**error.get("ctx", {}))
    return f"{source}: {where + ': ' if where else ''}{text}" + (f", not {error['input']!r}" if where else "")


def _fields(path: tuple[Any, ...]) -> list[str]:
    model: Any = Config
    for name in path:
        model = model.model_fields[name].annotation
    return sorted(model.model_fields)
