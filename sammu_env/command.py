"""The ``sammu`` command: the verbs for any game, with Sammu-Ramat unless another is named, and what it alone has."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from tabletop.assist import cli
from tabletop.assist.cli import Edition, Lang, out, plain_errors

if TYPE_CHECKING:
    from sammu_env.components import Components

NAME = "sammu-ramat"  #: its entry point

app = typer.Typer(
    help="Sammu-Ramat, and by --game Pergamemnon or Xerxes: play, evaluate and train agents, look up cards.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"default_map": {verb: {"game": NAME} for verb in cli.OF_A_GAME}},
)
cards = typer.Typer(help="The box: cards, values and where they come from.", no_args_is_help=True)
app.add_typer(cli.app)
app.add_typer(cards, name="cards")


def read_only(lang: str, edition: str | None) -> Components:
    """The box of an edition, for looking things up; the language is checked too."""
    from sammu_env import components
    from sammu_env.words import check_language

    check_language(lang)
    return components.load(edition)


@app.command()
def rules(
    challenge: Annotated[str, typer.Argument(help="SAM-179 to SAM-198.")], edition: Edition = None, lang: Lang = "en"
) -> None:
    """A challenge card in words: how to win, what happens every month, how it begins."""
    with plain_errors():
        from sammu_env import words

        cli.say(words.rules(read_only(lang, edition), challenge.upper(), lang))


@cards.command("check")
def cards_check(file: Annotated[Path, typer.Argument(help="An edition file (TOML).")]) -> None:
    """Checks an edition file and prints one line for each problem."""
    with plain_errors():
        from sammu_env import components

        problems = components.check(file)
        for line in problems:
            cli.complain(line)
        if problems:
            raise typer.Exit(2)
        out.print(f"{file}: good", markup=False, highlight=False)


@cards.command("list")
def cards_list(
    unverified: Annotated[bool, typer.Option("--unverified", help="Only reconstructed values.")] = False,
    edition: Edition = None,
) -> None:
    """Every value of the box and its source: card, field, value, provenance, separated by tabs."""
    with plain_errors():
        for row in read_only("en", edition).cards_table(unverified):
            sys.stdout.write("\t".join(row) + "\n")


@cards.command("summary")
def cards_summary(edition: Edition = None) -> None:
    """Counts the values by source: the rulebook, public pages, reconstructed, or the edition file."""
    with plain_errors():
        table = Table("section", "rulebook", "public", "reconstructed", "edition")
        for row in read_only("en", edition).summary():
            table.add_row(*map(str, row))
        out.print(table)


@cards.command("show")
def cards_show(
    card: Annotated[str, typer.Argument(help="SAM-001 to SAM-198.")], edition: Edition = None, lang: Lang = "en"
) -> None:
    """A card in words."""
    with plain_errors():
        from sammu_env import words

        cli.say(words.card(read_only(lang, edition), card.upper(), lang))


@cards.command("random")
def cards_random(
    seed: Annotated[int, typer.Option(help="The same seed gives the same box: 0 to 2147483647.")],
    difficulty: Annotated[float, typer.Option(help="How rich the setup is: from 0 (rich) to 1 (bare).")] = 0.5,
    write: Annotated[Path, typer.Option(help="Write a new file here, - for the screen.")] = Path("-"),
) -> None:
    """Makes an edition file: reconstructed values are drawn anew, printed values stay."""
    with plain_errors():
        from sammu_env.components.random import to_toml

        if write.is_file():
            raise ValueError(f"{write} is there already: choose another name, or delete it first")
        cli.write_to(write, to_toml(seed, difficulty))


def main() -> None:
    """Entry point of the ``sammu`` script."""
    cli.main(app)


if __name__ == "__main__":
    main()
