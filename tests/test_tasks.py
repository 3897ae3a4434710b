"""The benchmark: fixed tasks and seeds, results files that say who won which game, and their tables."""

import json
from dataclasses import replace
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

import sammu_env
from sammu_env import components
from sammu_env.components import Drawn, Eased, named
from sammu_env.constants import CHALLENGES, LETTERS
from sammu_env.tasks import BOX_SEEDS, BOXES, EASES, HELD_OUT, TASKS
from tabletop import agents, games
from tabletop.game import LOST, WON, new_state
from tabletop.stats import mean, paired_difference, wilson
from tabletop.training.evaluate import Cell, evaluate, play_chunk
from tabletop.training.markdown import rewrite
from tabletop.training.report import tables
from tabletop.training.results import Results, difference, load_all, pack, unpack
from tabletop.training.tasks import SPLITS, Score, Task, choose, find, game_of, made
from tests.tabletop.toy import Toy

GAME = sammu_env.load_game()
DOCS = Path(__file__).resolve().parents[1] / "docs"


def invented(task, agent, games=10, seed=0, rate=0.5, split="test"):
    """Results that nobody has played."""
    results = Results(GAME, TASKS[task], agent, split, games)
    rng = np.random.default_rng(seed)
    for cell in results.cells:
        states = new_state(GAME, games)
        states["result"] = np.where(rng.random(games) < rate, WON, LOST)
        states["cause"], states["decisions"], states["month"], states["players"] = 2, rng.integers(90, 200, games), 3, 1
        cell.add(GAME, states)
    return results


def test_splits_are_disjoint_and_fit_a_seed():
    seeds = list(SPLITS.values())
    assert [one.stop for one in seeds[:-1]] == [one.start for one in seeds[1:]]
    assert seeds[0].start == 0 and np.int64(seeds[-1].stop) * 1_000_003 > 0  # as the random agent seeds itself


def test_held_out_are_the_last_of_each_letter():
    last = {GAME.letter(card): card for card in CHALLENGES}
    assert sorted(last) == list(LETTERS)
    assert tuple(sorted(last.values())) == HELD_OUT
    task = TASKS["held-out"]
    trained, tested = ({cell["challenge"] for cell in cells} for cells in (task.train, task.test))
    assert tested == set(HELD_OUT) and trained == set(CHALLENGES) - tested


@pytest.mark.parametrize(
    ("name", "train", "test"),
    [("SAM-185", 5, 5), ("standard", 100, 100), ("held-out", 75, 25), ("hidden-hands", 4, 4), ("campaign", 5, 5)],
)
def test_cells_of_the_tasks(name, train, test):
    task = TASKS[name]
    assert len(task.cells(GAME, "test")) == test
    assert len(task.cells(GAME, "validation")) == len(task.cells(GAME, "train")) == train
    for cell in task.cells(GAME):
        assert GAME.seats(cell.setup) == cell.labels["players"]
        assert bool(cell.setup["hidden_hands"][0]) == (name == "hidden-hands")
        assert bool(cell.setup["campaign"][0]) == (name == "campaign")


def test_boxes_of_the_splits_are_disjoint():
    """None that is tested on is ever trained or validated on; and all are seeds of random boxes."""
    splits = list(BOX_SEEDS.values())
    assert [one.stop for one in splits[:-1]] == [one.start for one in splits[1:]]
    assert (splits[0].start, splits[-1].stop) == (0, 2**31)
    drawn = {split: {box.seed for box in TASKS["any-box"].boxes(GAME, split)} for split in SPLITS}
    assert {split: len(seeds) for split, seeds in drawn.items()} == BOXES
    assert all(seed in BOX_SEEDS[split] for split, seeds in drawn.items() for seed in seeds)


def test_the_ladder_is_played_on_eased_boxes():
    task = TASKS["ladder"]
    game = game_of(GAME, [task], "train")
    assert EASES[0] == 0 and list(game.editions) == [None, *map(Eased, EASES[1:])]
    for cell in task.cells(game, "train"):
        assert game.editions[cell.setup["box"][0]] == named(Eased(cell.labels["ease"]))


