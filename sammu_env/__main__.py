"""The ``sammu`` script: also says what to install where the command cannot run."""

import sys

from tabletop.needs import needed


def main() -> None:
    """Runs the command, or ends with what is missing."""
    try:
        with needed():
            from sammu_env import command
    except ModuleNotFoundError as error:
        sys.exit(f"error: {error}")
    command.main()


if __name__ == "__main__":
    main()
