package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const leaseName = "story"

// candidate runs for the leadership until it is stopped, and then gives it back.
type candidate struct {
	led  chan struct{}
	stop context.CancelFunc
	over chan struct{}
}

func (s *story) candidate(ctx context.Context, identity string) (*candidate, error) {
	running, stop := context.WithCancel(ctx)
	c := &candidate{led: make(chan struct{}), stop: stop, over: make(chan struct{})}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: leaseName, Namespace: s.namespace},
			Client:     s.clients.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
		},
		LeaseDuration:   3 * time.Second,
		RenewDeadline:   2 * time.Second,
		RetryPeriod:     200 * time.Millisecond,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(c.led) },
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		stop()
		return nil, err
	}
	go func() {
		defer close(c.over)
		elector.Run(running)
	}()
	return c, nil
}

// leaderElection lets two candidates lead one after the other: never both, and the second as soon as the first has gone.
func (s *story) leaderElection(ctx context.Context) error {
	first, err := s.candidate(ctx, "first")
	if err != nil {
		return err
	}
	defer first.stop()
	if err := await(ctx, first.led, "the first candidate does not lead"); err != nil {
		return err
	}
	second, err := s.candidate(ctx, "second")
	if err != nil {
		return err
	}
	defer second.stop()
	if err := s.holdsThroughRenewals(ctx, "first", second.led); err != nil {
		return err
	}
	first.stop()
	if err := await(ctx, second.led, "the second candidate does not lead after the first"); err != nil {
		return err
	}
	leases := s.clients.CoordinationV1().Leases(s.namespace)
	lease, err := leases.Get(ctx, leaseName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if holder, changes := lease.Spec.HolderIdentity, lease.Spec.LeaseTransitions; holder == nil || *holder != "second" || changes == nil || *changes == 0 {
		return fmt.Errorf("the lease says %+v", lease.Spec)
	}
	second.stop()
	for _, c := range []*candidate{first, second} {
		if err := await(ctx, c.over, "a candidate does not end"); err != nil {
			return err
		}
	}
	return leases.Delete(ctx, leaseName, metav1.DeleteOptions{})
}

// holdsThroughRenewals waits until the lease has been renewed three times, as a watch tells.
func (s *story) holdsThroughRenewals(ctx context.Context, holder string, taken <-chan struct{}) error {
	watcher, err := s.clients.CoordinationV1().Leases(s.namespace).Watch(ctx, metav1.SingleObject(metav1.ObjectMeta{Name: leaseName}))
	if err != nil {
		return err
	}
	defer watcher.Stop()
	for seen := 0; seen < 4; seen++ {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the lease is not renewed: %w", ctx.Err())
		case <-taken:
			return errors.New("the second candidate leads beside the first")
		case <-watcher.ResultChan():
		}
	}
	return nil
}

func await(ctx context.Context, happened <-chan struct{}, otherwise string) error {
	select {
	case <-happened:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", otherwise, ctx.Err())
	}
}
