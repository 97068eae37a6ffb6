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

// TestDownload downloads a whole file. Any other answer is an error, and no temporary file remains.
func TestDownload(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/whole":
			w.Write(content)
		case "/shorter":
			w.(http.Flusher).Flush() // the response has no Content-Length
			w.Write(content[:len(content)-1])
		case "/endless":
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
		default:
			w.WriteHeader(http.StatusGone)
		}
	}))
	defer server.Close()
	for path, want := range map[string]string{
		"/whole": "", "/none": "410", "/shorter": "received 34999 bytes, expected 35000",
		"/endless": "received 35001 bytes, expected 35000", "/truncated": "unexpected EOF",
	} {
		info := datasets.Info{Name: "boxes", URL: server.URL + path, FileSize: int64(len(content))}
		file, err := download(context.Background(), server.Client(), info)
		if want == "" {
			if got, readErr := os.ReadFile(file); err != nil || readErr != nil || !bytes.Equal(got, content) {
				t.Errorf("%s: %d bytes, %v, %v", path, len(got), err, readErr)
			}
			os.Remove(file)
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected an error with %q", path, err, want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
			t.Errorf("%s: %d temporary files remain, %v", path, len(entries), err)
		}
	}
}

// TestRun lists the datasets. Datasets that are unknown, have no address or cannot be downloaded are errors.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := fetchAll(context.Background(), nil, &out); err != nil ||
		strings.Count(out.String(), "\n") != len(datasets.External()) {
		t.Errorf("%v, listed %s", err, &out)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	err := fetchAll(ended, []string{"sonar", "kitchen", "parkinsons"}, &out)
	for _, want := range []string{`no external dataset "sonar"`, "datasets.Import", "fetch parkinsons from https://"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected an error with %q", err, want)
		}
	}
}
