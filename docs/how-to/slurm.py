"""A sweep on SLURM: 12 points with 10 seeds each, on up to 64 cores."""

import sluice
from dask_jobqueue import SLURMCluster
from distributed import Client

OVER = {"load": [0.3, 0.5, 0.7, 0.9], "topology.link.r1->r2.buffer": ["10 ms", "50 ms", "100 ms"]}


def main() -> None:
    cluster = SLURMCluster(
        queue="normal",
        account="my-project",
        walltime="02:00:00",
        # A job: one worker a core.
        cores=16,
        processes=16,
        memory="32 GB",
        # What a job does before its workers start.
        job_script_prologue=["source .venv/bin/activate"],
        log_directory="slurm-logs",
    )
    # Jobs are asked for as they are needed, and a job that SLURM ends is asked for again.
    cluster.adapt(maximum_jobs=4)
    with cluster, Client(cluster) as client:
        swept = sluice.sweep("access-link", OVER, seeds=range(1, 11), client=client)
    swept.frame().to_polars().write_parquet("sweep.parquet")


if __name__ == "__main__":
    main()
