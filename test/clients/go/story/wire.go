package main

import (
	"fmt"
	"mime"
	"net/http"
	"strings"
	"sync"
)

// wire sees every request, and keeps those whose body or answer was not in mediaType.
type wire struct {
	mediaType string

	mu      sync.Mutex
	seen    []string // method and URI
	strange []string
}

func (w *wire) wrap(next http.RoundTripper) http.RoundTripper {
	return transportFunc(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if err == nil {
			w.note(request, response)
		}
		return response, err
	})
}

func (w *wire) note(request *http.Request, response *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := request.Method + " " + request.URL.RequestURI()
	w.seen = append(w.seen, line)
	if !strings.Contains(request.URL.Path, "/namespaces/") {
		return // discovery has forms of its own
	}
	if request.Method != http.MethodGet && strings.HasPrefix(request.URL.Path, "/api/v1/") {
		return // the recorder of core Events writes JSON unless it is told otherwise
	}
	// A patch is sent in a type that says how it is meant.
	if sent := request.Header.Get("Content-Type"); sent != "" && request.Method != http.MethodPatch && !w.is(sent) {
		w.strange = append(w.strange, fmt.Sprintf("%s was sent as %s", line, sent))
	}
	if answered := response.Header.Get("Content-Type"); !w.is(answered) {
		w.strange = append(w.strange, fmt.Sprintf("%s was answered as %s", line, answered))
	}
}

func (w *wire) is(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && mediaType == w.mediaType
}

// check fails when a request or an answer was in another form.
func (w *wire) check() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.strange) > 0 {
		return fmt.Errorf("not %s: %s", w.mediaType, strings.Join(w.strange, ", "))
	}
	return nil
}

// count is the number of requests so far that hold all the parts.
func (w *wire) count(parts ...string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := 0
	for _, line := range w.seen {
		if containsAll(line, parts) {
			found++
		}
	}
	return found
}

func containsAll(line string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(line, part) {
			return false
		}
	}
	return true
}

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
