package main

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"
)

// discover finds groups, versions and resources, and maps a short name to a resource and its kind, as command line
// tools do.
func (s *story) discover(context.Context) error {
	cached := memory.NewMemCacheClient(s.clients.Discovery())
	if err := checkGroups(cached); err != nil {
		return err
	}
	resources, err := cached.ServerResourcesForGroupVersion("batch/v1")
	if err != nil {
		return err
	}
	if err := checkCronJobs(resources.APIResources); err != nil {
		return err
	}

	mapper := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(cached), cached, nil)
	kind, err := mapper.KindFor(schema.GroupVersionResource{Resource: "cj"})
	if err != nil {
		return err
	}
	if want := (schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "CronJob"}); kind != want {
		return fmt.Errorf("cj is %v, not %v", kind, want)
	}

	version, err := s.clients.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	if version.Major != "1" || version.GitVersion == "" {
		return fmt.Errorf("the server's version is %+v", version)
	}
	return nil
}

func checkGroups(client discovery.DiscoveryInterface) error {
	groups, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	preferred := map[string]string{}
	for _, group := range groups {
		preferred[group.Name] = group.PreferredVersion.Version
	}
	for group, version := range map[string]string{"apps": "v1", "batch": "v1", "events.k8s.io": "v1", "policy": "v1", "storage.k8s.io": "v1"} {
		if preferred[group] != version {
			return fmt.Errorf("the preferred version of %s is %q, not %s", group, preferred[group], version)
		}
		listed := func(list *metav1.APIResourceList) bool {
			return list.GroupVersion == group+"/"+version && len(list.APIResources) > 0
		}
		if !slices.ContainsFunc(lists, listed) {
			return fmt.Errorf("no resources of %s/%s were found", group, version)
		}
	}
	return nil
}

func checkCronJobs(resources []metav1.APIResource) error {
	find := func(name string) metav1.APIResource {
		at := slices.IndexFunc(resources, func(resource metav1.APIResource) bool { return resource.Name == name })
		if at < 0 {
			return metav1.APIResource{}
		}
		return resources[at]
	}
	jobs, status := find("cronjobs"), find("cronjobs/status")
	if jobs.Kind != "CronJob" || !jobs.Namespaced || !slices.Contains(jobs.ShortNames, "cj") {
		return fmt.Errorf("cronjobs are described as %+v", jobs)
	}
	if status.Kind != "CronJob" || !slices.Equal(slices.Sorted(slices.Values(status.Verbs)), []string{"get", "patch", "update"}) {
		return fmt.Errorf("cronjobs/status is described as %+v", status)
	}
	want := []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
	if verbs := slices.Sorted(slices.Values(jobs.Verbs)); !slices.Equal(verbs, want) {
		return fmt.Errorf("cronjobs have the verbs %v", verbs)
	}
	return nil
}
