"""A game at the terminal: people choose, agents take the other seats, and with the real box people say what they drew.

It is kept in the coach's log (:mod:`tabletop.coach.table`): at every choice, and ``sammu coach`` opens the same file.
Whoever plays alone with agents is told what that seat may know; people who share the screen, or play with the real box,
share what it says.
"""

from __future__ import annotations

import re
import signal
import string
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from tabletop import agents
from tabletop.agents.base import answers, shown
from tabletop.agents.plans import ENDING
from tabletop.assist import advice
from tabletop.assist.errors import plain
from tabletop.assist.options import changed, flag
from tabletop.coach.parts import Parts, headed
from tabletop.coach.table import Node, Table, new_name, new_seed
from tabletop.coach.telling import told
from tabletop.coach.view import View
from tabletop.game import CHANCE, NOBODY, SEEDS, Game, Record, enter, legal_mask
from tabletop.games import extra
from tabletop.languages import LANGUAGES

HUMAN = "human"
#: What is asked for by a letter; menus use the others.
COMMANDS = "aurcslhq"
#: Draws with more outcomes are not listed unless somebody asks.
FEW = 12
HELP = {
    "en": "choose by what stands before a choice, or by any part of its words that only one has; a asks for advice, "
    "u takes the last choice of a person back, r does it again, s shows the board, l lists the choices, c lets the "
    "coach draw, h helps, q quits{log}",
    "ja": "選択肢の前の記号か、一つだけに当てはまる言葉で選ぶ。a 助言、u 直前の選択を取り消す、r やり直す、s 状況、"
    "l 選択肢、c コーチが引く、h ヘルプ、q 終了{log}",
}
KEPT = {"en": " (the game is kept in {path})", "ja": "（ゲームは {path} に保存）"}
NOT_KEPT = {"en": "the game is not kept; --log FILE keeps one",
            "ja": "このゲームは保存されない（--log FILE を付けると保存される）"}  # fmt: skip
GOES_ON = {"en": "{path} is there: its game goes on, as it was set up",
           "ja": "{path} のゲームの続き（設定は始めたときのまま）"}  # fmt: skip
AGAIN = {"en": "choose {all}, or {commands}", "ja": "{all} か {commands}"}
SEVERAL = {"en": "which of these?", "ja": "どれですか"}
DRAWN = {"en": "{n} are possible: say its number or a part of its name (l lists them)",
         "ja": "{n}通り。番号か名前の一部で（l で一覧）"}  # fmt: skip
ENDED = {"en": "u takes the last choice back, anything else ends", "ja": "u で直前の選択を取り消す。それ以外で終了"}
FIRST = {"en": "nothing to take back", "ja": "取り消せる選択がない"}
NEWEST = {"en": "nothing to do again", "ja": "やり直す選択がない"}
BOARD = {"en": "on the board:", "ja": "盤では："}


def begin_table(game: Game, setup: Record, seats: str, seed: int | None, log: Path, box: bool) -> Table:
    """A new game in a new file."""
    log.parent.mkdir(parents=True, exist_ok=True)
    return Table.create(game, log, setup, new_seed() if seed is None else seed, box, agents=seats)


def open_table(
    game: Game, options: Mapping[str, Any], seats: str | None, seed: int | None, log: Path, box: bool
) -> Table:
    """The game that a file holds.

    Args:
        options, seats, seed, box: what was asked for; what was not (None, False) is as in the file.

    Raises:
        ValueError: the file is none of a table, open elsewhere, or of another game or edition, or the game in it was
            set up otherwise.
    """
    try:
        table = Table.open(game, log)
    except ValueError as error:
        raise ValueError(f"{error}{advice.other_edition(game, advice.begin_of(log.read_bytes()))}") from None
    begin = table.lines[0]
    other = changed(game, options, begin["setup"])
    if seats is not None and table.agents is not None and _shortest(seats) != _shortest(table.agents):
        other.append("agents")
    if seats is None and (foreign := [name for name in named(table.agents or HUMAN) if _foreign(name, game)]):
        table.close()
        raise ValueError(f"{log} names an agent {foreign[0]!r} that {game.name} does not have: if you trust it, say "
                         f"--agents {table.agents}")  # fmt: skip
    other += ["seed"] if seed not in (None, begin["seed"]) else []
    other += ["box"] if box and not table.box else []
    if other:
        table.close()
        raise ValueError(f"{log} holds a game that was set up with another {', '.join(map(flag, other))}: leave that "
                         "out to go on with it, or choose another file")  # fmt: skip
    return table


def kept_in() -> Path:
    """A new file where ``sammu coach`` looks for games."""
    return Path("games") / f"{new_name()}.jsonl"


