"""A training run: its folder, log, checkpoints and validation; it goes on where it was stopped.

runs/NAME/config.yaml           the exact settings
runs/NAME/state.pt              everything, to go on from
runs/NAME/best.safetensors      the best network by validation games (tasks weigh their share), with its card best.json
runs/NAME/last.safetensors      the one of the last validation
runs/NAME/at-DECISIONS.*        the one of each validation, if ``validation.keep`` says so
runs/NAME/curve.jsonl           a line for each validation
runs/NAME/events.out.tfevents*  for TensorBoard

Of several processes (:mod:`tabletop.training.distributed`) the first one alone has the folder; all play, learn and
validate.
"""

from __future__ import annotations

import ctypes
import json
import pickle
import platform
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
import torch
import yaml
from numpy.typing import NDArray
from torch.utils.tensorboard import SummaryWriter

from tabletop import agents
from tabletop.agents import checkpoint
from tabletop.agents.policy import Policy
from tabletop.batch import processors
from tabletop.files import held
from tabletop.game import Game
from tabletop.needs import needed
from tabletop.training.config import GAMES, HOW, Config, found
from tabletop.training.distributed import Processes
from tabletop.training.evaluate import Cell
from tabletop.training.match import wins_against
from tabletop.training.ppo import Learner
from tabletop.training.starts import Starts
from tabletop.training.tasks import SPLITS, Task, box_labels, find, main, titled
from tabletop.training.wins import Wins

Progress = Callable[[int, dict[str, float]], object]
#: What comes of reading a state that is none, or a file that holds none.
DAMAGED = (KeyError, TypeError, AttributeError, IndexError)
DAMAGED_FILE = (RuntimeError, EOFError, OSError, ValueError, zlib.error, pickle.UnpicklingError, BadZipFile)
#: What a point of a curve has, beside the rates of tasks by their names.
CURVE = ("decisions", "minutes", "won")
#: mallopt(3): memory once used is kept, which for a trainer's large arrays saves a tenth of the time.
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4


