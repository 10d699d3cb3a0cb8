"""A sweep on SLURM: 12 points with 10 seeds each, on up to 64 cores."""

import sluice
from dask_jobqueue import SLURMCluster
from distributed import Client

OVER = {"load": [0.3, 0.5, 0.7, 0.9], "topology.link.r1->r2.buffer": ["10 ms", "50 ms", "100 ms"]}
SEEDS = range(1, 11)
#: Workers of a job, one on each core.
CORES = 16
JOBS = 4


def main() -> None:
    cluster = SLURMCluster(
        queue="normal",
        account="my-project",
        walltime="02:00:00",
        cores=CORES,
        processes=CORES,
        memory=f"{2 * CORES} GB",
        # Commands that a job runs before its workers start.
        job_script_prologue=["source .venv/bin/activate"],
        log_directory="slurm-logs",
    )
    # Requests jobs while there is work, and again if SLURM ends one.
    cluster.adapt(maximum_jobs=JOBS)
    with cluster, Client(cluster) as client:
        swept = sluice.sweep("access-link", OVER, seeds=SEEDS, client=client)
    swept.frame().to_polars().write_parquet("sweep.parquet")


if __name__ == "__main__":
    main()
