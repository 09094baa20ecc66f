package main

import (
	"context"
	"errors"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// informer follows the namespace with the shared informer that controllers use. It gets its first state by a watch, not
// by a list.
func (s *story) informer(ctx context.Context) error {
	list, err := s.cronJobs.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(s.clients, 0, informers.WithNamespace(s.namespace))
	jobs := factory.Batch().V1().CronJobs()
	seen, err := follow(jobs.Informer())
	if err != nil {
		return err
	}
	watchLists := s.wire.count("GET", "/cronjobs?", "sendInitialEvents=true")
	lists := s.wire.count("GET", "/cronjobs?") - s.wire.count("GET", "/cronjobs?", "watch=true")

	running, stop := context.WithCancel(ctx)
	factory.StartWithContext(running)
	defer func() {
		stop()
		factory.Shutdown()
	}()
	if !cache.WaitForCacheSync(ctx.Done(), jobs.Informer().HasSynced) {
		return errors.New("the informer did not get its first state")
	}
	if s.wire.count("GET", "/cronjobs?", "sendInitialEvents=true") != watchLists+1 ||
		s.wire.count("GET", "/cronjobs?")-s.wire.count("GET", "/cronjobs?", "watch=true") != lists {
		return errors.New("the informer did not start by a watch of everything")
	}
	lister := jobs.Lister().CronJobs(s.namespace)
	cached, err := lister.List(labels.Everything())
	if err != nil {
		return err
	}
	if len(list.Items) == 0 || len(cached) != len(list.Items) {
		return fmt.Errorf("the informer has %d objects, listed were %d", len(cached), len(list.Items))
	}
	told := map[notice]bool{}
	for range list.Items {
		next, err := nextNotice(ctx, seen)
		if err != nil {
			return err
		}
		told[next] = true
	}
	for _, job := range list.Items {
		if !told[notice{"add", job.Name, job.ResourceVersion}] {
			return fmt.Errorf("the informer did not tell of %s: %v", job.Name, told)
		}
	}
	return s.checkFollows(ctx, lister.Get, seen)
}

// checkFollows changes the namespace and wants to hear of it; what was heard of is in the cache already.
func (s *story) checkFollows(ctx context.Context, cached func(name string) (*batchv1.CronJob, error), seen <-chan notice) error {
	const name = "followed"
	created, err := s.cronJobs.Create(ctx, cronJob(name, nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := expectNotice(ctx, seen, notice{"add", name, created.ResourceVersion}); err != nil {
		return err
	}
	changed, err := s.cronJobs.Patch(ctx, name, types.MergePatchType, []byte(`{"spec":{"schedule":"@daily"}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	if err := expectNotice(ctx, seen, notice{"update", name, changed.ResourceVersion}); err != nil {
		return err
	}
	if job, err := cached(name); err != nil || job.Spec.Schedule != "@daily" {
		return fmt.Errorf("after the update the cache has %v, %w", job, err)
	}
	if err := s.cronJobs.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := expectNotice(ctx, seen, notice{"delete", name, ""}); err != nil {
		return err
	}
	if _, err := cached(name); !apierrors.IsNotFound(err) {
		return fmt.Errorf("after the deletion the cache says %v", err)
	}
	return nil
}

// notice is one call of an informer's handler. A deletion's version is not known to who deletes, and left empty.
type notice struct{ what, name, resourceVersion string }

func follow(informer cache.SharedIndexInformer) (<-chan notice, error) {
	seen := make(chan notice, 100)
	tell := func(what string, object any) {
		if job, isJob := object.(*batchv1.CronJob); isJob {
			seen <- notice{what, job.Name, job.ResourceVersion}
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("add", object) },
		UpdateFunc: func(_, object any) { tell("update", object) },
		DeleteFunc: func(object any) {
			if job, isJob := object.(*batchv1.CronJob); isJob {
				seen <- notice{"delete", job.Name, ""}
			}
		},
	})
	return seen, err
}

func nextNotice(ctx context.Context, seen <-chan notice) (notice, error) {
	select {
	case <-ctx.Done():
		return notice{}, ctx.Err()
	case next := <-seen:
		return next, nil
	}
}

func expectNotice(ctx context.Context, seen <-chan notice, want notice) error {
	found, err := nextNotice(ctx, seen)
	if err != nil {
		return fmt.Errorf("waiting for %+v: %w", want, err)
	}
	if found != want {
		return fmt.Errorf("the informer told of %+v, not of %+v", found, want)
	}
	return nil
}