def named(seats: str) -> list[str]:
    """Who sits where, by commas; commas may stand within an agent's options too: "human,planner:width=9,tries=3"."""
    names: list[str] = []
    for part in (part.strip() for part in seats.split(",")):
        if names and ":" in names[-1] and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


def _foreign(name: str, game: Game) -> bool:
    """Whether an agent is code from elsewhere, which nobody should run because a file says so."""
    return name.partition(":")[0] not in (HUMAN, *agents.names(game), *agents.OF_A_PATH)


def _shortest(seats: str) -> list[str]:
    """The same names as short as can be: the last one takes all further seats."""
    names = named(seats)
    while names[-2:-1] == names[-1:]:
        names.pop()
    return names


def letters(game: Game) -> dict[str, str]:
    """A letter for each group of choices, the same in every menu of a game."""
    found: dict[str, str] = {}
    for group in dict.fromkeys(map(game.group, range(game.n_actions))):
        free = [x for x in group.lower() + string.ascii_lowercase if x in string.ascii_lowercase]
        taken = {*COMMANDS, *found.values()}
        found[group] = next((x for x in free if x not in taken), group)
    return found


@contextmanager
def cancelled_by_ctrl_c(cancel: Callable[[], None]) -> Iterator[list[int]]:
    """Ctrl-C calls ``cancel`` instead of ending what runs here; pressed again, it ends it, for who will not wait.

    Only the main thread is told of Ctrl-C: in others this does nothing.

    Returns:
        a list that is not empty once it was pressed.
    """
    pressed: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield pressed
        return

    def press(number: int, frame: Any) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)
        cancel()

    signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


