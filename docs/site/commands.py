"""The directive ```{commands}: the `--help` output of every command."""

import re
import subprocess
import sys

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

SLUICE = "import sys; from sluice._command import main; sys.argv[0] = 'sluice'; sys.exit(main())"


class Commands(SphinxDirective):
    """`sluice --help`, followed by a section for each command and the help of its own commands."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        overview = _help()
        lines = [_block(overview)]
        for name in _names(overview):
            about, _, usage = _help(name).partition("\n\n")
            lines.append(f"## `sluice {name}`\n\n{about}.\n\n{_block(usage)}")
            lines.extend(_block(_help(name, inner)) for inner in _names(usage))
        return self.parse_text_to_nodes("\n\n".join(lines), allow_section_headings=True)


def _names(usage: str) -> list[str]:
    """The commands that a help text lists."""
    listed = usage.partition("Commands:")[2].partition("\n\n")[0]
    return [name for name in re.findall(r"(?m)^  ([a-z]+)  ", listed) if name != "help"]


def _help(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SLUICE, *command, "--help"],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.rstrip()


def _block(text: str) -> str:
    return f"```text\n{text}\n```"


def setup(app: Sphinx) -> None:
    app.add_directive("commands", Commands)
