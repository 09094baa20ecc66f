// Story does with client-go what programs do with a control plane: typed clients, watches, informers, apply, events.
package main

import (
	"context"
	"flag"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"

	"coxswain.test/clients/internal/steps"
)

// story is what the steps share. They run in order: later ones use the objects of earlier ones.
type story struct {
	clients   kubernetes.Interface
	cronJobs  batchclient.CronJobInterface
	namespace string
	wire      *wire
}

func main() {
	asJSON := flag.Bool("json", false, "speak JSON instead of protobuf, the default of typed clients")
	flag.Parse()

	s, err := connect(*asJSON)
	if err != nil {
		steps.Fail("connect", err)
	}
	steps.Run([]steps.Step{
		s.step("discover", s.discover),
		s.step("create", s.create),
		s.step("get", s.get),
		s.step("update-conflict", s.updateConflict),
		s.step("merge-patch", s.mergePatch),
		s.step("strategic-patch", s.strategicPatch),
		s.step("apply", s.apply),
		s.step("status", s.status),
		s.step("pages", s.pages),
		s.step("watch-resume", s.watchResume),
		s.step("informer", s.informer),
		s.step("finalizer", s.finalizer),
		s.step("delete-collection", s.deleteCollection),
		s.step("events", s.events),
		s.step("leader-election", s.leaderElection),
	})
}

func connect(asJSON bool) (*story, error) {
	config, namespace, err := steps.Connection()
	if err != nil {
		return nil, err
	}
	mediaType := runtime.ContentTypeProtobuf
	if asJSON {
		mediaType = runtime.ContentTypeJSON
		config.ContentType = mediaType
	}
	w := &wire{mediaType: mediaType}
	config.Wrap(w.wrap)
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &story{clients: clients, cronJobs: clients.BatchV1().CronJobs(namespace), namespace: namespace, wire: w}, nil
}

// step also fails when something was sent or answered in another form than the one that was meant.
func (s *story) step(name string, run func(context.Context) error) steps.Step {
	return steps.Step{Name: name, Run: func(ctx context.Context) error {
		if err := run(ctx); err != nil {
			return err
		}
		return s.wire.check()
	}}
}
