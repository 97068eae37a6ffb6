package main

import (
	"bytes"
	"context"
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

// content is the file that the tests download.
var content = []byte(strings.Repeat("1,2,3\r\n", 5000))

func info(url string) data.Info {
	return data.Info{Name: "boxes", Aliases: []string{"cubes"}, Title: "Boxes", Publisher: "the Box Society",
		File: "boxes.data", URL: url, Size: int64(len(content))}
}

// countTemporary makes an empty folder for temporary files, and returns a function that counts its files.
func countTemporary(t *testing.T) (count func() int) {
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

// TestFetch imports a whole file, and leaves no temporary file.
func TestFetch(t *testing.T) {
	temporary := countTemporary(t)
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
		f := fetcher{client: server.Client(), datasets: []data.Info{info(server.URL + "/old")}, out: &out,
			importFile: func(name, file string) (*data.Dataset, error) {
				b, err := os.ReadFile(file)
				got = b
				if name != "boxes" {
					t.Errorf("%s is imported", name)
				}
				return data.Rings(4, 1), err
			}}
		if err := f.run(context.Background(), []string{name}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, content) || out.Len() == 0 {
			t.Errorf("imported %d bytes, printed %q", len(got), &out)
		}
		if n := temporary(); n != 0 {
			t.Errorf("%d temporary files remain", n)
		}
	}

	f := fetcher{client: server.Client(), datasets: []data.Info{info(server.URL + "/new")}, out: io.Discard,
		importFile: func(string, string) (*data.Dataset, error) { return nil, errors.New("no room") }}
	if err := f.run(context.Background(), []string{"boxes"}); err == nil || !strings.Contains(err.Error(), "no room") ||
		temporary() != 0 {
		t.Errorf("%v, %d files remain, expected the error and no file", err, temporary())
	}
}

// TestRefused requests files that are not whole or not from an HTTPS server: each is an error, and nothing is imported.
func TestRefused(t *testing.T) {
	temporary := countTemporary(t)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Error("a server without TLS received a request")
		w.Write(content)
	}))
	defer plain.Close()
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
	answer("/http", to(plain.URL))
	answer("/file", to("file:///etc/hosts"))
	answer("/round", to("/round"))
	answer("/gone", func(w http.ResponseWriter) { w.WriteHeader(http.StatusGone) })
	answer("/shorter", func(w http.ResponseWriter) {
		w.(http.Flusher).Flush() // the response has no Content-Length
		w.Write(content[:len(content)-1])
	})
	answer("/endless", func(w http.ResponseWriter) {
		w.(http.Flusher).Flush()
		for range 1000 {
			if _, err := w.Write(content); err != nil {
				return
			}
		}
		t.Error("the whole endless file was read")
	})
	answer("/truncated", func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:len(content)/2])
		panic(http.ErrAbortHandler)
	})
	held := make(chan struct{})
	answer("/interrupted", func(w http.ResponseWriter) {
		w.Write(content[:len(content)/2])
		w.(http.Flusher).Flush()
		cancel()
		<-held
	})
	server := httptest.NewTLSServer(mux)
	defer server.Close()
	defer close(held)
	f := fetcher{client: server.Client(), out: io.Discard,
		importFile: func(name, file string) (*data.Dataset, error) {
			t.Errorf("%s was imported", file)
			return nil, nil
		}}
	expectError := func(url, want string) {
		t.Helper()
		f.datasets = []data.Info{info(url)}
		err := f.run(ctx, []string{"boxes"})
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "fetch boxes from "+url) {
			t.Errorf("%s: %v, expected an error with %q", url, err, want)
		}
		if n := temporary(); n != 0 {
			t.Errorf("%s: %d temporary files remain", url, n)
		}
	}
	expectError(plain.URL, "is refused: the address must be https")
	expectError("https:///x", "is refused")
	for path, want := range map[string]string{
		"/http": plain.URL + " is refused", "/file": "file:///etc/hosts is refused", "/round": "more than 5 redirects",
		"/none": "404", "/gone": "410", "/shorter": "received 34999 bytes, expected 35000",
		"/endless": "received 35001 bytes, expected 35000", "/truncated": "unexpected EOF",
	} {
		expectError(server.URL+path, want)
	}
	expectError(server.URL+"/interrupted", context.Canceled.Error()) // the last one, because it ends ctx

	// No authority vouches for the certificate of the server.
	ctx = context.Background()
	f.client = &http.Client{}
	expectError(server.URL+"/shorter", "certificate")
}

// TestNames lists the external datasets, and refuses the ones without an address with advice.
func TestNames(t *testing.T) {
	var out bytes.Buffer
	f := fetcher{datasets: data.ExternalDatasets(), out: &out}
	if err := f.run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	addresses := 0
	for i, s := range f.datasets {
		if len(lines) != len(f.datasets) || !strings.HasPrefix(lines[i], s.Name) ||
			!strings.Contains(lines[i], s.Publisher) {
			t.Fatalf("the list is\n%s", &out)
		}
		if s.URL != "" {
			addresses++
			if err := requireHTTPS(s.URL); err != nil {
				t.Error(err)
			}
			continue
		}
		err := f.run(context.Background(), []string{s.Name})
		if err == nil || !strings.Contains(err.Error(), "data.Import") {
			t.Errorf("%s: %v, expected the advice to import", s.Name, err)
		}
	}
	if addresses == 0 {
		t.Error("no dataset has an address")
	}
	err := f.run(context.Background(), []string{"sonar", "kitchen"})
	if err == nil || !strings.Contains(err.Error(), `no external dataset "sonar"`) ||
		!strings.Contains(err.Error(), "kitchen has no public address") {
		t.Errorf("%v, expected errors for both names", err)
	}
}
