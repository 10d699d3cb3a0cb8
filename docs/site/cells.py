"""Code cells: configures the kernels that run them, and describes the figures that they draw."""

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

#: SVG figures are sharp on every screen. Kernels log only errors.
SETTINGS = """
c = get_config()
c.InlineBackend.figure_formats = {"svg"}
c.IPKernelApp.log_level = "ERROR"
"""


def prepare(app: Sphinx) -> None:
    """Sets the environment of kernels, and warns of notebooks stored with outputs."""
    folder = Path(tempfile.mkdtemp(prefix="sluice-docs-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "profile_default").mkdir()
    (folder / "profile_default" / "ipython_kernel_config.py").write_text(SETTINGS)
    os.environ["IPYTHONDIR"] = str(folder)
    # Progress bars erase themselves; a page would keep their traces.
    os.environ["TQDM_DISABLE"] = "1"
    for path in Path(app.srcdir).rglob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        if any(cell.get("outputs") or cell.get("execution_count") for cell in cells):
            logger.warning("%s contains outputs; clear them, the build runs notebooks", path)


def describe(_app: Sphinx, page: nodes.document) -> None:
    """Adds alternative text to figures drawn by cells."""
    for cell in page.findall(nodes.container):
        if "cell_output" in cell["classes"]:
            for image in cell.findall(nodes.image):
                image.setdefault("alt", "Figure drawn by the code above")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", prepare)
    app.connect("doctree-read", describe)