@pytest.mark.parametrize(("name", "value"), [("ease", "0.5"), ("ease", True), ("ease", 2), ("difficulty", -1)])
def test_numbers_of_boxes_are_checked_with_the_task(name, value):
    with pytest.raises(ValueError, match=rf"^{name} is {value!r}, expected a number from 0 to 1$"):
        made("mine", {"cells": {"challenge": "SAM-185", "players": 2, name: value}}, GAME)


def test_an_ease_of_0_is_the_standard_box():
    task = made("mine", {"cells": {"challenge": "SAM-185", "players": 2, "ease": [0, 0.5]}}, GAME)
    game = game_of(GAME, [task], "test")
    assert game.editions == (None, Eased(0.5)) and [int(cell.setup["box"][0]) for cell in task.cells(game)] == [0, 1]


CELLS = ({"challenge": "SAM-185", "players": 2},)


@pytest.mark.parametrize("edition", ["standard", "mine.toml", "novice", Path("mine.toml"), Drawn(3, 0.5)])
def test_a_task_is_played_on_the_edition_that_it_names(edition, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("[components]\nstart_goods = 5\n")
    game = game_of(sammu_env.load_game("expert"), [task := Task("mine", CELLS, CELLS, edition=edition)], "test")
    (cell,) = task.cells(game)
    played, first = game.box[cell.setup["box"][0]], game.box[0]
    assert played == components.load(edition).box[0] != first


def test_results_hold_the_file_of_an_edition_as_it_was_named(tmp_path, monkeypatch):
    """So they can be read in another folder."""
    task = Task("mine", CELLS, CELLS, edition=Path("mine.toml"))
    for folder in (tmp_path / "here", tmp_path / "there"):
        folder.mkdir()
        monkeypatch.chdir(folder)
        Path("mine.toml").write_text("[components]\nstart_goods = 5\n")
        results = Results(game_of(GAME, [task], "test"), task, "random", games=1)
        if folder.name == "here":
            evaluate(results.game, "random", results.cells, 1, int(results.seeds[0]))
            results.save(tmp_path)
        else:
            assert Results.load(tmp_path / "mine-random.json", GAME).task.edition == "mine.toml"


def test_results_refuse_an_edition_that_they_cannot_name():
    task = Task("mine", CELLS, CELLS, edition=Drawn(3, 0.5))
    with pytest.raises(ValueError, match=r"task mine: edition is Drawn.*, which a results file cannot name: give"):
        Results(game_of(GAME, [task], "test"), task, "random", games=1)


@pytest.mark.parametrize("labels", [{}, {"difficulty": 0.5, "ease": 0.5}])
def test_boxes_are_random_or_eased(labels):
    with pytest.raises(ValueError, match="difficulty is of random boxes, ease of the standard one: give one of them"):
        GAME.boxes_of("train", **labels)


def test_any_box_is_played_on_boxes_in_turn(monkeypatch):
    monkeypatch.setitem(BOXES, "test", 3)
    task = Task("two", (), ({"challenge": "SAM-183", "players": 2, "difficulty": 0.5},))
    game = game_of(GAME, [task], "test")
    assert game.editions == (None, *task.boxes(GAME, "test")) and len(game.box) == 4
    (cell,) = task.cells(game)
    assert evaluate(game, "random", [cell], 7, SPLITS["test"].start)
    seeds = SPLITS["test"].start + np.arange(7)
    finished = play_chunk(game, agents.make("random", game), cell.setups(0, 7), seeds)
    assert finished["box"].tolist() == [1, 2, 3, 1, 2, 3, 1]
    assert cell.outcomes.tolist() == (finished["result"] == WON).tolist()
    alone = sammu_env.game.load(task.boxes(GAME, "test")[1])
    again = play_chunk(alone, agents.make("random", alone), alone.configure("SAM-183", 2), seeds[1:2])
    assert again["trace"][0].tolist() == finished["trace"][1].tolist()
    with pytest.raises(ValueError, match="task two is played on boxes that the game was not loaded with, such as"):
        task.cells(GAME)


@pytest.mark.parametrize(
    ("name", "boxes", "told"),
    [
        *(("pergamemnon", boxes, "expected how many random boxes, a whole number from 1 to")
          for boxes in (0, -1, True, 2.5, "random")),
        *(("xerxes", boxes, "choose 'random'") for boxes in (0, 3, True, "all")),
    ],
)  # fmt: skip
def test_a_label_of_boxes_is_checked(name, boxes, told):
    with pytest.raises(ValueError, match=f"boxes is {boxes!r}, {told}"):
        made("mine", {"cells": {"players": 2, "boxes": boxes}}, games.load(name))


def test_an_edition_that_no_cell_is_played_on_is_refused():
    drawn, plain = {"players": 2, "difficulty": 0.3}, {"players": 3}
    assert made("mine", {"cells": [drawn, plain], "edition": "novice"}, GAME).edition == "novice"
    for edition in ("novice", "standard"):
        with pytest.raises(ValueError, match=f"edition is '{edition}', but no cell is played on it, .* difficulty"):
            made("mine", {"cells": drawn, "edition": edition}, GAME)


def test_a_label_of_boxes_is_no_option():
    with pytest.raises(ValueError, match="difficulty is among the options, but names boxes: write it into the cells"):
        made("mine", {"cells": {"players": 2}, "options": {"difficulty": 0.3}}, GAME)


def test_bad_names_name_the_choices():
    with pytest.raises(ValueError, match=r"split is 'exam', choose one of train, validation, test"):
        TASKS["standard"].cells(GAME, "exam")
    with pytest.raises(ValueError, match="held-out, any-box, ladder, hidden-hands, campaign"):
        choose("task", "solo", TASKS)


@pytest.mark.parametrize("games", [1, 8, 13])
def test_outcomes_survive_packing(games):
    outcomes = np.random.default_rng(games).random(games) < 0.5
    assert np.array_equal(unpack(pack(outcomes), games), outcomes)
    for wrong in (pack(outcomes) + "00", "zz", "01" if games == 1 else ""):
        with pytest.raises(ValueError):
            unpack(wrong, games)


def test_first_game_is_the_highest_bit():
    assert pack(np.array([True, False, False, False, False, False, False, False, True])) == "8080"


@pytest.mark.parametrize("task", ["SAM-185", "campaign"])
def test_played_results_load_as_they_were_saved(tmp_path, task):
    results = Results(GAME, TASKS[task], "random", games=3)
    assert evaluate(GAME, "random", results.cells, results.games, int(results.seeds[0]))
    path = results.save(tmp_path)
    assert path.name == f"{task}-random.json"
    assert len(path.read_text().splitlines()) == 10 + 5 + 2
    (again,) = load_all(tmp_path, GAME)
    assert [cell.row(GAME) for cell in again.cells] == [cell.row(GAME) for cell in results.cells]
    assert all(("mean_score" in cell.row(GAME)) == (task == "campaign") for cell in again.cells)
    assert again.save(tmp_path / "copy").read_bytes() == path.read_bytes()
    assert [cell.seconds for cell in again.cells] == [round(cell.seconds, 6) for cell in results.cells]
    each = f"{sum(cell.sums['decisions'] for cell in again.cells) / sum(cell.seconds for cell in again.cells):,.0f}"
    assert f"| {task} | random | 3 | 0 | {each} | " in tables([again])
    row = {**json.loads(path.read_text())["cells"][0], "seconds": -1.0}
    path.write_text(json.dumps({**json.loads(path.read_text()), "cells": [row]}))
    with pytest.raises(ValueError, match=r"the seconds of .* are -1\.0, expected a number from 0 on"):
        Results.load(path, GAME)


def test_only_complete_cells_are_kept_and_resumed(tmp_path):
    results = invented("SAM-185", "mine")
    results.cells[2] = Cell(results.cells[2].labels, results.cells[2].setup, won={0: np.ones(4, bool)})
    results.save(tmp_path)
    again = Results(GAME, TASKS["SAM-185"], "mine", games=10)
    again.resume(tmp_path)
    assert [cell.labels["players"] for cell in again.missing] == [3]
    assert again.missing[0].games == 0
    with pytest.raises(ValueError, match="1 of 5 cells are missing"):
        tables([again])
    with pytest.raises(ValueError, match="10 test games in each cell, not 20 test games"):
        Results(GAME, TASKS["SAM-185"], "mine", games=20).resume(tmp_path)


def test_two_processes_may_save_at_the_same_instant(tmp_path, monkeypatch):
    """The second waits until the first is done, and keeps what that has played."""
    ours, theirs, replaced, waiting = invented("SAM-185", "mine"), invented("SAM-185", "mine"), Path.replace, []
    every = [cell.row(GAME) for cell in ours.cells]
    ours.cells[0], theirs.cells[1] = (Cell(ours.cells[i].labels, ours.cells[i].setup) for i in (0, 1))

    def late(draft, path):
        monkeypatch.setattr(Path, "replace", replaced)
        waiting.append(Thread(target=theirs.save, args=(tmp_path,)))
        waiting[0].start()
        waiting[0].join(0.3)
        return draft.replace(path)

    monkeypatch.setattr(Path, "replace", late)
    path = ours.save(tmp_path)
    waiting[0].join()
    assert [cell.row(GAME) for cell in Results.load(path, GAME).cells] == every
    assert [file.name for file in tmp_path.iterdir()] == ["SAM-185-mine.json"]


def test_two_processes_that_share_a_table_keep_what_each_has_played(tmp_path):
    ours, theirs = (invented("SAM-185", "mine") for _ in range(2))
    all_cells = [cell.row(GAME) for cell in ours.cells]
    for one, missing in ((ours, range(3)), (theirs, range(2, 5))):
        for i in missing:
            one.cells[i] = Cell(one.cells[i].labels, one.cells[i].setup)
    ours.save(tmp_path)
    found = Results.load(theirs.save(tmp_path), GAME)
    assert [cell.labels["players"] for cell in found.missing] == [3]
    assert [cell.row(GAME) for cell in found.cells if cell.games] == [all_cells[i] for i in (0, 1, 3, 4)]
    one = Results(GAME, TASKS["SAM-185"], "other", games=4)
    for cell in one.missing:  # as it is played, cell after cell
        evaluate(GAME, "random", [cell], one.games, int(one.seeds[0]))
        one.save(tmp_path)
    assert not one.missing and not Results.load(one.path(tmp_path), GAME).missing
    other = Results(GAME, TASKS["SAM-185"], "mine", games=20)
    with pytest.raises(ValueError, match="10 test games in each cell, not 20 test games"):
        other.save(tmp_path)
    assert Results.load(other.path(tmp_path), GAME).games == 10


def test_scores_of_campaigns_are_kept_but_not_asked_of_older_files(tmp_path):
    results = Results(GAME, TASKS["campaign"], "random", games=5)
    evaluate(GAME, "random", results.cells, results.games, int(results.seeds[0]))
    path = results.save(tmp_path)
    data = json.loads(path.read_text())
    (again,) = load_all(tmp_path, GAME)
    for cell, row in zip(again.cells, data["cells"], strict=True):
        finished = play_chunk(GAME, agents.make("random", GAME), cell.setup, results.seeds)
        assert row["scores"] == cell.each("score").tolist() == finished["score"].sum(axis=1).tolist()
        assert row["mean_score"] == pytest.approx(np.mean(row["scores"]))
    data["cells"][0]["scores"][2] += 1
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"the scores of .* do not add up"):
        Results.load(path, GAME)
    for row in data["cells"]:
        del row["scores"]
    path.write_text(json.dumps(data))
    older = Results.load(path, GAME)
    assert older.cells[0].each("score").shape == (0,)
    assert [cell.row(GAME) for cell in older.cells] == [cell.row(GAME) for cell in results.cells]
    assert "scores" not in older.save(tmp_path).read_text()


