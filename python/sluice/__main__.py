"""``python -m sluice`` is the ``sluice`` command."""

from ._command import main

raise SystemExit(main())
