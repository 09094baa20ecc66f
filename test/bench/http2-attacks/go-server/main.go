// Go-server answers /livez over HTTPS and HTTP/2 as a server of Go's standard library does.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
)

func main() {
	cert := flag.String("cert", "", "PEM file")
	key := flag.String("key", "", "PEM file")
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok")) })
	err = http.ServeTLS(listener, handler, *cert, *key)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
