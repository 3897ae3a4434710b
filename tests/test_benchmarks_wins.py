"""Games that an agent wins are kept as logs that training can begin from."""

from benchmarks import wins
from sammu_env import load_game
from tabletop.training.tasks import SPLITS, find, game_of
from tabletop.training.wins import PLACES, Wins


def test_the_games_won_are_added_and_can_be_begun_from(tmp_path):
    file = tmp_path / "wins.json"
    for seed in ("0", "40"):
        wins.main(["--agent", "scripted", "--task", "novice", "--games", "40", "--seed", seed, "--write", str(file)])
    logs = wins.read(file)
    assert logs and all(log.seed in SPLITS["train"] for log in logs)
    assert min(log.seed for log in logs) < SPLITS["train"].start + 40 <= max(log.seed for log in logs)

    task = find(load_game(), "novice")
    game = game_of(load_game(), [task], "train")
    found = Wins.load(file, game, task.cells(game, "train"))
    assert len(found.cells) == len(logs) and len(found.states) == PLACES * len(logs)
