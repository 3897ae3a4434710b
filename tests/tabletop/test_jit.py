import gc
import json
import os
import signal
import subprocess
import sys
import types
from pathlib import Path

import pytest

import sammu_env.agents.scripted
import sammu_env.engine
from tabletop import cache, jit

ROOT = Path(__file__).resolve().parents[2]
GAMES = """
import json, numpy as np
from tabletop import jit, record
from tabletop.batch import play_random
from tests.tabletop.toy import Toy
game = Toy()
states = play_random(game, np.repeat(game.configure(3), 40), np.arange(40))
print(json.dumps([jit.DISABLED, [record.to_dict(states[i:i + 1]) for i in range(40)]]))
"""


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


def test_uncompiled_plays_the_same_games(tmp_path):
    compiled = json.loads(run(GAMES, NUMBA_DISABLE_JIT="0").stdout)
    plain = json.loads(run(GAMES, NUMBA_DISABLE_JIT="1").stdout)
    assert (compiled[0], plain[0]) == (False, True)
    assert compiled[1] == plain[1]


def test_cache_folder_can_be_chosen_and_is_filled(tmp_path):
    chosen = {"TABLETOP_CACHE": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    first = run(GAMES, **chosen)
    folder = tmp_path / "tabletop"
    stored = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}
    assert any(path.name.startswith("toy.apply") for path in stored)
    assert "Compiling" in first.stderr
    second = run(GAMES, **chosen)
    assert "Compiling" not in second.stderr
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")} == stored
    assert second.stdout == first.stdout


BITS = """
from tabletop.jit import entry, lowest
@entry
def places(bits: int) -> int:
    found = 0
    while bits:
        found = 64 * found + lowest(bits)
        bits &= bits - 1
    return found
print([places(bits) for bits in (1, 6, 1 << 62, (1 << 25) + (1 << 7) + 1, 0)])
"""


