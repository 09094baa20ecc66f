// Package steps runs what a program does, step by step, and says how far it came.
package steps

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// perStep is how long one step may take.
const perStep = time.Minute

// Step is one named part of a program. Run returns nil only when everything that it did was also checked.
type Step struct {
	Name string
	Run  func(ctx context.Context) error
}

// Run prints "ok <step>" after each step. The first that fails ends the program with exit code 1.
func Run(steps []Step) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for _, step := range steps {
		if err := runOne(ctx, step); err != nil {
			Fail(step.Name, err)
		}
		fmt.Println("ok", step.Name)
	}
}

// Fail ends the program.
func Fail(name string, err error) {
	fmt.Fprintf(os.Stderr, "failed %s: %v\n", name, err)
	os.Exit(1)
}

func runOne(ctx context.Context, step Step) error {
	ctx, cancel := context.WithTimeout(ctx, perStep)
	defer cancel()
	return step.Run(ctx)
}

// Connection is the server and the namespace that the environment names.
func Connection() (config *rest.Config, namespace string, err error) {
	namespace = os.Getenv("COXSWAIN_NAMESPACE")
	if namespace == "" {
		return nil, "", errors.New("COXSWAIN_NAMESPACE is not set")
	}
	config, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil).ClientConfig()
	if err != nil {
		return nil, "", err
	}
	// By default a client waits between requests, five in a second.
	config.QPS = -1
	return config, namespace, nil
}
