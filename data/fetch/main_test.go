package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mklnb/mkl/data"
)

// content is the file that the tests fetch.
var content = []byte(strings.Repeat("1,2,3\r\n", 5000))

func info(url string) data.Info {
	sum := sha256.Sum256(content)
	return data.Info{Name: "boxes", Aliases: []string{"cubes"}, Title: "Boxes", Publisher: "the Box Society",
		File: "boxes.data",
		URL:  url, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(content))}
}

// temp is an empty folder for temporary files, and what is left in it.
func temp(t *testing.T) (left func() int) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	return func() int {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
}

// TestFetch keeps a file that is right, and leaves no other behind.
func TestFetch(t *testing.T) {
	left := temp(t)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/new", http.StatusFound)
		case "/new":
			w.Write(content)
		}
	}))
	defer server.Close()
	for _, name := range []string{"boxes", "CUBES"} {
		var got []byte
		var out bytes.Buffer
		f := fetcher{client: server.Client(), sets: []data.Info{info(server.URL + "/old")}, out: &out,
			keep: func(name, file string) (*data.Dataset, error) {
				b, err := os.ReadFile(file)
				got = b
				if name != "boxes" {
					t.Errorf("%s is kept", name)
				}
				return data.Rings(4, 1), err
			}}
		if err := f.run(context.Background(), []string{name}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, content) || out.Len() == 0 {
			t.Errorf("%d bytes were kept, %q said", len(got), &out)
		}
		if n := left(); n != 0 {
			t.Errorf("%d temporary files are left", n)
		}
	}

	f := fetcher{client: server.Client(), sets: []data.Info{info(server.URL + "/new")}, out: io.Discard,
		keep: func(string, string) (*data.Dataset, error) { return nil, errors.New("no room") }}
	if err := f.run(context.Background(), []string{"boxes"}); err == nil || !strings.Contains(err.Error(), "no room") ||
		left() != 0 {
		t.Errorf("%v, %d files left, want the error and none", err, left())
	}
}

// TestRefused: whatever is not that file by https is an error, and nothing is kept.
func TestRefused(t *testing.T) {
	left := temp(t)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Error("a server without TLS was asked")
		w.Write(content)
	}))
	defer plain.Close()
	changed := bytes.Clone(content)
	changed[len(changed)/2] ^= 1
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	mux := http.NewServeMux()
	answer := func(path string, f func(w http.ResponseWriter)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { f(w) })
	}
	to := func(address string) func(w http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Location", address)
			w.WriteHeader(http.StatusFound)
		}
	}
	endless := func(w http.ResponseWriter) {
		for range 1000 {
			if _, err := w.Write(content); err != nil {
				return
			}
		}
		t.Error("all of an endless file was read")
	}
	answer("/http", to(plain.URL))
	answer("/file", to("file:///etc/hosts"))
	answer("/data", to("data:text/plain,1"))
	answer("/round", to("/round"))
	answer("/gone", func(w http.ResponseWriter) { w.WriteHeader(http.StatusGone) })
	answer("/changed", func(w http.ResponseWriter) { w.Write(changed) })
	answer("/longer", func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)+1))
		w.Write(content)
		w.Write([]byte("x"))
	})
	answer("/shorter", func(w http.ResponseWriter) {
		w.(http.Flusher).Flush() // no length is said
		w.Write(content[:len(content)-1])
	})
	answer("/endless", func(w http.ResponseWriter) { w.(http.Flusher).Flush(); endless(w) })
	answer("/truncated", func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:len(content)/2])
		panic(http.ErrAbortHandler)
	})
	answer("/packed", func(w http.ResponseWriter) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(content)
	})
	held := make(chan struct{})
	answer("/interrupted", func(w http.ResponseWriter) {
		w.Write(content[:len(content)/2])
		w.(http.Flusher).Flush()
		cancel()
		<-held
	})
	server := httptest.NewTLSServer(mux)
	server.Config.ErrorLog = nil
	defer server.Close()
	defer close(held)
	f := fetcher{client: server.Client(), out: io.Discard, keep: func(name, file string) (*data.Dataset, error) {
		t.Errorf("%s was kept", file)
		return nil, nil
	}}
	refused := func(url, want string) {
		t.Helper()
		f.sets = []data.Info{info(url)}
		err := f.run(ctx, []string{"boxes"})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(),
			"fetch boxes from "+url) {
			t.Errorf("%s: %v, want an error with %q", url, err, want)
		}
		if n := left(); n != 0 {
			t.Errorf("%s: %d temporary files are left", url, n)
		}
	}
	refused(plain.URL, "is refused, want an address of https")
	refused("https:///x", "is refused")
	refused("ftp://example.org/x", "is refused")
	for path, want := range map[string]string{
		"/http": plain.URL + " is refused", "/file": "file:///etc/hosts is refused", "/data": "is refused",
		"/round": "more than 5 redirects",
		"/none":  "404", "/gone": "410", "/changed": "another version of the file",
		"/longer":  "offers 35001 bytes, want 35000",
		"/shorter": "ends after 34999 of 35000 bytes", "/endless": "more than 35000 bytes",
		"/truncated": "unexpected EOF", "/packed": "packs the file",
	} {
		refused(server.URL+path, want)
	}
	refused(server.URL+"/interrupted", context.Canceled.Error()) // the last: ctx is done

	// A server whose certificate nobody vouches for.
	ctx = context.Background()
	f.client = &http.Client{}
	refused(server.URL+"/changed", "certificate")
}

// TestNames: what can be fetched is what data says, and the rest is told how it comes.
func TestNames(t *testing.T) {
	var out bytes.Buffer
	f := fetcher{sets: data.Doors(), out: &out}
	if err := f.run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fetched := 0
	for i, s := range f.sets {
		if len(lines) != len(f.sets) || !strings.HasPrefix(lines[i], s.Name) || !strings.Contains(lines[i],
			s.Publisher) {
			t.Fatalf("the list is\n%s", &out)
		}
		if s.URL != "" {
			fetched++
			if err := secure(s.URL); err != nil {
				t.Error(err)
			}
			continue
		}
		err := f.run(context.Background(), []string{s.Name})
		if err == nil || !strings.Contains(err.Error(), "data.Import") {
			t.Errorf("%s: %v, want how to bring it", s.Name, err)
		}
	}
	if fetched == 0 {
		t.Error("no set can be fetched")
	}
	if err := f.run(context.Background(), []string{"sonar", "kitchen"}); err == nil || !strings.Contains(err.Error(),
		`"sonar" is not a set to fetch`) || !strings.Contains(err.Error(), "kitchen is not fetched") {
		t.Errorf("%v, want errors of both names", err)
	}
}