class Run:
    """A training run in a folder.

    Args:
        folder: where its files are, or will be.
        cells: what is played, with the share of each; by default those of ``config.tasks``.
        stage: goes on from a run with other settings: from now on these hold, and the card tells of each stage.

    Raises:
        ValueError: the folder holds a run with other settings or games, of other rules or another layout, a damaged
            one, or none that a stage could go on from; a setting cannot be met here, or by so many processes, or by a
            network that has learnt already; or the processes have different settings.
    """

    def __init__(
        self,
        game: Game,
        config: Config,
        folder: Path,
        cells: tuple[list[Cell], list[float]] | None = None,
        stage: bool = False,
    ) -> None:
        self.game, self.config, self.folder = game, config, folder
        self.processes = Processes.join()
        self.found = self._saved()
        kept = self.processes.of_first(self._kept)
        self.settings = self._settings(kept, stage)
        if stage and not kept:
            raise ValueError(f"{folder} holds no state to go on from: choose another name, or leave out --stage")
        self.device = _device(config.device, self.processes)
        torch.set_num_threads(config.threads or self.processes.processors)
        torch.manual_seed(config.seed)
        self.cells, share = cells or cells_of(game, config, "train")
        self.validation = self.cells if cells else cells_of(game, config, "validation")[0]
        rng = np.random.default_rng(config.seed)
        wins = Wins.load(found(config.mid_game.wins), game, self.cells) if config.mid_game.wins else None
        self.played = self._played()
        self.tasks = {} if cells else tasks_of(game, config)
        starts = Starts(game, self.cells, np.array(share), config.games, SPLITS["train"], config.sampler,
                        config.mid_game, rng, wins, kinds_of(game, self.tasks, self.cells), beside_of(game, self.cells),
                        self.processes)  # fmt: skip
        agents.make(config.validation.against, game)  # a wrong name is an error before anything is learnt
        self.seconds = 0.0
        self.best = -1.0
        self.curve: list[dict[str, Any]] = []
        self.stages: list[dict[str, Any]] = []  #: that are over: ``until`` how many decisions, ``with`` which settings
        #: of the checkpoint it began with: decisions it had learnt from, and seconds that took
        self.earlier, self.earlier_seconds = 0, 0.0
        with self._readable():
            own = self._stage(kept, stage) if kept else config
        self.learner = learner_of(config)(game, own, starts, self.device, self.processes)
        if kept:
            with self._readable():
                self._load(kept)
        elif config.init:
            self._begin_with(config.init)
        elif config.warm_start.kl and not config.warm_start.updates:
            raise ValueError(f"warm_start.kl is {config.warm_start.kl}, but nothing has been learnt to stay near: "
                             "choose 0, or warm_start.updates above 0, or init")  # fmt: skip
        if self.processes.first:
            self.folder.mkdir(parents=True, exist_ok=True)

    def _begin_with(self, name: str) -> None:
        """The weights of a checkpoint, of any edition, instead of random ones; its stages come before this run's."""
        network, card = checkpoint.load(checkpoint.path_of(name), self.game)
        shape, theirs = map(checkpoint.shape_of, (self.learner.network, network))
        other = [f"network.{key}={theirs[key]}".lower() for key in shape
                 if key != "blocks" and shape[key] != theirs[key]]  # fmt: skip
        if shape["blocks"] < theirs["blocks"]:
            other.append(f"network.blocks={theirs['blocks']} or more")
        if other:
            raise ValueError(f"init {name} has another network than this run: set {', '.join(other)}")
        self.learner.network.take_over(network)
        self.stages = list(card.get("stages", []))
        if "decisions" in card and (not self.stages or self.stages[-1]["until"] != card["decisions"]):
            self.stages.append({"until": card["decisions"], "with": card.get("config", {})})
        self.earlier = self.stages[-1]["until"] if self.stages else 0
        self.earlier_seconds = card.get("seconds", 0.0)

    def _played(self) -> str:
        """A digest of which games are played: the files of tasks, boxes and won games that settings name say it."""
        wins = found(self.config.mid_game.wins).read_bytes() if self.config.mid_game.wins else b""
        cells = [(cell.labels, cell.setup.tolist()) for cell in (*self.cells, *self.validation)]
        return sha256(repr((self.game.hashes, cells, wins)).encode()).hexdigest()

    def _stage(self, kept: Mapping[str, Any], stage: bool) -> Config:
        """The settings of the stage that goes on, or begins now.

        Raises:
            ValueError: they name another checkpoint to begin with, or leave nothing to learn; or other games are
                played, and it is no stage.
        """
        if not self._same(kept, "init", alone=True):
            began = kept["settings"].get("init")
            raise ValueError(f"init is {self.config.init!r}, but {self.folder} has begun with {began!r}: leave it as "
                             "it was, or choose another name")  # fmt: skip
        if not stage and not self._same(kept, "played", alone=True):
            raise ValueError(f"{self.folder} has learnt from other games: a file of a task, a box or of won games has "
                             "changed since. Change it back, choose another name, or go on with it as it is now as "
                             "the next stage (--stage)")  # fmt: skip
        before = kept["learner"]["before"] if self._same(kept, *HOW) else _learnt(kept)
        return self.config.after(before) if before else self.config

    def _same(self, kept: Mapping[str, Any], *names: str, alone: bool = False) -> bool:
        """Whether the settings, and the games that are ``played``, are those that were kept: all but some, or these
        alone. A state of an earlier version says nothing of what was played but the boxes."""
        boxes = self.played if kept["game"]["edition"] == self.game.edition else ""
        then = {**kept["settings"], "played": kept.get("played", boxes)}
        now = {**self.config.model_dump(mode="json"), "played": self.played}
        compared = names if alone else set(now).difference(names)
        return all(then.get(name) == now[name] for name in compared)

    def _settings(self, state: Mapping[str, Any] | None, stage: bool) -> str:
        """The settings, which must be those of all processes and of the folder: of its config.yaml or, where that is
        gone or empty, of its state."""
        path, text = self.folder / "config.yaml", yaml.safe_dump(self.config.model_dump(mode="json"), sort_keys=False)
        if len(set(self.processes.each(text))) > 1:
            raise ValueError("the processes have different settings: give all the same")

        def check() -> None:
            kept = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
            if state and not kept:
                kept = yaml.safe_dump(state["settings"], sort_keys=False)
            if kept not in ("", text) and not stage:
                raise ValueError(f"{self.folder} holds a run with other settings: choose another name, delete it, or "
                                 "go on from it with these as its next stage (--stage)")  # fmt: skip

        self.processes.of_first(check)
        return text

    def run(self, progress: Progress = lambda *_: None, until: int | None = None) -> None:
        """Trains to the end, or up to an update of this stage. Ctrl-C ends it after the update at hand; all is saved.

        Args:
            progress: is told after every update how many decisions are learnt from, and its figures; of several
                processes the first one's.

        Raises:
            KeyboardInterrupt: somebody pressed Ctrl-C; at the second time at once, and what is learnt since the last
                save will be learnt again.
            ValueError: another process trains in the folder, or has trained there since this run was made.
        """
        with self._alone():
            self._run(progress, until)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps other processes from training in the folder meanwhile."""
        path = self.folder / "config.yaml"
        with ExitStack() as opened:

            def begin() -> None:
                if not held(opened.enter_context(path.open("a")).fileno()):
                    raise ValueError(f"another process trains in {self.folder}: wait until it ends, or choose another "
                                     "name")  # fmt: skip
                if self._saved() != self.found:
                    raise ValueError(f"another process has trained in {self.folder} meanwhile: begin again, to go on "
                                     "from what it has learnt, or choose another name")  # fmt: skip
                if path.read_text(encoding="utf-8", errors="replace") != self.settings:
                    path.write_text(self.settings, encoding="utf-8")  # in place: another file would not be held

            self.processes.of_first(begin)
            yield

    def _run(self, progress: Progress, until: int | None) -> None:
        _keep_memory()
        updates = self.learner.config.updates
        last = updates if until is None else min(until, updates)
        first = self.processes.first
        log = SummaryWriter(str(self.folder), purge_step=self.learner.decisions + 1) if first else None
        saved, stop = time.monotonic(), False
        with Interrupt() as interrupt:
            self._validate(log)
            while self.learner.updates < last and not stop:
                began = time.monotonic()
                told = self.learner.learn()
                took = time.monotonic() - began
                self.seconds += took
                told |= {"decisions_per_second": self.config.batch / took, "minutes": self.seconds / 60}
                if log:
                    self._log(log, told)
                    progress(self.learner.decisions, told)
                self._validate(log)
                late = time.monotonic() - saved > 60 * self.config.save_minutes
                stop, late = self.processes.any(interrupt.asked, late)
                if late:
                    self.save()
                    saved = time.monotonic()
            self.save()
            if log:
                log.close()
        if stop:
            raise KeyboardInterrupt

    def _due(self) -> bool:
        """Whether a validation has not been made: one every so often, and one at the end."""
        now, every = self.learner.decisions, self.config.validation.every
        before = self.curve[-1]["decisions"] if self.curve else 0
        return now > before and (now // every > before // every or self.learner.updates == self.learner.config.updates)

    def _log(self, log: SummaryWriter, told: dict[str, float]) -> None:
        at = self.learner.decisions
        for name, value in told.items():
            log.add_scalar(f"train/{name}", value, at)
        if self.game.team and self.learner.updates % 20 == 0:  # of rivals the rates say nothing
            for name, rate in by_row(self.tasks, self.cells, self.learner.starts.rates).items():
                log.add_scalar(f"won/{name}", rate, at)

    def _validate(self, log: SummaryWriter | None) -> None:
        """Plays validation games in each cell, if they are due; the best network so far is kept."""
        if not self._due():
            return
        began = time.monotonic()
        games, seeds = self.config.validation.games, SPLITS["validation"]
        setups = np.concatenate([cell.setups(0, games) for cell in self.validation])
        which = np.tile(np.arange(seeds.start, seeds.start + games), len(self.validation))
        own, wins = self.processes.own, np.zeros(len(which))
        state = torch.get_rng_state()
        policy = Policy(self.game, self.learner.network, precision=self.config.precision)
        rival = partial(agents.make, self.config.validation.against, self.game)
        mine = wins_against(self.game, policy, rival, setups[own], which[own]) if len(which[own]) else wins[:0]
        torch.set_rng_state(state)
        for rank, part in enumerate(self.processes.each(mine)):
            wins[rank :: self.processes.world_size] = part
        rates = wins.reshape(len(self.validation), games).mean(1)
        self.seconds += time.monotonic() - began
        won = float(rates @ self.learner.starts.share)
        self.curve.append({"decisions": self.learner.decisions, "minutes": round(self.seconds / 60, 2),
                           "won": round(won, 5), **_by_task(self.tasks, self.cells, rates)})  # fmt: skip
        better, self.best = won >= self.best, max(won, self.best)
        if log:
            for name, rate in {**by_row(self.tasks, self.cells, rates), "overall": won}.items():
                log.add_scalar(f"validation/{name}", rate, self.learner.decisions)
            self._write_curve()
            kept = (f"at-{self.learner.decisions}",) if self.config.validation.keep else ()
            for name in ("last", *kept, "best") if better else ("last", *kept):
                self.export(name, won, rates)

    def _write_curve(self) -> None:
        lines = "".join(json.dumps(point) + "\n" for point in self.curve)
        (self.folder / "curve.jsonl").write_text(lines, encoding="utf-8")

    def export(self, name: str, won: float, rates: NDArray[np.float64]) -> None:
        """Writes the network as a checkpoint; its card says what it won in all, and of each cell, float64 (cells,)."""
        many = self.processes.world_size
        card = {
            "name": self.config.name,
            "decisions": self.earlier + self.learner.decisions,
            "seconds": round(self.earlier_seconds + self.seconds),
            "hardware": (f"{many} x " if many > 1 else "") + hardware(self.device),
            "commit": commit(),
            "validation": {
                "games": self.config.validation.games,
                "won": round(won, 5),
                "table": by_cell(self.cells, rates),
            },
            "curve": self.curve,
            "stages": self.stages,
            "config": self.config.model_dump(mode="json"),
        }
        checkpoint.save(self.folder / f"{name}.safetensors", self.learner.network, self.game, card)

    def save(self) -> None:
        """Keeps everything; what was there stays whole until it is done."""
        learner = self.learner.state_dict()
        if self.processes.first:
            draft = self.folder / "state.part"
            torch.save({"game": checkpoint.identity(self.game), "learner": learner, "best": self.best,
                        "seconds": self.seconds, "curve": json.dumps(self.curve), "stages": json.dumps(self.stages),
                        "earlier": self.earlier, "earlier_seconds": self.earlier_seconds, "played": self.played,
                        "settings": self.config.model_dump_json()}, draft)  # fmt: skip
            draft.replace(self.folder / "state.pt")
            self.found = self._saved()

    def _saved(self) -> tuple[int, int] | None:
        """Which state the folder holds: every save makes another file."""
        path = self.folder / "state.pt"
        return (path.stat().st_ino, path.stat().st_mtime_ns) if path.exists() else None

    def _kept(self) -> dict[str, Any] | None:
        """What the folder holds to go on from, if anything."""
        path = self.folder / "state.pt"
        if not path.exists():
            return None
        with path.open("rb") as file, self._readable(*DAMAGED_FILE):
            with ZipFile(file) as packed:
                if part := packed.testzip():  # torch does not look at the sums
                    raise BadZipFile(part)
            file.seek(0)
            state: dict[str, Any] = torch.load(file, weights_only=True, map_location="cpu")
            theirs, state["settings"] = state["game"], json.loads(state["settings"])
        checkpoint.check(theirs, self.game, self.folder, "Choose another name, or delete it.", any_edition=True)
        return state

    @contextmanager
    def _readable(self, *besides: type[Exception]) -> Iterator[None]:
        """What the folder holds is read."""
        signs: tuple[type[Exception], ...] = (*DAMAGED, *besides)
        try:
            yield
        except signs as error:
            raise ValueError(f"{self.folder / 'state.pt'} is damaged, delete it to begin anew") from error

    def _load(self, state: dict[str, Any]) -> None:
        """Goes on with this stage, or begins another one."""
        self.seconds, self.best, self.curve = state["seconds"], state["best"], json.loads(state["curve"])
        self.stages, self.earlier = json.loads(state["stages"]), state["earlier"]
        self.earlier_seconds = state.get("earlier_seconds", 0.0)  # not in states of an earlier version
        learner, learnt = state["learner"], _learnt(state)
        if self._same(state, *HOW):
            self.learner.load_state_dict(learner)
            return
        if learner["updates"]:
            self.stages.append({"until": self.earlier + learnt, "with": state["settings"]})
        if self._same(state, *GAMES, "played", alone=True):
            self.learner.load_state_dict({**learner, "updates": 0, "before": learnt})
        else:
            self.learner.take_over(learner)
            self.learner.starts.draw_anew()
            self.learner.before = learnt
        if not self._same(state, "tasks", "only", "validation", "played", alone=True):
            self.best = -1.0
        own, selves = self.learner.config, self.learner.selves
        own.check_teacher()
        if selves and not selves.kept:
            own.check_pool()


class Interrupt:
    """Ctrl-C is noted where it would break something; pressed again it interrupts. Other threads get none."""

    asked = False

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self.before = signal.signal(signal.SIGINT, self._ask)
        return self

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(self, *_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self.before)


def learner_of(config: Config) -> type[Learner]:
    """The trainer that a run asks for.

    Raises:
        ValueError: what it needs is not installed.
    """
    if config.trainer == "ppo":
        return Learner
    try:
        with needed():
            from tabletop.training.maskable_ppo import MaskableLearner
    except ModuleNotFoundError as error:
        raise ValueError(f"trainer is maskable_ppo, but {error}, or choose ppo") from None
    return MaskableLearner


def _learnt(kept: Mapping[str, Any]) -> int:
    """Decisions learnt from, by a state that was kept."""
    then = kept["settings"]
    return int(kept["learner"]["before"] + kept["learner"]["updates"] * then["games"] * then["length"])


def tasks_of(game: Game, config: Config) -> dict[str, Task]:
    """The tasks of a run, as its settings name them.

    Raises:
        ValueError: there is no such task, two have one name, or one has that of something else in a curve; or none is
            named, and the game has none.
    """
    tasks = {name: find(game, name) for name in config.tasks or {main(game): 1.0}}
    for name, task in tasks.items():
        if task.name in CURVE:
            raise ValueError(f"task {name} is called {task.name}, but so is something else in a run's curve, which has "
                             f"{', '.join(CURVE)}: call it otherwise")  # fmt: skip
    called = [task.name for task in tasks.values()]
    if twice := [name for name in called if called.count(name) > 1]:
        both = " and ".join(name for name, task in tasks.items() if task.name == twice[0])
        raise ValueError(f"tasks {both} are both called {twice[0]}: call one otherwise, or leave it out")
    return tasks


def cells_of(game: Game, config: Config, split: str) -> tuple[list[Cell], list[float]]:
    """The cells that a run is trained on, or validated with, and the share of each.

    Raises:
        ValueError: there is no such task, or it has no cell with those labels.
    """
    cells: list[Cell] = []
    shares: list[float] = []
    for name, task in tasks_of(game, config).items():
        if wrong := [label for label in config.only if label not in task.names]:
            raise ValueError(f"only names {wrong[0]!r}, choose from the labels of task {name}: {', '.join(task.names)}")
        own = [cell for cell in task.cells(game, split)
               if all(cell.labels.get(label) in values for label, values in config.only.items())]  # fmt: skip
        if not own:
            wanted = " and ".join(f"{label} {' or '.join(map(str, values)) or 'of an empty list'}"
                                  for label, values in config.only.items())  # fmt: skip
            raise ValueError(f"task {name} has no cell with {wanted}")
        cells += [Cell({"task": task.name, **cell.labels}, cell.setup, cell.also) for cell in own]
        shares += [(config.tasks or {}).get(name, 1.0) / len(own)] * len(own)
    return cells, shares


def kinds_of(game: Game, tasks: Mapping[str, Task], cells: list[Cell]) -> list[str]:
    """The kind of each cell: those of one kind differ in the columns of their task's tables alone, but not in boxes."""
    own = {task.name: {task.columns} - {*box_labels(game)} for task in tasks.values()}
    return [str(sorted((name, x) for name, x in cell.labels.items()
                       if name not in own.get(str(cell.labels.get("task")), ()))) for cell in cells]  # fmt: skip


