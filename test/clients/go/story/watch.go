package main

import (
	"context"
	"errors"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	toolswatch "k8s.io/client-go/tools/watch"
)

// watchResume watches from a list on, stops, and starts again where it was.
func (s *story) watchResume(ctx context.Context) error {
	list, err := s.cronJobs.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	first, err := s.cronJobs.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		return err
	}
	defer first.Stop()
	want, err := s.lifeOf(ctx, "watched-1")
	if err != nil {
		return err
	}
	if err := expect(ctx, first, want); err != nil {
		return err
	}
	first.Stop()

	// While nobody watches:
	missed, err := s.lifeOf(ctx, "watched-2")
	if err != nil {
		return err
	}

	// The watcher of the library reconnects by itself, from the last event that it has seen.
	again, err := toolswatch.NewRetryWatcherWithContext(ctx, want[len(want)-1].resourceVersion, cache.ToWatcherWithContext(&cache.ListWatch{
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return s.cronJobs.Watch(ctx, options)
		},
	}))
	if err != nil {
		return err
	}
	defer again.Stop()
	if err := expect(ctx, again, missed); err != nil {
		return err
	}
	// Nothing was left over: what comes next is what happens next.
	next, err := s.lifeOf(ctx, "watched-3")
	if err != nil {
		return err
	}
	return expect(ctx, again, next)
}

// change is an event, as the answer to the write that made it says it must be.
type change struct {
	event           watch.EventType
	name            string
	resourceVersion string
}

// lifeOf creates, changes and deletes a cron job. A deletion's version is only on the event, and left empty here.
func (s *story) lifeOf(ctx context.Context, name string) ([]change, error) {
	created, err := s.cronJobs.Create(ctx, cronJob(name, nil), metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	changed, err := s.cronJobs.Patch(ctx, name, types.MergePatchType, []byte(`{"spec":{"suspend":true}}`), metav1.PatchOptions{})
	if err != nil {
		return nil, err
	}
	if err := s.cronJobs.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return nil, err
	}
	return []change{
		{watch.Added, name, created.ResourceVersion},
		{watch.Modified, name, changed.ResourceVersion},
		{watch.Deleted, name, ""},
	}, nil
}

// expect reads just as many events as are wanted. The version of a deletion is entered in want.
func expect(ctx context.Context, watcher watch.Interface, want []change) error {
	for i := range want {
		found, err := nextChange(ctx, watcher)
		if err != nil {
			return err
		}
		if want[i].event == watch.Deleted {
			want[i].resourceVersion = found.resourceVersion
		}
		if found != want[i] || found.resourceVersion == "" {
			return fmt.Errorf("event %d is %+v, not %+v", i+1, found, want[i])
		}
	}
	return nil
}

func nextChange(ctx context.Context, watcher watch.Interface) (change, error) {
	select {
	case <-ctx.Done():
		return change{}, ctx.Err()
	case event, open := <-watcher.ResultChan():
		if !open {
			return change{}, errors.New("the watch ended")
		}
		if event.Type == watch.Error {
			return change{}, apierrors.FromObject(event.Object)
		}
		job, isJob := event.Object.(*batchv1.CronJob)
		if !isJob {
			return change{}, fmt.Errorf("an event holds a %T", event.Object)
		}
		return change{event.Type, job.Name, job.ResourceVersion}, nil
	}
}
