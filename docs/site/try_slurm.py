"""Tests how-to/slurm.py without SLURM: a substitute `sbatch` starts the job on this machine."""

import os
import sys
import tempfile
from pathlib import Path

#: Copies the script, which is deleted once `sbatch` returns.
SBATCH = """#!/bin/sh
cp "$1" job.sh
bash job.sh >job.log 2>&1 &
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/sh
kill "$@" 2>/dev/null
"""


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "how-to"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
            Path(name).write_text(text)
            Path(name).chmod(0o755)
        os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
        import slurm

        slurm.OVER, slurm.SEEDS, slurm.CORES, slurm.JOBS = {"load": [0.3, 0.5]}, [1], 1, 1
        slurm.main()
        rows = slurm.sluice.Sweep("results/access-link-sweep").frame()
        assert Path("sweep.parquet").exists() and set(rows["load"]) == {0.3, 0.5}
    print("how-to/slurm.py: two points ran on a worker started by sbatch")


if __name__ == "__main__":
    main()