def beside_of(game: Game, cells: list[Cell]) -> NDArray[np.int64]:
    """The cells on the rungs below and above each one's, int64 (cells, 2): the same but for a number that names boxes,
    as a difficulty does. Where there is none, the cell itself."""
    beside = np.arange(len(cells))[:, None].repeat(2, axis=1)
    alike: dict[str, list[tuple[float, int]]] = {}
    for i, cell in enumerate(cells):
        for name in box_labels(game):
            if isinstance(rung := cell.labels.get(name), (int, float)):
                alike.setdefault(str(sorted({**cell.labels, name: "any"}.items())), []).append((rung, i))
    for rungs in alike.values():
        for (_, one), (_, other) in pairwise(sorted(rungs)):
            beside[one, 1], beside[other, 0] = other, one
    return beside


def by_cell(cells: list[Cell], rates: NDArray[np.float64]) -> dict[str, float]:
    """Rate of each cell, by its labels; ``rates`` are float64 (cells,)."""
    return {titled(cell.labels): round(float(rate), 5) for cell, rate in zip(cells, rates, strict=True)}


def by_row(tasks: Mapping[str, Task], cells: list[Cell], rates: NDArray[np.float64]) -> dict[str, float]:
    """Mean rate of each row of the tasks' tables; of a task that has one row, and of its cells that are in none, by its
    name. ``rates`` are float64 (cells,). Where several tasks have rows, their names come first."""
    many = [task for task in tasks.values() if len(task.values(task.rows)) > 1]
    groups: dict[str, list[float]] = {}
    for cell, rate in zip(cells, rates, strict=True):
        task, name = _task_of(tasks, cell), str(cell.labels.get("task", "game"))
        if task in many and task.rows in cell.labels:
            row = str(cell.labels[task.rows])
            name = row if len(many) == 1 else f"{name} {row}"
        groups.setdefault(name, []).append(float(rate))
    return {name: float(np.mean(own)) for name, own in groups.items()}


