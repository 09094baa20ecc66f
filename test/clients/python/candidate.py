"""Runs for a lock with the package's leader election. It gives nothing back when it is told to end: it just ends."""

import os
import sys
import threading

from kubernetes import config
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.configmaplock import ConfigMapLock
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

LOCKS = {"lease": LeaseLock, "config-map": ConfigMapLock}


def lead() -> None:
    print("leading", flush=True)
    threading.Event().wait()


def main(kind: str, identity: str) -> None:
    config.load_kube_config()  # KUBECONFIG
    election = electionconfig.Config(
        LOCKS[kind]("election", os.environ["COXSWAIN_NAMESPACE"], identity),
        lease_duration=4,
        renew_deadline=3,
        retry_period=1,
        onstarted_leading=lead,
        onstopped_leading=None,
    )
    print("running", flush=True)
    leaderelection.LeaderElection(election).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
