package main

import (
	"context"
	"errors"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	toolswatch "k8s.io/client-go/tools/watch"
)

const (
	reporter = "example.com/story"
	reason   = "BackupTaken"
)

// events has something to say of a cron job twice: that is one Event with a series.
func (s *story) events(ctx context.Context) error {
	job, err := s.cronJobs.Create(ctx, cronJob("reported", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := s.record(ctx, job); err != nil {
		return err
	}
	return s.cronJobs.Delete(ctx, job.Name, metav1.DeleteOptions{})
}

// record writes by the recorder of events.k8s.io.
func (s *story) record(ctx context.Context, job *batchv1.CronJob) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: s.clients.EventsV1()})
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, reporter)

	stored := s.clients.EventsV1().Events(s.namespace)
	ofJob := metav1.ListOptions{FieldSelector: fields.Set{
		"regarding.kind": "CronJob", "regarding.name": job.Name, "regarding.uid": string(job.UID), "reason": reason,
	}.String()}
	watcher := &cache.ListWatch{WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		options.FieldSelector = ofJob.FieldSelector
		return stored.Watch(ctx, options)
	}}

	recorder.Eventf(job, nil, corev1.EventTypeNormal, reason, "Backup", "%d tables", 12)
	first, err := toolswatch.Until(ctx, job.ResourceVersion, watcher, isEvent(watch.Added, func(event *eventsv1.Event) bool {
		return event.Series == nil && event.Note == "12 tables" && event.ReportingController == reporter
	}))
	if err != nil {
		return fmt.Errorf("waiting for the first: %w", err)
	}
	recorder.Eventf(job, nil, corev1.EventTypeNormal, reason, "Backup", "%d tables", 12)
	at := first.Object.(*eventsv1.Event).ResourceVersion
	if _, err := toolswatch.Until(ctx, at, watcher, isEvent(watch.Modified, func(event *eventsv1.Event) bool {
		return event.Series != nil && event.Series.Count == 2
	})); err != nil {
		return fmt.Errorf("waiting for the series: %w", err)
	}

	list, err := stored.List(ctx, ofJob)
	if err != nil {
		return err
	}
	if len(list.Items) != 1 || list.Items[0].Regarding.ResourceVersion != job.ResourceVersion || list.Items[0].EventTime.IsZero() {
		return fmt.Errorf("listed are %+v", list.Items)
	}
	if err := stored.Delete(ctx, list.Items[0].Name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	list, err = stored.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if len(list.Items) != 0 {
		return fmt.Errorf("more than was recorded: %+v", list.Items)
	}
	return nil
}

// isEvent wants the very next event of a watch to be this one.
func isEvent[T any](want watch.EventType, matches func(T) bool) toolswatch.ConditionFunc {
	return func(event watch.Event) (bool, error) {
		object, isT := event.Object.(T)
		if !isT {
			return false, fmt.Errorf("an event holds a %T", event.Object)
		}
		if event.Type != want || !matches(object) {
			return false, errors.New(string(event.Type) + " of another state")
		}
		return true, nil
	}
}