@pytest.mark.parametrize("disabled", "01")
def test_lowest_bits_one_after_the_other(disabled, tmp_path):
    (tmp_path / "bits.py").write_text(BITS)
    done = run("import bits", NUMBA_DISABLE_JIT=disabled, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert json.loads(done.stdout) == [0, 64 + 2, 62, 64 * 7 + 25, 0]


PLAY = "from play import play; print(play(1))"
PLACES = ["default", "TABLETOP_CACHE", "NUMBA_CACHE_DIR", "unwritable"]


def write(folder, package, module, body):
    (folder / package).mkdir(exist_ok=True)
    (folder / package / "__init__.py").touch()
    (folder / package / f"{module}.py").write_text("from tabletop.jit import entry, kernel\n" + body)


@pytest.fixture
def two_packages(tmp_path):
    """An entry point of a package ``play``, which calls a kernel of a package ``rules`` by another one of its own."""
    rule = "@kernel\ndef {}(n):\n    return {}\n"
    write(tmp_path, "rules", "one", rule.format("one", "n + 1"))
    write(tmp_path, "play", "two", "from rules.one import one\n" + rule.format("two", "10 * one(n)"))
    write(tmp_path, "play", "__init__", "from play.two import two\n@entry\ndef play(n):\n    return two(n)\n")
    return tmp_path


def places(home, place):
    """The environment variables of a cache in this place; in its home nothing else is."""
    folder = home / "cache"
    chosen = {"HOME": str(home), "PYTHONPATH": f"{ROOT}{os.pathsep}{home}", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("TABLETOP_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        chosen[name] = str(folder) if name == place else ""
    if place == "unwritable":
        folder.touch()  # a file where the folder would be: not even root can write into it
        chosen["TABLETOP_CACHE"] = str(folder)
    return chosen


def kept(home):
    return [path for path in home.rglob("*.nbc") if path.name.startswith("__init__.play")]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("package", "module"), [("rules", "one"), ("play", "two")])
def test_an_edited_rule_is_played_at_once(two_packages, place, package, module):
    chosen = {**places(two_packages, place), "NUMBA_DISABLE_JIT": "0"}
    assert run(PLAY, **chosen).stdout == "20\n"
    source = two_packages / package / f"{module}.py"
    before = source.read_text()
    source.write_text(before.replace("n + 1", "n + 4").replace("10 *", "100 *"))
    assert run(PLAY, **chosen).stdout == {"rules": "50\n", "play": "200\n"}[package]
    assert len(kept(two_packages)) == (0 if place == "unwritable" else 2)
    source.write_text(before)
    assert run(PLAY, **chosen).stdout == "20\n"
    assert len(kept(two_packages)) == (0 if place == "unwritable" else 2)


@pytest.mark.parametrize(
    ("names", "one"),
    [
        ("from house.room import one", "one"),
        ("from house import room", "room.one"),
        ("from house import (\n    room,\n)", "room.one"),
    ],
)
def test_a_linked_package_is_one_of_its_own(tmp_path, names, one):
    """An edited rule in it is played at once; where it is not imported, nothing is compiled anew."""
    rule = "@kernel\ndef {}(n):\n    return {}\n"
    write(tmp_path, "house", "plan", rule.format("plan", "n"))
    for room in ("room", "attic"):
        write(tmp_path, room, "__init__", rule.format("one", "n + 1"))
        (tmp_path / "house" / room).symlink_to(f"../{room}")
    play = rule.format("two", f"10 * {one}(n)") + "@entry\ndef play(n):\n    return two(n)\n"
    write(tmp_path, "play", "__init__", f"{names}\n{play}")
    chosen = {**places(tmp_path, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    program = "import house.plan, house.attic; " + PLAY
    assert run(program, **chosen).stdout == "20\n"
    write(tmp_path, "attic", "__init__", rule.format("one", "n + 2"))
    assert run(program, **chosen).stdout == "20\n"
    assert len(kept(tmp_path)) == 1
    write(tmp_path, "room", "__init__", rule.format("one", "n + 4"))
    assert run(program, **chosen).stdout == "50\n"
    assert len(kept(tmp_path)) == 2


def test_constants_that_change_places_are_noticed(two_packages):
    write(two_packages, "far", "named", "HERE, THERE = 3, 5\n")
    rule = "from far.named import {} as SIZE\n@kernel\ndef {}(n):\n    return {}\n"
    write(two_packages, "rules", "one", rule.format("HERE", "one", "n + SIZE"))
    write(two_packages, "play", "two", "from rules.one import one\n" + rule.format("THERE", "two", "SIZE * one(n)"))
    chosen = {**places(two_packages, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    assert run(PLAY, **chosen).stdout == "20\n"
    write(two_packages, "far", "named", "HERE, THERE = 5, 3\n")
    assert run(PLAY, **chosen).stdout == "18\n"


def test_a_function_that_a_library_has_compiled_is_noticed(two_packages):
    library = two_packages / "library.py"
    library.write_text("import numba\n@numba.njit(nogil=True)\ndef more(n):\n    return n + 1\n")
    write(two_packages, "rules", "one", "from library import more\n@kernel\ndef one(n):\n    return more(n)\n")
    chosen = {**places(two_packages, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    assert run(PLAY, **chosen).stdout == "20\n"
    library.write_text(library.read_text().replace("n + 1", "n + 4"))
    assert run(PLAY, **chosen).stdout == "50\n"


@pytest.mark.parametrize("place", PLACES)
def test_what_was_compiled_is_loaded_by_the_next_process(two_packages, place):
    chosen = {**places(two_packages, place), "NUMBA_DISABLE_JIT": "0"}
    loaded = PLAY + "; print(sum(play.stats.cache_hits.values()))"
    assert run(loaded, **chosen).stdout == "20\n0\n"
    assert run(loaded, **chosen).stdout == ("20\n0\n" if place == "unwritable" else "20\n1\n")


def test_what_else_a_process_has_loaded_compiles_nothing_anew(two_packages):
    """Another module of the package imports a package with kernels; the module of the entry point does not."""
    write(two_packages, "far", "away", "@kernel\ndef one(n):\n    return n\n")
    write(two_packages, "play", "other", "from far.away import one\n")
    (two_packages / "play" / "__init__.py").write_text("")
    write(two_packages, "play", "three", "from .two import two\n@entry\ndef play(n):\n    return two(n)\n")
    chosen = {**places(two_packages, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    loaded = "from play.three import play; print(play(1), sum(play.stats.cache_hits.values()))"
    assert run(loaded, **chosen).stdout == "20 0\n"
    assert run("import far.away, play.other; " + loaded, **chosen).stdout == "20 1\n"
    write(two_packages, "rules", "one", "@kernel\ndef one(n):\n    return n + 4\n")
    assert run(loaded, **chosen).stdout == "50 0\n"


def test_a_module_that_is_run_keeps_what_it_keeps_when_imported(two_packages):
    (two_packages / "play" / "__init__.py").write_text("")
    main = "from play.two import two\n@entry\ndef play(n):\n    return two(n)\n"
    write(two_packages, "play", "main", main + "if __name__ == '__main__':\n    print(play(1))\n")
    chosen = {**places(two_packages, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    assert run("from play.main import play; print(play(1))", **chosen).stdout == "20\n"
    for options in ("", ", alter_sys=True"):  # as an interpreter that runs it, too: python -m play.main
        done = run(f"import runpy; runpy.run_module('play.main', run_name='__main__'{options})", **chosen)
        assert done.stdout == "20\n" and "Compiling" not in done.stderr
    assert len([path for path in two_packages.rglob("*.nbc") if "main.play" in path.name]) == 1


def test_what_has_imported_another_package_with_kernels_compiles_nothing_anew(two_packages):
    """The module of the entry point imports it, or a part of it without kernels: it calls none of its kernels."""
    write(two_packages, "far", "away", "@kernel\ndef one(n):\n    return n\n")
    write(two_packages, "far", "named", "SIZE = 3\n")
    write(two_packages, "play", "__init__", "import far.named\nfrom play.two import two\n"
          "@entry\ndef play(n):\n    return two(n)\n")  # fmt: skip
    chosen = {**places(two_packages, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    loaded = PLAY + "; print(sum(play.stats.cache_hits.values()))"
    assert run(loaded, **chosen).stdout == "20\n0\n"
    assert run("import far.away; " + loaded, **chosen).stdout == "20\n1\n"


PLUS = "@kernel\ndef one(n):\n    return n + {}\n"


@pytest.mark.parametrize(
    "rule",
    [
        "from far.named import SIZE\n" + PLUS.format("SIZE"),
        "from far import named\n" + PLUS.format("named.SIZE"),
        "import far.named\n" + PLUS.format("far.named.SIZE"),
        "from far.named import SIZES\n" + PLUS.format("SIZES[0]"),
        "from far.named import TABLE\n" + PLUS.format("TABLE[0]"),
        "from far.named import SIZE\n@kernel\ndef one(n, k=SIZE):\n    return n + k\n",
        "from far.named import SIZE\nmade = {'__name__': __name__}\n"
        "exec(compile(f'def one(n):\\n    return n + {SIZE}', __file__, 'exec'), made)\n"
        "one = kernel(made['one'])\n",
        f"from far.named import SIZE\n{PLUS.format(3)}three = one\n{PLUS.format(5)}which = {{3: three, 5: one}}[SIZE]\n"
        "@kernel\ndef one(n):\n    return which(n)\n",
    ],
    ids=["named", "module", "modules", "tuple", "array", "default", "generated", "kernel"],
)
def test_a_constant_of_a_package_without_kernels_is_noticed(two_packages, rule):
    """Numba compiles its value in. One that is noticed by its place alone, too: (3, 5) becomes (5, 3)."""
    far = "import numpy as np\nSIZE = {}\nSIZES = (SIZE, 8 - SIZE)\nTABLE = np.array(SIZES)\n"
    write(two_packages, "far", "named", far.format(3))
    write(two_packages, "rules", "one", rule)
    chosen = {**places(two_packages, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    assert run(PLAY, **chosen).stdout == "40\n"
    write(two_packages, "far", "named", far.format(5))
    assert run(PLAY, **chosen).stdout == "60\n"
    assert len(kept(two_packages)) == 2


def test_a_folder_that_cannot_be_written_is_said_once(two_packages):
    chosen = {**places(two_packages, "unwritable"), "NUMBA_DISABLE_JIT": "0"}
    write(two_packages, "other", "__init__", "@entry\ndef other(n):\n    return n\n")
    done = run(PLAY + "; from other import other; other(1)", **chosen)
    assert done.stderr.count("cannot be written") == 1 and str(two_packages / "cache") in done.stderr
    assert not list(two_packages.rglob("*.nb?"))


def test_a_batch_is_compiled_anew_when_the_rules_of_its_game_change(tmp_path):
    """Its loops are the engine's, but the rules in them are the game's."""
    toy = (ROOT / "tests" / "tabletop" / "toy.py").read_text()
    toy = toy.replace("from tabletop.rng", "from own.limit import beyond\nfrom tabletop.rng")
    write(tmp_path, "own", "limit", "@kernel\ndef beyond(s):\n    return s.pot > 15\n")
    (tmp_path / "own" / "toy.py").write_text(toy.replace("s.pot > LIMIT", "beyond(s)"))
    chosen = {**places(tmp_path, "NUMBA_CACHE_DIR"), "NUMBA_DISABLE_JIT": "0"}
    games = GAMES.replace("tests.tabletop.toy", "own.toy")
    assert run(games, **chosen).stdout == run(GAMES, NUMBA_DISABLE_JIT="0").stdout
    write(tmp_path, "own", "limit", "@kernel\ndef beyond(s):\n    return s.pot > 9\n")
    compiled = json.loads(run(games, **chosen).stdout)
    plain = json.loads(run(games, **{**chosen, "NUMBA_DISABLE_JIT": "1"}).stdout)
    assert compiled[1] == plain[1]


@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled")
def test_a_team_depends_on_the_rules_and_the_rules_on_no_team():
    engine, team = (
        {cache.package_of(kernel) for kernel in cache._called(entry.py_func)}
        for entry in (sammu_env.engine.apply, sammu_env.agents.scripted.decide_many)
    )
    assert engine == {"sammu_env", "tabletop"} and team == engine | {"sammu_env.agents"}


@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled")
def test_kernels_are_compiled_once_for_all_integer_widths():
    import numpy as np

    from tests.tabletop.toy import Toy

    game = Toy()
    s = np.zeros(1, game.state)
    game.reset(game.box, s, game.configure(), 1)
    assert len(game.apply.signatures) <= 1


def test_a_kernel_is_for_compiled_functions(two_packages):
    program = (
        "import sys, play\ntry:\n    play.two(1)\nexcept TypeError as error:\n    print(error)\nprint(play.play(1))"
    )
    done = run(program, **places(two_packages, "TABLETOP_CACHE"), NUMBA_DISABLE_JIT="0")
    assert done.stdout == "two is a kernel, which only compiled functions can call: call an entry point\n20\n"


def test_one_process_compiles_and_the_others_wait(two_packages):
    """The one that compiles is stopped in its middle and dies: its lock is gone with it."""
    chosen = {**os.environ, **places(two_packages, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    stop = "from tabletop import cache, linking\n"
    stop += "linking.EntryCompiler.compile_extra = lambda *_: print('compiling', flush=True) or input()\n"
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", stop + PLAY], cwd=ROOT, env=chosen, **streams) as first:
        assert first.stdout.readline() == "compiling\n"
        assert "Compiling play.play, once: a minute or so" in first.stderr.readline()
        with subprocess.Popen([sys.executable, "-c", PLAY], cwd=ROOT, env=chosen, **streams) as second:
            assert "Another process compiles play.play" in second.stderr.readline()
            first.kill()
            assert second.communicate(timeout=120)[0] == "20\n"
            assert second.returncode == 0


def test_how_long_it_takes_is_remembered(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TABLETOP_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "_said", set())
    (tmp_path / "tabletop").mkdir()
    for name, seconds in (("long", 70.4), ("short", 0.1)):
        cache._remember(name, seconds)
    for name in ("long", "short", "new"):
        with cache.announced(name), cache.announced("what it calls"):
            pass
    assert capsys.readouterr().err.splitlines() == [
        "Compiling long, once: about 70 seconds ...",
        "Compiling new, once: a minute or so ...",
    ]
    assert cache._seconds().keys() == {"long", "short", "new"} and cache._seconds()["long"] < 1


def test_no_garbage_is_collected_while_something_compiles():
    with jit.nothing_collected():
        with jit.nothing_collected():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_ctrl_c_waits_for_the_compiler():
    before = signal.getsignal(signal.SIGINT)
    reached = []

    def compile_():
        with jit.ctrl_c_waits():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")
            assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL  # the second time at once

    with pytest.raises(KeyboardInterrupt):
        compile_()
    assert reached and signal.getsignal(signal.SIGINT) == before
    with jit.ctrl_c_waits():
        pass
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("import game.extra", True),
        ("from game import rules, extra as more", True),
        ("from game import (\n    rules,\n    extra,\n)", True),
        ("from .extra import thing", True),
        ("def late():\n    from . import extra", True),
        ("import_module(f'game.extra.{name}')", True),
        ("agents = {'best': 'game.extra.own:Best'}", False),
        ("agents = {'best': 'game.extra.own:Best'}\nimport game.extra.own", True),
        ("from other import extra", False),
        ("import game.extraordinary", False),
        ("extra = 1", False),
    ],
)
def test_a_folder_that_the_rest_does_not_name_is_a_package_of_its_own(tmp_path, monkeypatch, source, part):
    for name, text in {"engine": source, "rules/one": "import game", "extra/own": "import game.extra"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text(text)
    game = types.ModuleType("game")
    game.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "game", game)
    cache._apart.cache_clear()
    assert (tmp_path.resolve() / "extra" in cache._apart("game")) is not part
    before = cache._read([tmp_path.resolve()], cache._apart("game"))
    (tmp_path / "extra" / "own.py").write_text("changed = True")
    assert (before != cache._read([tmp_path.resolve()], cache._apart("game"))) is part
    cache._apart.cache_clear()
