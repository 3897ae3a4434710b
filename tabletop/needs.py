"""What is not installed, and the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import packages_distributions

#: Extra -> the modules that it is for; ``pyproject.toml`` names their packages.
EXTRAS = {
    "play": ("typer", "rich", "PIL", "tomli_w"),
    "train": ("torch", "safetensors", "threadpoolctl", "yaml", "tensorboard", "matplotlib", "stable_baselines3",
              "sb3_contrib"),
    "coach": ("starlette", "uvicorn", "segno"),
}  # fmt: skip


@contextmanager
def needed() -> Iterator[None]:
    """Around imports of what the core does without.

    Raises:
        ModuleNotFoundError: one is not installed; the message says how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(missing(error), name=error.name) from None


def missing(error: ModuleNotFoundError) -> str:
    """What is missing, and how to install it."""
    name = (error.name or str(error)).partition(".")[0]
    ours = packages_distributions().get("tabletop", ["."])[0]  # a checkout that is not installed: from where one stands
    wanted = next((f"'{ours}[{extra}]'" for extra, modules in EXTRAS.items() if name in modules), name)
    return f"{name} is not installed: pip install {wanted}"
