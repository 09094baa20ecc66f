package main

import (
	"context"
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
)

// manyNames are the cron jobs that the pages are made of; the delete-collection step removes them.
func manyNames() []string {
	names := make([]string, 25)
	for i := range names {
		names[i] = fmt.Sprintf("many-%02d", i)
	}
	return names
}

// pages lists 25 cron jobs by hand, following the continue token, and with the pager of the library.
func (s *story) pages(ctx context.Context) error {
	names := manyNames()
	for i, name := range names {
		labels := map[string]string{"set": "many", "half": []string{"even", "odd"}[i%2]}
		if _, err := s.cronJobs.Create(ctx, cronJob(name, labels), metav1.CreateOptions{}); err != nil {
			return err
		}
	}

	options := metav1.ListOptions{LabelSelector: "set=many", Limit: 10}
	var listed []string
	var sizes []int
	versions := map[string]bool{}
	for {
		page, err := s.cronJobs.List(ctx, options)
		if err != nil {
			return err
		}
		sizes = append(sizes, len(page.Items))
		versions[page.ResourceVersion] = true
		listed = append(listed, namesOf(page.Items)...)
		if page.Continue == "" {
			break
		}
		options.Continue = page.Continue
	}
	if !slices.Equal(sizes, []int{10, 10, 5}) || len(versions) != 1 || !slices.Equal(listed, names) {
		return fmt.Errorf("pages of %v objects at %d versions: %v", sizes, len(versions), listed)
	}

	byPager := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return s.cronJobs.List(ctx, options)
	})
	byPager.PageSize = 10
	all, paginated, err := byPager.List(ctx, metav1.ListOptions{LabelSelector: "set=many"})
	if err != nil {
		return err
	}
	if !paginated || meta.LenList(all) != len(names) {
		return fmt.Errorf("the pager found %d objects, in pages: %t", meta.LenList(all), paginated)
	}
	return nil
}

// deleteCollection removes what a selector names, and then what is left.
func (s *story) deleteCollection(ctx context.Context) error {
	if err := s.cronJobs.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "half=even"}); err != nil {
		return err
	}
	rest, err := s.cronJobs.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	var odd []string
	for i, name := range manyNames() {
		if i%2 == 1 {
			odd = append(odd, name)
		}
	}
	if found := namesOf(rest.Items); !slices.Equal(found, odd) {
		return fmt.Errorf("without the even ones there are %v", found)
	}
	if err := s.cronJobs.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return err
	}
	rest, err = s.cronJobs.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if len(rest.Items) != 0 {
		return fmt.Errorf("still there: %v", namesOf(rest.Items))
	}
	return nil
}

func namesOf(jobs []batchv1.CronJob) []string {
	var names []string
	for _, job := range jobs {
		names = append(names, job.Name)
	}
	return names
}
