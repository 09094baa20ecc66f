// Controller runs a manager of controller-runtime whose reconciler brings every cron job of the namespace to one state.
package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"coxswain.test/clients/internal/steps"
)

// scheduleField is an index of the cache; the server knows no such selector.
const scheduleField = "spec.schedule"

// program is what the steps share: the manager, and a client of its own that reads past the cache.
type program struct {
	manager   ctrl.Manager
	direct    client.WithWatch
	namespace string

	stop  context.CancelFunc
	ended chan error
}

func main() {
	ctrl.SetLogger(logr.Discard())
	p, err := prepare()
	if err != nil {
		steps.Fail("prepare", err)
	}
	steps.Run([]steps.Step{
		{Name: "manager-started", Run: p.start},
		{Name: "reconciled", Run: p.reconciled},
		{Name: "cache-read", Run: p.cacheRead},
		{Name: "stopped", Run: p.stopped},
	})
}

func prepare() (*program, error) {
	config, namespace, err := steps.Connection()
	if err != nil {
		return nil, err
	}
	direct, err := client.NewWithWatch(config, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		return nil, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:         scheme.Scheme,
		Cache:          cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Metrics:        metricsserver.Options{BindAddress: "0"},
		LeaderElection: false,
	})
	if err != nil {
		return nil, err
	}
	return &program{manager: manager, direct: direct, namespace: namespace, ended: make(chan error, 1)}, nil
}

// start has some cron jobs there before the manager runs, so that it meets them in its first list.
func (p *program) start(ctx context.Context) error {
	if err := p.createCronJobs(ctx, "before", 3); err != nil {
		return err
	}
	bySchedule := func(object client.Object) []string { return []string{object.(*batchv1.CronJob).Spec.Schedule} }
	if err := p.manager.GetFieldIndexer().IndexField(ctx, &batchv1.CronJob{}, scheduleField, bySchedule); err != nil {
		return err
	}
	err := ctrl.NewControllerManagedBy(p.manager).For(&batchv1.CronJob{}).Complete(&reconciler{client: p.manager.GetClient()})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	p.stop = stop
	go func() { p.ended <- p.manager.Start(running) }()
	select {
	case err := <-p.ended:
		return fmt.Errorf("the manager ended: %w", err)
	case <-p.manager.Elected():
	}
	if !p.manager.GetCache().WaitForCacheSync(ctx) {
		return errors.New("the cache did not get its first state")
	}
	return nil
}

// reconciled waits for those that were there and for some that come now, as seen past the cache.
func (p *program) reconciled(ctx context.Context) error {
	if err := p.createCronJobs(ctx, "after", 3); err != nil {
		return err
	}
	done := map[string]bool{}
	var list batchv1.CronJobList
	watcher, err := p.direct.Watch(ctx, &list, client.InNamespace(p.namespace))
	if err != nil {
		return err
	}
	defer watcher.Stop()
	for len(done) < 6 {
		select {
		case <-ctx.Done():
			return fmt.Errorf("reconciled were only %v: %w", done, ctx.Err())
		case event := <-watcher.ResultChan():
			job, isJob := event.Object.(*batchv1.CronJob)
			if !isJob {
				return fmt.Errorf("an event holds a %T", event.Object)
			}
			if isReconciled(job) {
				done[job.Name] = true
			}
		}
	}
	return nil
}

// cacheRead compares what the manager's cache holds with what the server does, all of it and by the index.
func (p *program) cacheRead(ctx context.Context) error {
	var stored batchv1.CronJobList
	if err := p.direct.List(ctx, &stored, client.InNamespace(p.namespace)); err != nil {
		return err
	}
	var cached batchv1.CronJobList
	if err := p.cachedAs(ctx, &stored, &cached); err != nil {
		return err
	}
	for i, job := range cached.Items {
		if !equality.Semantic.DeepEqual(job.ObjectMeta, stored.Items[i].ObjectMeta) ||
			!equality.Semantic.DeepEqual(job.Spec, stored.Items[i].Spec) ||
			!equality.Semantic.DeepEqual(job.Status, stored.Items[i].Status) {
			return fmt.Errorf("the cache has %+v, the server %+v", job, stored.Items[i])
		}
	}
	var indexed batchv1.CronJobList
	selected := client.MatchingFields{scheduleField: schedule(1)}
	if err := p.manager.GetClient().List(ctx, &indexed, client.InNamespace(p.namespace), selected); err != nil {
		return err
	}
	if found := namesOf(&indexed); !slices.Equal(found, []string{"after-1", "before-1"}) {
		return fmt.Errorf("by its index the cache has %v", found)
	}
	return nil
}

// cachedAs reads the cache, sorted by name, until it has just the names and versions that the server has; it may be a
// little behind.
func (p *program) cachedAs(ctx context.Context, stored, cached *batchv1.CronJobList) error {
	return wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		if err := p.manager.GetClient().List(ctx, cached, client.InNamespace(p.namespace)); err != nil {
			return false, err
		}
		slices.SortFunc(cached.Items, func(a, b batchv1.CronJob) int { return strings.Compare(a.Name, b.Name) })
		return slices.EqualFunc(cached.Items, stored.Items, func(a, b batchv1.CronJob) bool {
			return a.Name == b.Name && a.ResourceVersion == b.ResourceVersion
		}), nil
	})
}

// stopped leaves the namespace empty, which the cache hears of too, and ends the manager in good order.
func (p *program) stopped(ctx context.Context) error {
	if err := p.direct.DeleteAllOf(ctx, &batchv1.CronJob{}, client.InNamespace(p.namespace)); err != nil {
		return err
	}
	var cached batchv1.CronJobList
	if err := p.cachedAs(ctx, &batchv1.CronJobList{}, &cached); err != nil {
		return fmt.Errorf("the cache still has %v: %w", namesOf(&cached), err)
	}
	p.stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-p.ended:
		return err
	}
}
