// Candidate runs for a Lease with client-go's leader election, until it is told to end: then it gives the lease back.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"

	"coxswain.test/clients/internal/steps"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		steps.Fail("candidate", err)
	}
}

func run(ctx context.Context, identity string) error {
	config, namespace, err := steps.Connection()
	if err != nil {
		return err
	}
	recorder, shutdown, err := newRecorder(config, namespace, identity)
	if err != nil {
		return err
	}
	defer shutdown()
	lockConfig := resourcelock.ResourceLockConfig{Identity: identity, EventRecorder: recorder}
	lock, err := resourcelock.NewFromKubeconfig(
		resourcelock.LeasesResourceLock, namespace, steps.LeaseName, lockConfig, config, steps.RenewDeadline)
	if err != nil {
		return err
	}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   steps.LeaseDuration,
		RenewDeadline:   steps.RenewDeadline,
		RetryPeriod:     steps.RetryPeriod,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { fmt.Println("leading") },
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return err
	}
	fmt.Println("running")
	elector.Run(ctx)
	return nil
}

// newRecorder makes what says in Events who became leader; shutdown waits until they are sent.
func newRecorder(config *rest.Config, namespace, identity string) (recorder record.EventRecorder, shutdown func(), err error) {
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, nil, err
	}
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events(namespace)})
	return broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: identity}), broadcaster.Shutdown, nil
}
