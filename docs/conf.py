"""How the documentation site is built: `make docs`.

Pages that were here before the site stay where they are, and those at the repository's root are
included. What can be known from the program is asked of it (`site/`), and snippets of Python are
run: a page cannot say what is not so.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "site"))

project = "Sluice"
author = "The authors of Sluice"
html_title = "Sluice"
html_theme = "furo"
html_static_path = ["site/static"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
pygments_style, pygments_dark_style = "friendly", "github-dark"
# The second is shown by explanation/decisions.md.
exclude_patterns = ["site", "decisions/README.md"]
# Quotes of TOML and the shell stay as they are typed.
smartquotes = False

extensions = [
    "sphinx.ext.autodoc",
    "myst_nb",
    # Those of `site/`.
    "cells",
    "commands",
    "docstrings",
    "frames",
    "links",
    "registry",
]

# A link to a page, a heading or a name that is not there is an error.
nitpicky = True
nitpick_ignore_regex = [
    # Of libraries, whose manuals are not here.
    (
        "py:.*",
        r"(abc|collections|control|distributed|fractions|matplotlib|numpy|os|pandas|pathlib|polars|pyarrow|scipy)\..*",
    ),
    # Of those too, as signatures have them.
    ("py:class", r"Axes|Client|Path|PathLike"),
    # A type variable is no page's.
    ("py:class", r"sluice\.papers\.(scale\.T|figure\.Runs)"),
]
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80

# A cell that fails ends the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_in_temp = True
nb_execution_timeout = 120
nb_merge_streams = True
