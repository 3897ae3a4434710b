"""Every game keeps what it has read of an edition file for as long as the file says the same."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

from tabletop import games
from tabletop.boxes import kept
from tabletop.editions import EditionError

#: Of each game a file, and another one that says something else.
FILES = {
    "pergamemnon": ("[Rome]\nCaesar = { attack = 9 }", "[Rome]\nCaesar = { attack = 10 }"),
    "sammu-ramat": ("[components.players.3]\npublic = 2", "[components.players.3]\npublic = 3"),
    "xerxes": ("[building.temple]\nloss = 1", "[building.temple]\nloss = 2"),
}


@pytest.mark.parametrize("name", games.names())
def test_a_changed_file_is_another_box(name: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    first, second = FILES[name]
    mine.write_text(first)
    before = games.load(name, edition=mine)
    assert games.load(name, edition=mine) is before is pickle.loads(pickle.dumps(before))
    mine.write_text(second)
    after = games.load(name, edition=mine)
    assert after.edition != before.edition and after.box.tobytes() != before.box.tobytes()
    assert games.load(name, edition=mine) is after
    mine.write_text(first)
    assert games.load(name, edition=mine).edition == before.edition
    mine.unlink()
    with pytest.raises((ValueError, OSError), match=r"mine\.toml"):
        games.load(name, edition=mine)


@pytest.mark.parametrize("name", games.names())
def test_copies_and_pickles_are_of_the_same_box(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine.toml"
    first, second = FILES[name]
    mine.write_text(first)
    monkeypatch.chdir(tmp_path)
    game: Any = games.load(name, edition="mine.toml")
    kept_as, hands = pickle.dumps(game), {"game": game}
    monkeypatch.chdir("/")
    assert pickle.loads(kept_as) is game is games.load(name, edition=mine)
    mine.write_text(second)
    with pytest.raises(ValueError, match=rf"pickled with edition {game.edition}, .*mine\.toml"):
        pickle.loads(kept_as)
    assert copy.deepcopy(hands)["game"] is game
    mine.unlink()
    with pytest.raises((ValueError, OSError), match=r"mine\.toml"):
        pickle.loads(kept_as)
    assert copy.deepcopy(hands)["game"] is game


@pytest.mark.parametrize("name", games.names())
def test_a_file_with_a_byte_order_mark_is_taken_back(name: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("\ufeff" + FILES[name][0], encoding="utf-8")
    game: Any = games.load(name, edition=mine)
    assert game.edition_text() == FILES[name][0]
    assert game.take_edition(game.edition_text()).edition == game.edition
    assert game.take_edition("\ufeff" + FILES[name][1]).edition != game.edition


@pytest.mark.parametrize("name", games.names())
def test_a_path_of_no_file_is_named(name: str, tmp_path: Path) -> None:
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    long = "x" * 300
    for edition, problem in (
        (loop, r"loop\.toml: cannot be read: "), (f"{long}.toml", rf"{long}\.toml: cannot be read: "),
        (long, f"edition is '{long}', choose .*or a TOML file"), (f"{long}/mine", r"/mine', choose .*or a TOML file"),
        ("a\0b.toml", r"edition is 'a\\x00b\.toml', which is no path of a file: "),
        ("\ud800.toml", r"edition is '\\ud800\.toml', which is no path of a file: "),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=problem) as wrong:
            games.load(name, edition=edition)
        assert name != "sammu-ramat" or isinstance(wrong.value, EditionError)


def test_what_is_made_of_several_files_is_kept_until_one_changes(tmp_path: Path) -> None:
    made = []

    @kept(2)
    def read(editions: tuple[str | None, ...]) -> list[str]:
        made.append(editions)
        return [Path(one).read_text() if one else "" for one in editions]

    one, two = (str(tmp_path / name) for name in ("one.toml", "two.toml"))
    Path(one).write_text("1")
    Path(two).write_text("2")
    assert read((one, None, two)) == ["1", "", "2"] and read((one, None, two)) is read((one, None, two))
    Path(two).write_text("3")
    assert read((one, None, two)) == ["1", "", "3"] and len(made) == 2