@pytest.mark.parametrize(("game", "field", "told"), [
    ("xerxes", "second", "results hold something else as seconds"),
    ("xerxes", "paid", "choose fields of a state that are whole numbers"),
    ("sammu_ramat", "months", "results hold something else as mean_months"),
])  # fmt: skip
def test_fields_that_a_file_cannot_hold_are_refused_before_a_game(game, field, told):
    game = games.load(game)
    with pytest.raises(ValueError, match=f"also names '{field}', .*{told}"):
        Results(game, Task("mine", ({"players": 2},), ({"players": 2},), also=(field,)), "random")


def test_agents_of_one_name_are_told_apart_by_their_samples(tmp_path):
    results = invented("SAM-185", "mine")
    results.save(tmp_path)
    results.samples = 1_000_000
    with pytest.raises(ValueError, match="trained on 0 decisions, not 1,000,000: choose another folder"):
        results.resume(tmp_path)


def test_results_of_another_task_or_agent_of_that_name_are_left_alone(tmp_path):
    mine, other = (made("mine", {"cells": {"players": players}}, GAME) for players in (2, 3))
    results = Results(GAME, mine, "first", games=1)
    results.cells[0].add(GAME, new_state(GAME, 1))
    results.save(tmp_path)
    with pytest.raises(ValueError, match=r"mine-first\.json is of another task that is called mine, too: choose"):
        Results(GAME, other, "first", games=1).resume(tmp_path)
    Results(GAME, mine, "first", games=1).resume(tmp_path)
    (tmp_path / "mine-first.json").rename(tmp_path / "mine-second.json")
    with pytest.raises(ValueError, match=r"mine-second\.json is by first, not by second: choose another folder"):
        Results(GAME, mine, "second", games=1).resume(tmp_path)


