"""Formats docstrings for the site: expands their sections, and type aliases in signatures."""

import re

import sluice
from sluice import laws, scenario
from sluice.plot import choose, samples
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.napoleon import Config, GoogleDocstring
from sphinx.util import logging
from sphinx.util.typing import stringify_annotation

logger = logging.getLogger(__name__)

#: Type aliases without a page of their own, as they appear in signatures.
TYPES = {
    "choose.Protocols": choose.Protocols,
    "Flow": samples.Flow,
    "Link": samples.Link,
    "MakeLaw": laws.MakeLaw,
    "Value": scenario.Value,
}
NAMED = re.compile(rf"(?<![.\w])({'|'.join(map(re.escape, TYPES))})\b")


def with_sections(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Expands "Args:" and "Returns:" in docstrings of functions."""
    # Not of attributes: napoleon parses the text before a colon as a type.
    if what in ("function", "method"):
        lines[:] = GoogleDocstring(lines, Config(), app, what, name, obj, options).lines()


def with_types(
    _app: Sphinx,
    _what: str,
    _name: str,
    _obj: object,
    _options: object,
    signature: str | None,
    result: str | None,
) -> tuple[str, str | None] | None:
    """Replaces type aliases in a signature by the types themselves."""
    if signature is None:
        return None
    return NAMED.sub(lambda found: _written(TYPES[found[1]]), signature), result


def _written(kind: object) -> str:
    return re.sub(r"(collections\.abc|typing|sluice\.laws)\.", "", stringify_annotation(kind))


def warn_undocumented(_app: Sphinx, env: BuildEnvironment) -> None:
    """Warns of public names that no page documents."""
    python = env.domains.python_domain
    for name in sluice.__all__:
        if f"sluice.{name}" not in python.objects | python.modules:
            logger.warning("no page documents sluice.%s", name)


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-docstring", with_sections)
    app.connect("autodoc-process-signature", with_types)
    app.connect("env-check-consistency", warn_undocumented)
