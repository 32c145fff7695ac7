"""Settings of Sphinx; `make docs` builds the pages."""

import sys
from pathlib import Path

import vicinal

sys.path.insert(0, str(Path(__file__).parent))

project = "vicinal"
author = "The vicinal developers"
project_copyright = "2026, the vicinal developers"
release = version = vicinal.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "extensions.formulas",
    "extensions.names",
    "extensions.pages",
]
exclude_patterns = ["generated/*", "extensions/*"]

html_theme = "furo"
html_title = f"vicinal {release}"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"

myst_heading_anchors = 3
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "exclude-members": "extra_repr, model_config, tree_flatten, tree_unflatten",
}
napoleon_custom_sections = ["Shape"]
napoleon_use_rtype = False

nitpick_ignore_regex = [
    # other projects' names stay plain text: their inventories would need a network
    (
        r"py:.*",
        r"(torch|numpy|np|scipy|networkx|nx|pydantic|pathlib|collections|typing|"
        r"matplotlib|jinja2|markupsafe|multiprocessing|annotated_types)\..*",
    ),
    # packages show their public names, not the files these come from
    (r"py:mod", r"vicinal\.(graphs|functional|nn|kernels|baselines|rivals|cli)\..*"),
    (r"py:class", r"vicinal\.graphs\.(rows|kept)\..*"),
    (r"py:class", r"dict\[str"),  # how Sphinx splits a string annotation
]
