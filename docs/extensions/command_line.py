"""The commands, their arguments and options, read off the program itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer

from extensions.markdown import table
from vicinal.cli import app


def command_line() -> str:
    """One section for each command that can be called."""
    return "\n".join(_section(name, command) for name, command in commands())


def commands() -> Iterator[tuple[str, Any]]:
    """Full name and command, groups that do something by themselves too."""
    yield from _under("vicinal", typer.main.get_command(app))


def _under(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    inside = getattr(command, "commands", {})
    if not inside or command.invoke_without_command:
        yield name, command
    for part, other in inside.items():
        yield from _under(f"{name} {part}", other)


def _section(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    called = " ".join([name, *map(_placeholder, arguments), "[OPTIONS]"])
    parts = [f"## {name}\n", f"{_first(command)}\n", f"```sh\n{called}\n```\n"]
    lines = [[f"`{_placeholder(p)}`", p.help or "", ""] for p in arguments]
    kinds = get_type_hints(command.callback)
    lines += [
        [f"`{_spelled(p, kinds[p.name])}`", p.help or "", _default(p)] for p in options
    ]
    parts.append(table(["argument or option", "what", "default"], lines))
    return "\n".join(parts)


def _first(command: Any) -> str:
    return " ".join((command.help or "").split())


def _placeholder(argument: Any) -> str:
    name = (argument.metavar or argument.name).upper()
    return f"{name}..." if argument.nargs == -1 else name


def _spelled(option: Any, kind: Any) -> str:
    names = " / ".join([*option.opts, *option.secondary_opts])
    return names if option.is_flag else f"{names} {_kind(kind)}"


def _kind(annotation: Any) -> str:
    inside = [kind for kind in get_args(annotation) if kind is not type(None)]
    if inside:
        return _kind(inside[0])
    return {Path: "PATH", int: "NUMBER", float: "NUMBER"}.get(annotation, "TEXT")


def _default(option: Any) -> str:
    if option.is_flag or option.default in (None, "", []):
        return ""
    return f"`{option.default}`"
