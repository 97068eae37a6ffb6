// Fetch brings a dataset that is not part of this module from where it is published.
//
//	go run github.com/mklnb/mkl/data/fetch            list what can be fetched
//	go run github.com/mklnb/mkl/data/fetch NAME…      fetch these into the cache folder
//
// It fetches only files whose sha256 is known beforehand (data.Doors), over https alone, no more bytes
// than the file has, into a temporary file, and keeps it by data.Import, under the name that data.Load
// looks for, once it is whole and its sha256 is right. It is a program of its own so that no notebook
// cell links net/http.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mklnb/mkl/data"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	f := fetcher{client: &http.Client{Timeout: 5 * time.Minute}, sets: data.Doors(), keep: data.Import, out: os.Stdout}
	err := f.run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, strings.TrimPrefix(err.Error(), "data: "))
		os.Exit(1)
	}
}

// fetcher is what a run of the program works with.
type fetcher struct {
	client *http.Client
	sets   []data.Info
	keep   func(name, file string) (*data.Dataset, error)
	out    io.Writer
}

// run fetches the named sets, those after one that fails too.
func (f *fetcher) run(ctx context.Context, names []string) error {
	if len(names) == 0 {
		for _, s := range f.sets {
			how := "fetched from " + s.URL
			if s.URL == "" {
				how = "not fetched: the published file's sha256 is not known; data.Import takes a copy of " + s.File
			}
			fmt.Fprintf(f.out, "%-12s %s; published by %s; %s\n", s.Name, s.Title, s.Publisher, how)
		}
		return nil
	}
	var failed []error
	for _, name := range names {
		if err := f.fetch(ctx, name); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// fetch brings one set into the cache folder.
func (f *fetcher) fetch(ctx context.Context, name string) error {
	i := slices.IndexFunc(f.sets, func(s data.Info) bool {
		return strings.EqualFold(s.Name, name) || slices.ContainsFunc(s.Aliases,
			func(a string) bool { return strings.EqualFold(a, name) })
	})
	switch {
	case i < 0:
		var names []string
		for _, s := range f.sets {
			names = append(names, s.Name)
		}
		return fmt.Errorf("%q is not a set to fetch, want one of %s; what data.List names needs no file", name,
			strings.Join(names, ", "))
	case f.sets[i].URL == "":
		return fmt.Errorf("%s is not fetched, because the sha256 of the published file is not known: bring a copy "+
			"by data.Import(%q, file); it is published by %s, expected is %s", f.sets[i].Name, f.sets[i].Name,
			f.sets[i].Publisher, f.sets[i].File)
	}
	s := f.sets[i]
	file, err := f.download(ctx, s)
	if err != nil {
		return fmt.Errorf("fetch %s from %s: %w", s.Name, s.URL, err)
	}
	defer os.Remove(file)
	d, err := f.keep(s.Name, file)
	if err != nil {
		return err
	}
	fmt.Fprintln(f.out, d)
	return nil
}

// download stores the file of s, once it is whole and known to be it, under a temporary name. Nothing
// is left where it fails.
func (f *fetcher) download(ctx context.Context, s data.Info) (file string, err error) {
	if err := secure(s.URL); err != nil {
		return "", err
	}
	client := *f.client
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) >= 5 {
			return errors.New("more than 5 redirects")
		}
		return secure(r.URL.String())
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept-Encoding", "identity") // the bytes that have the sha256
	answer, err := client.Do(r)
	if err != nil {
		if e := (*url.Error)(nil); errors.As(err, &e) {
			err = e.Err // which names the address again
		}
		return "", err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode != http.StatusOK:
		return "", fmt.Errorf("the server answers %s", answer.Status)
	case answer.Header.Get("Content-Encoding") != "":
		return "", fmt.Errorf("the server packs the file (%s), want it as it is", answer.Header.Get("Content-Encoding"))
	case answer.ContentLength >= 0 && answer.ContentLength != s.Size:
		return "", fmt.Errorf("the server offers %d bytes, want %d: another version of the file",
			answer.ContentLength, s.Size)
	}
	t, err := os.CreateTemp("", "mkl-fetch-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, t.Close()); err != nil {
			os.Remove(t.Name())
		}
	}()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(t, sum), io.LimitReader(answer.Body, s.Size+1))
	switch got := hex.EncodeToString(sum.Sum(nil)); {
	case err != nil:
		return "", fmt.Errorf("after %d of %d bytes: %w", n, s.Size, err)
	case n > s.Size:
		return "", fmt.Errorf("the server sends more than %d bytes: another version of the file", s.Size)
	case n < s.Size:
		return "", fmt.Errorf("the file ends after %d of %d bytes", n, s.Size)
	case got != s.SHA256:
		return "", fmt.Errorf("sha256 %s, want %s: another version of the file", got, s.SHA256)
	}
	return t.Name(), nil
}

// secure refuses an address that is not https.
func secure(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	if u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%s is refused, want an address of https", address)
	}
	return nil
}
