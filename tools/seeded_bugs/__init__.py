"""The bugs that `mutants.py` seeds: mistakes that a developer could make, and the test that fails.

`before` stands in `file` exactly once. `test` is `package lib path::of::test` for a test beside the
code, or `package file name` for one in `tests/`. There is a file for each crate; they are in the order
of the crates, the last to be built first, so that each bug costs the build of one crate.
"""

from . import lab, laws, sim, units

BUGS = lab.BUGS + sim.BUGS + laws.BUGS + units.BUGS
