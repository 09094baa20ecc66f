// Attack sends one kind of hostile HTTP/2 traffic to a server over several connections, without credentials, or asks
// for /livez 50 times a second over a connection of its own, or both, and prints figures as JSON. A connection that the
// server closes is dialled again at once.
package main

import (
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// Result is what the program prints. Times are in milliseconds.
type Result struct {
	Attack   string  `json:"attack"`
	Requests int     `json:"requests"`
	Failures int     `json:"failures"`
	P50      float64 `json:"p50Ms"`
	P99      float64 `json:"p99Ms"`
	Max      float64 `json:"maxMs"`
	Dials    int64   `json:"dials"`
	Refused  int64   `json:"refused"`
	SentMB   float64 `json:"sentMB"`
}

var (
	dials   atomic.Int64
	refused atomic.Int64
	sent    atomic.Int64
)

func main() {
	address := flag.String("address", "", "host:port of the HTTPS port")
	name := flag.String("attack", "", "one of the attacks, or none")
	connections := flag.Int("connections", 4, "connections at a time")
	seconds := flag.Float64("seconds", 5, "how long")
	pause := flag.Duration("pause", 0, "between two writes of a connection: a slow attacker")
	asking := flag.Bool("ask", true, "ask for /livez meanwhile")
	list := flag.Bool("list", false, "print the names of the attacks and end")
	flag.Parse()
	if *list {
		names := make([]string, 0, len(attacks))
		for each := range attacks {
			names = append(names, each)
		}
		sort.Strings(names)
		for _, each := range names {
			fmt.Println(each)
		}
		return
	}
	attack, known := attacks[*name]
	if !known && *name != "none" {
		fmt.Fprintf(os.Stderr, "attack: there is no attack %q; -list names them\n", *name)
		os.Exit(2)
	}

	until := time.Now().Add(time.Duration(*seconds * float64(time.Second)))
	var attackers sync.WaitGroup
	if known {
		for range *connections {
			attackers.Go(func() {
				for time.Now().Before(until) {
					run(*address, attack, until, *pause)
				}
			})
		}
	}
	var times []float64
	failures := 0
	if *asking {
		times, failures = ask(*address, until)
	}
	attackers.Wait()

	sort.Float64s(times)
	result := Result{
		Attack: *name, Requests: len(times) + failures, Failures: failures,
		P50: at(times, 0.5), P99: at(times, 0.99), Max: at(times, 1),
		Dials: dials.Load(), Refused: refused.Load(), SentMB: float64(sent.Load()) / 1e6,
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		os.Exit(1)
	}
}

func at(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// run is one connection of the attacker, until the server closes it or the time is over.
func run(address string, attack attackFunc, until time.Time, pause time.Duration) {
	dials.Add(1)
	dialer := net.Dialer{Timeout: 5 * time.Second}
	raw, err := dialer.Dial("tcp", address)
	if err != nil {
		refused.Add(1)
		time.Sleep(10 * time.Millisecond)
		return
	}
	defer raw.Close()
	_ = raw.SetDeadline(until)
	attack(&target{raw: raw, until: until, pause: pause})
}

func clientTLS(protocols ...string) *tls.Config {
	return &tls.Config{InsecureSkipVerify: true, NextProtos: protocols} //nolint:gosec // an attacker does not verify
}

// ask is the client that the attack must not hurt.
func ask(address string, until time.Time) (times []float64, failures int) {
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: clientTLS("h2"), ForceAttemptHTTP2: true},
		Timeout:   5 * time.Second,
	}
	url := "https://" + address + "/livez"
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	var mutex sync.Mutex
	var asked sync.WaitGroup
	for now := range ticker.C {
		if now.After(until) {
			break
		}
		asked.Go(func() {
			started := time.Now()
			response, err := client.Get(url)
			took := float64(time.Since(started).Microseconds()) / 1000
			ok := err == nil && response.StatusCode == http.StatusOK
			if err == nil {
				_ = response.Body.Close()
			}
			mutex.Lock()
			defer mutex.Unlock()
			if ok {
				times = append(times, took)
			} else {
				failures++
			}
		})
	}
	asked.Wait()
	return times, failures
}
