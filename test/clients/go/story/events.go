package main

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	toolswatch "k8s.io/client-go/tools/watch"
)

const reporter = "example.com/story"

// events has things to say of a cron job, by the recorder of events.k8s.io and by the older one of core/v1. They are
// found in both versions.
func (s *story) events(ctx context.Context) error {
	job, err := s.cronJobs.Create(ctx, cronJob("reported", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := s.record(ctx, job); err != nil {
		return err
	}
	if err := s.recordCore(ctx, job); err != nil {
		return err
	}

	inCore, err := s.clients.CoreV1().Events(s.namespace).SearchWithContext(ctx, scheme.Scheme, job)
	if err != nil {
		return err
	}
	coreReasons := sets.New[string]()
	for _, event := range inCore.Items {
		coreReasons.Insert(event.Reason)
	}
	stored := s.clients.EventsV1().Events(s.namespace)
	ofJob := fields.Set{"regarding.kind": "CronJob", "regarding.name": job.Name, "regarding.uid": string(job.UID)}
	list, err := stored.List(ctx, metav1.ListOptions{FieldSelector: ofJob.String()})
	if err != nil {
		return err
	}
	reasons := sets.New[string]()
	for _, event := range list.Items {
		reasons.Insert(event.Reason)
	}
	if want := sets.New("BackupTaken", "BackupKept"); !reasons.Equal(want) || !coreReasons.Equal(want) {
		return fmt.Errorf("listed are %v, in core/v1 %v", sets.List(reasons), sets.List(coreReasons))
	}

	if err := stored.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return err
	}
	return s.cronJobs.Delete(ctx, job.Name, metav1.DeleteOptions{})
}

// record says the same twice: that is one Event with a series.
func (s *story) record(ctx context.Context, job *batchv1.CronJob) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: s.clients.EventsV1()})
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, reporter)
	watchEvents := s.clients.EventsV1().Events(s.namespace).Watch

	recorder.Eventf(job, nil, corev1.EventTypeNormal, "BackupTaken", "Backup", "%d tables", 12)
	first, err := awaitEvent[*eventsv1.Event](ctx, watchEvents, "BackupTaken", job.ResourceVersion)
	if err != nil {
		return err
	}
	if first.Series != nil || first.Note != "12 tables" || first.ReportingController != reporter || first.Regarding.UID != job.UID {
		return fmt.Errorf("recorded was %+v", first)
	}
	recorder.Eventf(job, nil, corev1.EventTypeNormal, "BackupTaken", "Backup", "%d tables", 12)
	second, err := awaitEvent[*eventsv1.Event](ctx, watchEvents, "BackupTaken", first.ResourceVersion)
	if err != nil {
		return err
	}
	if second.Name != first.Name || second.Series == nil || second.Series.Count != 2 {
		return fmt.Errorf("recorded again, it is %+v", second)
	}
	return nil
}

// awaitEvent is the next state of an Event with the reason, after a resourceVersion.
func awaitEvent[T runtime.Object](
	ctx context.Context, watchEvents func(context.Context, metav1.ListOptions) (watch.Interface, error), reason, after string,
) (T, error) {
	var found T
	watcher := &cache.ListWatch{WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		options.FieldSelector = fields.OneTermEqualSelector("reason", reason).String()
		return watchEvents(ctx, options)
	}}
	_, err := toolswatch.Until(ctx, after, watcher, func(event watch.Event) (bool, error) {
		object, isEvent := event.Object.(T)
		if !isEvent {
			return false, fmt.Errorf("a watch of Events holds a %T", event.Object)
		}
		found = object
		return true, nil
	})
	if err != nil {
		return found, fmt.Errorf("waiting for %s: %w", reason, err)
	}
	return found, nil
}
