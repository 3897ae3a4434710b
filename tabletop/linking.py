"""How rules get into entry points: each is typed once for a process, and only entry points become machine code.

Numba makes every compiled function a library of its own: it links in all that the function calls, optimises the whole
and emits machine code, for every caller on the way up again. Nobody calls a rule but rules and entry points, so a rule
stays LLVM's code here, and an entry point is linked with all that it reaches, once. That is half of the work of
compiling. The same code comes out: LLVM optimises and inlines within an entry point as before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class RuleLibrary(JITCodeLibrary):
    """The code of one rule, to be linked into entry points; no machine code."""

    def finalize(self) -> None:
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Numba asks it for a place in the machine code to note the function's constants: see :meth:`set_env`."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """There is no such place here: :class:`EntryCompiler` notes the constants of the rules that it links."""


class EntryLibrary(JITCodeLibrary):
    """The machine code of an entry point with all that it reaches."""

    def finalize(self) -> None:
        found: dict[Any, None] = {}
        waiting = self._linking_libraries
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                if isinstance(library, RuleLibrary):
                    waiting.extend(library._linking_libraries)
        self._linking_libraries = list(found)
        super().finalize()


class RuleCompiler(Compiler):
    """Compiles a function that only compiled ones call."""

    def define_pipelines(self) -> Any:
        self.state.library = RuleLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class EntryCompiler(Compiler):
    """Compiles a function that programs call."""

    def define_pipelines(self) -> Any:
        self.state.library = EntryLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        compiled = super().compile_extra(function)
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
        return compiled