class Session:
    """One table, who sits where, a console, and whom people ask for advice: made when they first do.

    Args:
        setup: of a new game; one that is in ``log`` goes on as it was set up.
        seats: who sits where, by commas; None: whoever does in a game that goes on, else people.
        log: where the game is kept; None: nowhere.
        seconds: of a search for advice.
        options: of the setup that people asked for, which a game that goes on must have.
    """

    def __init__(
        self, game: Game, setup: Record, seats: str | None, out: Console, *, seed: int | None = None,
        log: Path | None = None, box: bool = False, lang: str = "en", advisor: str | None = None, seconds: float = 5.0,
        options: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        if advisor is not None:
            advice.check_name(advisor, game)
        if seed is not None and not 0 <= seed < SEEDS:
            raise ValueError(f"seed is {seed}, choose 0 to {SEEDS - 1}")
        self.game, self.lang, self.out, self.seconds = game, lang, out, seconds
        self.parts, self.letters = Parts(game), letters(game)
        self.rng = np.random.default_rng(seed)
        self.stage = ""  # the last headline
        self.kept, self.goes_on = log, log is not None and log.exists()
        with ExitStack() as opened:
            if log is None:
                log = Path(opened.enter_context(tempfile.TemporaryDirectory())) / "game.jsonl"
            if self.goes_on:
                self.table = opened.enter_context(closing(open_table(game, options or {}, seats, seed, log, box)))
                setup, seats = self.table.state(), self.table.agents or seats
            seats = HUMAN if seats is None else seats
            self.players = self._seated(seats, game.seats(setup))
            if not self.goes_on:  # nothing that was wrong leaves a file behind
                self.table = opened.enter_context(closing(begin_table(game, setup, seats, seed, log, box)))
            self._open = opened.pop_all()
        people = [seat for seat, player in enumerate(self.players) if player is None]
        alone = len(people) == 1 and not self.table.box and bool(game.secrets(setup)[0])
        self.seat = people[0] if alone else None  # whose eyes the screen is for
        self._searcher = partial(advice.searcher, game, advisor)

    def _seated(self, seats: str, n: int) -> list[Any]:
        """Who takes each of n seats; None: a person does."""
        names = named(seats)
        if len(names) > n:
            raise ValueError(f"{len(names)} players are named for {n} seats: {seats}")
        choices = (HUMAN, *agents.names(self.game))
        if wrong := [name for name in names if ":" not in name and name not in choices]:
            raise ValueError(f"who plays is {wrong[0]!r}, choose from {', '.join(choices)}, ppo:PATH or module:Class")
        names += [names[-1]] * (n - len(names))
        return [None if name == HUMAN else agents.make(name, self.game, i) for i, name in enumerate(names)]

    @cached_property
    def advisor(self) -> Any:
        found = self._searcher()
        self._open.callback(found.close)
        return found

    def dismiss(self) -> None:
        """The advisor goes, if there is one; who asks again gets a new one."""
        if found := self.__dict__.pop("advisor", None):
            found.close()

    @property
    def s(self) -> Record:
        return self.table.state()

    @property
    def asked(self) -> int:
        return int(self.s["to_act"][0])

    def player(self) -> Any:
        """The agent that is asked, or None: a person is."""
        return None if self.asked < 0 else self.players[self.asked]

    def run(self) -> None:
        """Plays to the end, or until somebody quits."""
        with self._open:
            if self.goes_on:
                self.say(GOES_ON[self.lang].format(path=self.kept))
            self.look()
            if None in self.players:
                self.help()
            try:
                while self.asked != NOBODY or self.over():
                    player = self.player()
                    if player is not None:
                        self.agent(player)
                    elif not self.person():
                        break
            except (KeyboardInterrupt, EOFError):
                self.say("")
            if self.asked != NOBODY:
                self.say(self.game.question(self.s, self.lang, self.seat))
                if self.kept is None:
                    self.say(NOT_KEPT[self.lang])
            if self.kept is not None:
                self.say(str(self.kept))

    def agent(self, player: Any) -> None:
        """An agent's choice, told. It is handed what its seat may know."""
        state = shown(self.game, player, self.s, self.rng)
        state["manual_chance"] = 0
        action = int(answers(player, state, legal_mask(self.game, state)[None])[0])
        self.choose(action, player.name)

    def person(self) -> bool:
        """One answer of a person; False to quit."""
        s = self.s
        who, question = self.parts.who(self.asked, self.lang), self.game.question(s, self.lang, self.seat)
        self.headline(self.parts.stage(s, self.lang))
        self.say(f"\n{headed(who, question)}")
        options = self.options(s)
        self.menu(options, len(options) <= FEW or self.asked != CHANCE)
        while True:
            answer = self.out.input("> ").strip().lower()
            if answer == "q":
                return False
            if answer in ("u", "r"):
                return self.back(answer)
            if answer == "c" and self.asked == CHANCE:
                self.choose(None)
                return True
            if answer == "s":
                self.look()
            elif answer == "l":
                self.menu(options)
            elif answer == "a" and self.asked != CHANCE:
                self.advise()
            elif answer in ("h", "?"):
                self.help()
            else:
                fit = self.fitting(s, options, answer)
                if len(fit) == 1:
                    self.choose(fit[0])
                    return True
                if fit:
                    self.say(SEVERAL[self.lang])
                    self.menu({key: action for key, action in options.items() if action in fit})
                else:
                    every = ", ".join(options) if len(options) <= FEW else f"{next(iter(options))} ... {[*options][-1]}"
                    self.say(AGAIN[self.lang].format(all=every, commands=", ".join(self.commands())))

    def over(self) -> bool:
        """The end, which a person may take back: whether one did."""
        self.look()
        self.say(self.game.question(self.s, self.lang))
        if None not in self.players:
            return False
        self.say(ENDED[self.lang])
        return self.out.input("> ").strip().lower() == "u" and self.back("u")

    def commands(self) -> str:
        """What can be asked for now by a letter: advice where somebody chooses, the coach's draw where nobody does."""
        return COMMANDS.replace("a" if self.asked == CHANCE else "c", "")

    def options(self, s: Record) -> dict[str, int]:
        """What may be chosen, by what stands before it: a printed number, else a number, with the letter of its block
        where there are several blocks. What ends something comes last, with its letter alone."""
        legal = np.flatnonzero(legal_mask(self.game, s)).tolist()
        printed = [_printed(self.game.words(s, action, self.lang)) for action in legal]
        if s["to_act"][0] == CHANCE and all(printed) and len(set(printed)) == len(printed):
            return dict(zip(printed, legal, strict=True))
        blocks: dict[str, list[int]] = {}
        for action in legal:
            blocks.setdefault(self.game.group(action), []).append(action)
        last = blocks.pop(ENDING, [])
        found: dict[str, int] = {}
        for block, some in blocks.items():
            letter = self.letters[block] if len(blocks) > 1 else ""
            found |= {f"{letter}{number}": action for number, action in enumerate(some, 1)}
        letter = self.letters.get(ENDING, "")
        return found | {f"{letter}{number if number > 1 else ''}": action for number, action in enumerate(last, 1)}

    def fitting(self, s: Record, options: dict[str, int], answer: str) -> list[int]:
        """The choices that an answer may mean: what stands before one, or a part of its words in any language."""
        if answer.isdecimal():
            answer = str(int(answer))
        if answer in options:
            return [options[answer]]
        if answer.isdecimal() or (len(answer) < 2 and answer.isascii()):  # of 20, nobody means SAM-120
            return []
        said = {action: [self.game.words(s, action, lang).casefold() for lang in LANGUAGES]
                for action in options.values()}  # fmt: skip
        whole = [action for action, words in said.items() if answer.casefold() in words]
        return whole or [action for action, words in said.items() if any(answer.casefold() in one for one in words)]

    def menu(self, options: dict[str, int], listed: bool = True) -> None:
        """Choices, block by block."""
        if not listed:
            self.say(DRAWN[self.lang].format(n=len(options)))
            return
        block, s = "", self.s
        for key, action in options.items():
            if (group := self.game.group(action)) != block:
                block = group
                self.say(f"  {extra(self.game, 'groups').get(self.lang, {}).get(block, block)}")
            self.say(f"  {key:>4} {self.game.words(s, action, self.lang)}")

    def choose(self, action: int | None, who: str = "") -> None:
        """Makes a choice, tells what chance answered and what follows by itself, or, with the box, what to move; None:
        the coach draws."""
        s, head = self.s, self.table.head()
        clock = int(s[self.game.clock][0])
        self.table.do([action], who)
        way = self.table.way()
        nodes = way[[node.n for node in way].index(head) + 1 :]
        moves = list[str]()
        for node in nodes:
            seen = self.parts.sees(s, node.action, self.seat)
            said = self.game.words(s, node.action, self.lang, self.seat) if seen else ""
            line = f"{self.game.question(s, self.lang, self.seat)} {said}".rstrip()
            self.headline(self.parts.stage(s, self.lang))
            if who and node is nodes[0]:
                self.say(f"[{self.parts.who(node.actor, self.lang)}, {who}] {line}")
            elif seen and node.actor == CHANCE and not (self.table.box and node is nodes[0] and action is not None):
                self.say(f"  * {line}")
            if self.table.box:
                moves += [one.text for one in told(self.parts, s, node.action, self.lang)]
            else:
                self.happened(s, node, seen)
            enter(self.game, s, node.action)
        self.board(moves)
        if self.table.box and int(s[self.game.clock][0]) != clock:
            self.look()

    def happened(self, s: Record, node: Node, seen: bool) -> None:
        """What follows by itself; and where there are secrets, what the person sees of a choice that was made unseen,
        and what others show with one that was seen."""
        shows = self.seat is not None and node.actor != CHANCE
        for one in told(self.parts, s, node.action, self.lang, self.seat):
            shown = shows and any(change.source is None and change.target is not None for change in one.changes)
            if not (seen and one.own) or shown:
                self.headline(one.stage)
                self.say(f"  - {one.text}")

    def headline(self, stage: str) -> None:
        """What part of its round the game is in, where that is new; with the box the table tells it."""
        if stage != self.stage and not self.table.box:
            self.stage = stage
            self.say(f"-- {stage} --")

    def back(self, answer: str) -> bool:
        """Back to the last question that a person was asked, or on to the next."""
        move, none = (self.table.undo, FIRST) if answer == "u" else (self.table.redo, NEWEST)
        moved, moves = False, list[str]()
        while not moved or self.player() is not None:
            try:
                move()
            except ValueError:
                if not moved:
                    self.say(none[self.lang])
                break
            moved = True
            moves += [one.text for one in View(self.table, lang=self.lang).todo()] if self.table.box else []
        self.board(moves)
        return True

    def board(self, moves: list[str]) -> None:
        """What to move on the board, if anything."""
        if moves:
            self.say("\n".join([f"  {BOARD[self.lang]}", *(f"  - {move}" for move in moves)]))

    def advise(self) -> None:
        """What the search finds here, line by line and then in full, or why there is none; Ctrl-C ends it before."""
        found, pressed = None, list[int]()
        try:
            search = self.advisor
            answers = search.advise(self.s, self.seconds)
            with cancelled_by_ctrl_c(search.cancel) as pressed:
                for found in answers:
                    if found.plans and not pressed:
                        self.say(found.line(self.lang))
        except (ChildProcessError, RuntimeError) as error:  # its processes end where Ctrl-C comes while they begin
            self.dismiss()
            if not pressed:
                self.say(plain(error))
        except (ValueError, OSError) as error:
            self.say(plain(error))
        except KeyboardInterrupt:
            self.dismiss()
            pressed = pressed or [signal.SIGINT]
        if pressed:
            self.say("")  # below the ^C
        if found is not None:
            self.say(found.text(self.lang))

    def help(self) -> None:
        kept = KEPT[self.lang].format(path=self.kept) if self.kept else ""
        self.say(HELP[self.lang].format(log=kept))

    def look(self) -> None:
        """The table in words, with what wins; after the end nothing is secret."""
        seat = None if self.asked == NOBODY else self.seat
        goal, table = self.parts.goal(self.s, self.lang), self.game.describe(self.s, self.lang, seat)
        self.say("\n".join(filter(None, [goal, table])))

    def say(self, text: str) -> None:
        self.out.print(text, markup=False, highlight=False, soft_wrap=True)


def _printed(words: str) -> str:
    """The number that is printed on a card, which its words begin with: "16" of "SAM-016 Plague"."""
    found = re.match(r"[^\s:：]*?0*(\d+)(?=[\s:：]|$)", words)
    return found[1] if found else ""