#: Tasks that Python defines, with what no file says; and one that is called as one of the game's.
TWO = ({"players": 2},)
LISTED = Task("listed", list(TWO), list(TWO), options={"challenge": "SAM-185"})
SCORED = Task("scored", TWO, TWO, options={"campaign": True}, score=Score("score", "score"))
UNTOLD = Task("untold", TWO, TWO, options={"challenge": "SAM-185"}, forecasts=False)
TAKEN = Task("standard", TWO, TWO, options={"challenge": "SAM-185"})


@pytest.mark.parametrize("task", [LISTED, SCORED, UNTOLD], ids=lambda task: task.name)
def test_results_of_a_task_in_python_are_resumed(tmp_path, task):
    results = Results(GAME, task, "random", games=2)
    evaluate(GAME, "random", results.cells, results.games, int(results.seeds[0]))
    results.save(tmp_path)
    again = Results(GAME, task, "random", games=2)
    again.resume(tmp_path)
    assert again.missing == [] and again.task == task
    assert [cell.row(GAME) for cell in again.cells] == [cell.row(GAME) for cell in results.cells]
    assert [results.task.name for results in load_all(tmp_path, GAME)] == [task.name]
    with pytest.raises(ValueError, match="is of another task"):
        Results(GAME, replace(task, options={"challenge": "SAM-180"}), "random", games=2).resume(tmp_path)