def _task_of(tasks: Mapping[str, Task], cell: Cell) -> Task | None:
    return next((task for task in tasks.values() if task.name == cell.labels.get("task")), None)


def _by_task(tasks: Mapping[str, Task], cells: list[Cell], rates: NDArray[np.float64]) -> dict[str, float]:
    """Mean rate of each task, and of each value of labels that are neither its rows nor its columns."""
    names = []
    for cell in cells:
        task, labels = _task_of(tasks, cell), cell.labels
        besides = [x for x in labels if task and x not in ("task", task.rows, task.columns)]
        names.append(" ".join(str(x) for x in (labels.get("task", "game"), *(labels[name] for name in besides))))
    return {name: round(float(rates[[own == name for own in names]].mean()), 5) for name in dict.fromkeys(names)}


def _device(name: str, processes: Processes) -> torch.device:
    """The device of a setting; of several processes on a machine each has a GPU of its own."""
    has_gpu = torch.cuda.is_available()
    if name not in ("auto", "cpu", "cuda") or (name == "cuda" and not has_gpu):
        raise ValueError(f"device is {name!r}, choose auto, cpu" + (" or cuda" if has_gpu else ""))
    if name == "cpu" or not has_gpu:
        return torch.device("cpu")
    if processes.local_world_size > torch.cuda.device_count():
        raise ValueError(f"{processes.local_world_size} processes share {torch.cuda.device_count()} GPUs: start one "
                         "for each GPU, or choose device cpu")  # fmt: skip
    torch.cuda.set_device(processes.local_rank)
    return torch.device("cuda", processes.local_rank)


def _keep_memory() -> None:
    if sys.platform == "linux" and platform.libc_ver()[0] == "glibc":
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_MMAP_MAX, 0)
        mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


def hardware(device: torch.device) -> str:
    """What it is trained on, in words."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"{processors()} cores, {platform.machine()}, {torch.get_num_threads()} threads"


def commit() -> str:
    """The commit of the source, or "" where there is none."""
    try:
        found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True)
    except OSError:
        return ""
    return found.stdout.strip()
