"""Cells of code: what they run with, and what is made of what they show."""

import atexit
import json
import os
import shutil
import tempfile
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)

#: Figures as SVG are sharp on every screen; and what kernels log is no news.
SETTINGS = """
c = get_config()
c.InlineBackend.figure_formats = {"svg"}
c.IPKernelApp.log_level = "ERROR"
"""


def prepare(app: Sphinx) -> None:
    """Sets what kernels find in their environment, and looks at notebooks before they run."""
    folder = Path(tempfile.mkdtemp(prefix="sluice-docs-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "profile_default").mkdir()
    (folder / "profile_default" / "ipython_kernel_config.py").write_text(SETTINGS)
    os.environ["IPYTHONDIR"] = str(folder)
    # A bar that is gone when it is done is not for a page.
    os.environ["TQDM_DISABLE"] = "1"
    for path in Path(app.srcdir).rglob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        if any(cell.get("outputs") or cell.get("execution_count") for cell in cells):
            logger.warning("%s is kept without outputs: they are made with the page", path)


def describe(_app: Sphinx, page: nodes.document) -> None:
    """Figures say where they are from to those who cannot see them."""
    for cell in page.findall(nodes.container):
        if "cell_output" in cell["classes"]:
            for image in cell.findall(nodes.image):
                image.setdefault("alt", "The figure that the code above draws")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", prepare)
    app.connect("doctree-read", describe)