def test_a_task_in_python_has_a_name_of_its_own():
    assert find(GAME, "tests.test_tasks:SCORED").name == "scored"
    with pytest.raises(ValueError, match="is called standard, but sammu_ramat has a task of that name"):
        find(GAME, "tests.test_tasks:TAKEN")


def test_tables_hold_each_task_and_agent_once():
    mine, other = (made("mine", {"cells": {"players": players}}, GAME) for players in (2, 3))
    every = [Results(GAME, task, agent, games=1) for task, agent in ((mine, "a"), (other, "b"), (mine, "a"))]
    for results in every:
        results.cells[0].add(GAME, new_state(GAME, 1))
    with pytest.raises(ValueError, match="results of different tasks that are called mine"):
        tables(every[:2])
    with pytest.raises(ValueError, match="results of mine by a twice"):
        tables([every[0], every[2]])


@pytest.mark.parametrize("name", ["", "ppo:runs/x/best", "../mine", ".mine", "a b", 5])
def test_an_agent_is_called_by_what_can_be_a_file(name):
    with pytest.raises(ValueError, match="agent is called"):
        Results(GAME, TASKS["SAM-185"], name)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": -1}, "it is of version -1, this is version"),
        ({"edition": "mine"}, "it is of edition mine"),
        ({"game": "chess"}, "it is of game chess"),
        ({"task": "solo"}, "task is 'solo'"),
        ({"split": "exam"}, "split is 'exam'"),
        ({"games": 11}, "not those of 11 games"),
        ({"games": 0, "cells": []}, "games are 0, expected a whole number from 1 on"),
        ({"games": True}, "games are True"),
        ({"samples": "many"}, "samples are 'many', expected a whole number from 0 on"),
        ({"definition": {"cells": {"players": 2}}}, "it defines a task SAM-185, but sammu_ramat has one of that name"),
        (
            {"cells": [{"challenge": "SAM-185", "players": 9}]},
            "json: SAM-185 has no cell challenge SAM-185, players 9$",
        ),
        ({"cells": [{"challenge": [1]}]}, r"json: SAM-185 has no cell challenge \[1\]$"),
        ({"cells": [{"challenge": "SAM-185", "players": 2}]}, "json: cell challenge SAM-185, players 2 lacks wins$"),
        ({"cells": [3]}, "json: a cell holds no names with values$"),
        ({"cells": None}, "json: cells of the file is None, expected a list$"),
        ({"split": ["test"]}, r"json: split of the file is \['test'\], expected a word$"),
    ],
)
def test_wrong_files_are_refused(tmp_path, change, said):
    path = invented("SAM-185", "mine", games=8).save(tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=said):
        Results.load(path, GAME)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"won": None}, "won of cell .* is None, expected a word"),
        ({"won": "xy"}, "outcomes are 'xy', expected hexadecimal digits"),
        ({"causes": 3}, "causes of cell .* is 3, expected names with numbers"),
        ({"mean_months": "many"}, "mean_months of cell .* is 'many', expected a number"),
        ({"won_months": [3]}, "is not a results file: a value in it is of another kind than in one"),
        ({"causes": {"no supply": -3, "no gate left": 11}}, "the causes of .* hold -3, expected numbers of games"),
        ({"causes": {"no supply": 8.0}}, "the causes of .* hold 8.0, expected numbers of games"),
        ({"causes": {"no supply": True}}, "the causes of .* hold True, expected numbers of games"),
        ({"mean_months": -5}, "mean_months of .* is -5, expected a number from 0 to 32767"),
        ({"mean_months": 1e300}, r"mean_months of .* is 1e\+300, expected a number from 0 to 32767"),
        ({"mean_months": True}, "mean_months of .* is True, expected a number"),
        ({"mean_months": float("nan")}, "mean_months of .* is nan, expected a number"),
        ({"mean_decisions": 10**400}, "mean_decisions of .* is 10+, expected a number from 0 to"),
        ({"seconds": "x"}, "the seconds of .* are 'x', expected a number from 0 on"),
        ({"seconds": -1}, "the seconds of .* are -1, expected a number from 0 on"),
        (
            {"wins": 2, "won": "c0", "causes": {"no supply": 6}, "won_months": {"-3": 2}},
            "the won_months .* do not add up",
        ),
        (
            {"wins": 2, "won": "c0", "causes": {"no supply": 6}, "won_months": {"99": 2}},
            "the won_months .* do not add up",
        ),
        (
            {"wins": 2, "won": "c0", "causes": {"no supply": 6}, "won_months": {"3": 1.5, "2": 0.5}},
            "the won_months of .* hold 1.5, expected numbers of games",
        ),
    ],
)
def test_wrong_cells_are_refused_in_words(tmp_path, change, said):
    path = invented("SAM-185", "mine", games=8).save(tmp_path)
    data = json.loads(path.read_text())
    data["cells"][0] |= change
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=rf"{path.name}:? {said}"):
        Results.load(path, GAME)
    for text, said in (
        ("[1]", "the file holds no names with values"),
        ("{}", "the file lacks game"),
        ("{", "it is not JSON"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=f"{path.name}: {said}"):
            Results.load(path, GAME)
    path.write_bytes(b"\xff")
    with pytest.raises(ValueError, match=f"{path.name} is no text in UTF-8"):
        Results.load(path, GAME)


def test_damaged_files_are_refused(tmp_path):
    path = invented("SAM-185", "mine", games=8).save(tmp_path)
    text = path.read_text()
    cells = json.loads(text)["cells"]
    twice, aliens = [*cells, cells[0]], [{**cells[0], "causes": {"aliens": 8 - cells[0]["wins"]}}]
    infinite = [{**cells[0], "mean_months": float("inf")}]
    of_cells = [json.dumps({**json.loads(text), "cells": rows}) for rows in (twice, aliens, infinite)]
    for wrong in (text.replace('"wins": ', '"wins": 1'), text[:300], "[]", "[" * 10**5, *of_cells):
        path.write_text(wrong)
        with pytest.raises(ValueError, match=path.name):
            Results.load(path, GAME)
    with pytest.raises(ValueError, match="no results files"):
        load_all(tmp_path / "nothing", GAME)


def test_part_of_all_is_the_single_task():
    everything = invented("standard", "mine")
    part = everything.part(TASKS["SAM-190"])
    assert [cell.labels["challenge"] for cell in part.cells] == ["SAM-190"] * 5
    assert part.cells[0] in everything.cells
    assert everything.part(TASKS["campaign"]) is None
    assert part.part(TASKS["standard"]) is None
    without_scores = Results(GAME, replace(TASKS["campaign"], name="mine", score=None), "mine", games=1)
    assert without_scores.part(TASKS["campaign"]) is None  # it would have a mean score of 0


def test_differences_are_of_the_same_games():
    ours, theirs = invented("SAM-185", "ours", seed=1), invented("SAM-185", "theirs", seed=2)
    rate, low, high = ours.less(theirs)
    assert rate == pytest.approx(np.mean([a.wins - b.wins for a, b in zip(ours.cells, theirs.cells, strict=True)]) / 10)
    assert low < rate < high
    with pytest.raises(ValueError, match="not played the same games"):
        ours.less(invented("SAM-186", "theirs"))


def test_games_that_only_one_has_played_do_not_count():
    ours, few = invented("SAM-185", "ours", seed=1), Results(GAME, TASKS["SAM-185"], "few", games=4)
    for cell, whole in zip(few.cells, ours.cells, strict=True):
        cell.won = {0: ~whole.outcomes[:4]}
    rate = np.mean([2 * cell.outcomes[:4].mean() - 1 for cell in ours.cells])
    assert ours.less(few).rate == pytest.approx(rate) and few.less(ours).rate == pytest.approx(-rate)


def won_alike(agent, won, task=TASKS["SAM-185"]):
    """Results of which every cell has the same outcomes."""
    found = Results(GAME, task, agent, games=len(won))
    for cell in found.cells:
        cell.won = {0: np.array(won, bool)}
    return found


def test_differences_over_all_are_as_sure_as_seeds_let_them():
    third = np.arange(40) % 3 == 0
    ours, theirs = won_alike("ours", third), won_alike("theirs", [0] * 40)  # a seed is won in all cells, or none
    assert ours.less(theirs) == pytest.approx(mean(third.astype(float)))


def test_a_difference_is_never_certain_and_no_more_than_all():
    every, none, most = won_alike("every", [1] * 40), won_alike("none", [0] * 40), won_alike("most", [0] + [1] * 39)
    certain = none.less(won_alike("others", [0] * 40))
    assert certain.low < certain.rate == 0 < certain.high
    assert every.less(none).low < every.less(none).rate == every.less(none).high == 1
    assert most.less(none).high == 1 and none.less(most).low == -1


def test_boxes_weigh_as_many_as_their_games_in_a_difference():
    """Half of the boxes have two games."""
    boxes = np.arange(150) % 100
    ours, theirs = (Cell({}, GAME.configure().repeat(100), won={0: won}) for won in (boxes < 50, boxes >= 50))
    apart = np.repeat([1.0, -1.0], 50)
    assert difference([ours], [theirs], 150) == pytest.approx(mean(apart, np.repeat([2, 1], 50)))
    assert difference([ours], [theirs], 150).rate == pytest.approx(1 / 3)
    assert difference([ours, ours], [theirs, theirs], 100) == mean(apart)


def test_the_difference_of_few_games_is_that_of_all():
    """One game in each of five cells: cell by cell four wins would leave no more than 8 points above."""
    ours, theirs = won_alike("ours", [1]), won_alike("theirs", [0])
    ours.cells[0].won = {0: np.array([False])}
    expected = paired_difference(np.arange(5) > 0, np.zeros(5, bool))
    assert ours.less(theirs) == expected and expected.high > 0.95


def test_the_difference_in_one_cell_is_that_of_its_games():
    """Games of one cell have nothing in common, so there are no seeds to go by."""
    task = made("one", {"cells": {"challenge": "SAM-185", "players": 2}}, GAME)
    ours, theirs = won_alike("ours", [0] + [1] * 19, task), won_alike("theirs", [1] + [0] * 19, task)
    expected = paired_difference(ours.cells[0].outcomes, theirs.cells[0].outcomes)
    assert ours.less(theirs) == pytest.approx(expected)


def test_tables():
    found = [invented("standard", "random", rate=0), invented("standard", "scripted", rate=1),
             invented("campaign", "scripted"), invented("SAM-185", "mine", seed=3),
             invented("standard", "trained")]  # fmt: skip
    text = tables(found)
    lines = text.splitlines()
    named = [line.split(" | ")[:2] for line in lines if line.startswith("| ")]
    assert named[2:11] == [
        ["| SAM-185", "scripted"], ["| SAM-185", "random"], ["| SAM-185", "mine"], ["| standard", "scripted"],
        ["| standard", "random"], ["| standard", "trained"], ["| held-out", "scripted"], ["| held-out", "random"],
        ["| campaign", "scripted"],
    ]  # fmt: skip
    assert "| standard | random | 10 | 0 | - | 0.0 (0.0-0.4) | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | -100.0 (" in text
    assert "| SAM-198 | 100.0 / 0.0 |" in text
    assert "Mean score of a campaign: scripted 0.0." in text
    assert "of a cell reaches at most 31.0 points" in text and 0.31 > wilson(3, 10).high - 0.3 > 0.3
    assert "| SAM-186 | mine | 9 | 0 | - | " in tables([*found, invented("SAM-186", "mine", games=9)])
    with pytest.raises(ValueError, match="results of test and validation games: one split at a time"):
        tables([*found, invented("SAM-186", "mine", split="validation")])


def test_cells_without_the_label_of_the_rows_are_in_none_of_them():
    game, labels = Toy(), ({"goal": 9, "players": 2}, {"goal": 12, "players": 2}, {"players": 3})
    results = Results(game, Task("ragged", labels, labels), "random", games=4)
    evaluate(game, "random", results.cells, 4, int(results.seeds[0]))
    rows = [line.split(" | ")[0] for line in tables([results]).splitlines() if line.startswith("| ")]
    assert rows[-4:] == ["| goal", "| ---", "| 9", "| 12"]


@pytest.fixture(scope="module")
def published():
    """Of the box and the rules as they are; what is published of former ones says so itself."""
    try:
        return load_all(DOCS / "benchmark", GAME)
    except ValueError as error:
        if "it is of version" in str(error) or "it is of edition" in str(error):
            pytest.skip(str(error))
        raise


def test_page_holds_the_tables_of_the_published_results(published):
    page = (DOCS / "benchmark.md").read_text(encoding="utf-8")
    assert rewrite(page, tables(published)) == page


@pytest.mark.parametrize(("agent", "challenge", "players", "games", "others"), [
    ("scripted", "SAM-192", 5, 16, 0),
    pytest.param("ppo", "SAM-187", 2, 24, 4, marks=pytest.mark.slow),  # other processors round differently
])  # fmt: skip
def test_published_games_end_the_same_when_played_again(published, agent, challenge, players, games, others):
    (results,) = (one for one in published if (one.task.name, one.agent) == ("standard", agent))
    cell = next(cell for cell in results.cells if cell.labels == {"challenge": challenge, "players": players})
    kept = cell.outcomes[:games]
    again = play_chunk(GAME, agents.make(agent, GAME), cell.setup, results.seeds[:games])
    assert np.sum((again["result"] == WON) != kept) <= others and 0 < kept.sum() < games
