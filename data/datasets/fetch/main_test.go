package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mklnb/mkl/data/datasets"
)

// content is the file that the tests download.
var content = []byte(strings.Repeat("1,2,3\r\n", 5000))

// TestDownload downloads whole files. Files that are not whole or not from an HTTPS server are errors. No temporary
// file remains after an error.
func TestDownload(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Error("a server without TLS received a request")
	}))
	defer plain.Close()
	ctx, cancel := context.WithCancel(context.Background())
	held := make(chan struct{})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/new", http.StatusFound)
		case "/new":
			w.Write(content)
		case "/http":
			http.Redirect(w, r, plain.URL, http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/shorter":
			w.(http.Flusher).Flush() // the response has no Content-Length
			w.Write(content[:len(content)-1])
		case "/endless":
			w.(http.Flusher).Flush()
			for range 1000 {
				if _, err := w.Write(content); err != nil {
					return
				}
			}
			t.Error("the whole endless file was read")
		case "/truncated":
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			w.Write(content[:len(content)/2])
			panic(http.ErrAbortHandler)
		case "/interrupted":
			w.Write(content[:len(content)/2])
			w.(http.Flusher).Flush()
			cancel()
			<-held
		default:
			w.WriteHeader(http.StatusGone)
		}
	}))
	defer server.Close()
	defer close(held)
	download := func(address string) (string, error) {
		return download(ctx, server.Client(), datasets.Info{Name: "boxes", URL: address, Size: int64(len(content))})
	}
	for _, path := range []string{"/new", "/old"} {
		file, err := download(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%s: %d bytes, %v", path, len(got), err)
		}
		os.Remove(file)
	}
	for _, c := range [][2]string{
		{plain.URL, "is refused: the address must be https"}, {server.URL + "/http", plain.URL + " is refused"},
		{server.URL + "/round", "more than 5 redirects"}, {server.URL + "/none", "410"},
		{server.URL + "/shorter", "received 34999 bytes, expected 35000"},
		{server.URL + "/endless", "received 35001 bytes, expected 35000"},
		{server.URL + "/truncated", "unexpected EOF"},
		{server.URL + "/interrupted", context.Canceled.Error()}, // the last one, because it ends ctx
	} {
		if _, err := download(c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, expected an error with %q", c[0], err, c[1])
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
			t.Errorf("%s: %d temporary files remain, %v", c[0], len(entries), err)
		}
	}
}

// TestRun lists the datasets. Datasets that are unknown, have no address or cannot be downloaded are errors.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(context.Background(), nil, &out); err != nil ||
		strings.Count(out.String(), "\n") != len(datasets.External()) {
		t.Errorf("%v, listed %s", err, &out)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	err := run(ended, []string{"sonar", "kitchen", "parkinsons"}, &out)
	for _, want := range []string{`no external dataset "sonar"`, "datasets.Import", "fetch parkinsons from https://"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected an error with %q", err, want)
		}
	}
}
