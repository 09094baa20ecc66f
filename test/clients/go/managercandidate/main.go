// Managercandidate is a manager of controller-runtime with leader election, whose one runnable says that it leads.
package main

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"coxswain.test/clients/internal/steps"
)

func main() {
	ctrl.SetLogger(logr.Discard())
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		steps.Fail("candidate", err)
	}
}

func run(ctx context.Context) error {
	config, namespace, err := steps.Connection()
	if err != nil {
		return err
	}
	leaseDuration, renewDeadline, retryPeriod := steps.LeaseDuration, steps.RenewDeadline, steps.RetryPeriod
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              steps.LeaseName,
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &leaseDuration,
		RenewDeadline:                 &renewDeadline,
		RetryPeriod:                   &retryPeriod,
	})
	if err != nil {
		return err
	}
	// A runnable waits for the leadership, as controllers do.
	if err := mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		fmt.Println("leading")
		<-ctx.Done()
		return nil
	})); err != nil {
		return err
	}
	fmt.Println("running")
	return mgr.Start(ctx)
}
