"""Reference pages of packages whose modules are documented one by one."""

from importlib import import_module
from pkgutil import iter_modules

_DIRECTIVE = "```{{eval-rst}}\n.. automodule:: {name}\n{options}```\n"


def reference(package: str) -> str:
    """The package's own words, then a section for each of its modules."""
    found = import_module(package)
    names = [module.name for module in iter_modules(found.__path__)]
    parts = [_DIRECTIVE.format(name=package, options="   :no-members:\n")]
    for name in (n for n in names if not n.startswith("_")):
        directive = _DIRECTIVE.format(name=f"{package}.{name}", options="")
        parts.append(f"## {name}\n\n{directive}")
    return "\n".join(parts)
