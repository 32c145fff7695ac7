"""Names in the reference: found under their short form, shown without noise."""

from typing import Any

from pydantic import BaseModel

SHORT = {"vicinal.Graph": "vicinal.graphs.Graph"}


def resolved(app: Any, environment: Any, node: Any, content: Any) -> Any:
    """Find what is documented under a longer name than the one written."""
    target = node.get("reftarget", "")
    for short, full in SHORT.items():
        if target == short or target.startswith(f"{short}."):
            place = node.get("refdoc", "")
            domain = environment.get_domain("py")
            longer = full + target.removeprefix(short)
            arguments = (node["reftype"], longer, node, content)
            return domain.resolve_xref(environment, place, app.builder, *arguments)
    return None


def without_settings(
    app: Any, what: str, name: str, found: Any, *rest: Any
) -> tuple[str, None] | None:
    """Leave out the signature of settings: a table of keys says more."""
    if what == "class" and issubclass(found, BaseModel):
        return "", None
    return None


def setup(app: Any) -> dict[str, bool]:
    """Listen to Sphinx."""
    app.connect("missing-reference", resolved)
    app.connect("autodoc-process-signature", without_settings)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
