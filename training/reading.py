"""YAML that people write: settings and tasks."""

from __future__ import annotations

from typing import Any

import yaml


class _Loader(yaml.SafeLoader):
    """Refuses a name that is there twice, where YAML's own keeps the last and says nothing."""

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        names = [key.value for key, _ in node.value]
        for i, (key, _) in enumerate(node.value):
            if key.value in names[:i]:
                raise yaml.MarkedYAMLError(problem=f"{key.value} is there twice", problem_mark=key.start_mark)
        return node


def yaml_of(text: str, source: str) -> Any:
    """The plain data of a text in YAML.

    Args:
        source: what to call it in messages.

    Raises:
        ValueError: it is none, or a name is there twice.
    """
    try:
        return yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # YAML, or numbers or brackets without end
        raise ValueError(f"{source} is not YAML: {error}") from None
