// Fetch downloads external datasets from their publishers.
//
//	go run github.com/mklnb/mkl/data/fetch            list the external datasets
//	go run github.com/mklnb/mkl/data/fetch NAME…      download these datasets into the cache folder
//
// It downloads only files whose size and SHA-256 are known (data.ExternalDatasets), only over HTTPS, and at most the
// known number of bytes. data.Import checks the SHA-256 and stores the file where data.Load finds it. It is a separate
// program so that no notebook cell links net/http.
package main

import (
	"context"
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
	f := fetcher{client: &http.Client{Timeout: 5 * time.Minute}, datasets: data.ExternalDatasets(),
		importFile: data.Import, out: os.Stdout}
	err := f.run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, strings.TrimPrefix(err.Error(), "data: "))
		os.Exit(1)
	}
}

// fetcher holds the parts of a run that tests replace.
type fetcher struct {
	client     *http.Client
	datasets   []data.Info
	importFile func(name, file string) (*data.Dataset, error)
	out        io.Writer
}

// run downloads the named datasets. If one fails, it continues with the next. Without names it lists the datasets.
func (f *fetcher) run(ctx context.Context, names []string) error {
	if len(names) == 0 {
		for _, s := range f.datasets {
			source := "downloaded from " + s.URL
			if s.URL == "" {
				source = "no public address; data.Import stores your copy of " + s.File
			}
			fmt.Fprintf(f.out, "%-12s %s; published by %s; %s\n", s.Name, s.Title, s.Publisher, source)
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

// fetch downloads one dataset and stores it in the cache folder.
func (f *fetcher) fetch(ctx context.Context, name string) error {
	var known []string
	for _, s := range f.datasets {
		known = append(known, s.Name)
	}
	i := slices.IndexFunc(f.datasets, func(s data.Info) bool {
		return slices.ContainsFunc(append(s.Aliases, s.Name), func(n string) bool { return strings.EqualFold(n, name) })
	})
	if i < 0 {
		return fmt.Errorf("no external dataset %q; choose one of %s; the embedded datasets need no file", name,
			strings.Join(known, ", "))
	}
	s := f.datasets[i]
	if s.URL == "" {
		return fmt.Errorf("%s has no public address; store your copy with data.Import(%q, file); published by %s; "+
			"expected file: %s", s.Name, s.Name, s.Publisher, s.File)
	}
	file, err := f.download(ctx, s)
	if err != nil {
		return fmt.Errorf("fetch %s from %s: %w", s.Name, s.URL, err)
	}
	defer os.Remove(file)
	d, err := f.importFile(s.Name, file)
	if err != nil {
		return err
	}
	fmt.Fprintln(f.out, d)
	return nil
}

// download stores the file of s under a temporary name, which it returns. If it fails, it leaves no file.
func (f *fetcher) download(ctx context.Context, s data.Info) (file string, err error) {
	if err := requireHTTPS(s.URL); err != nil {
		return "", err
	}
	client := *f.client
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) >= 5 {
			return errors.New("more than 5 redirects")
		}
		return requireHTTPS(r.URL.String())
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept-Encoding", "identity") // the SHA-256 belongs to the bytes without compression
	response, err := client.Do(r)
	if err != nil {
		if e := (*url.Error)(nil); errors.As(err, &e) {
			err = e.Err // without the address, which the caller adds
		}
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the server answers %s", response.Status)
	}
	t, err := os.CreateTemp("", "mkl-fetch-*")
	if err != nil {
		return "", err
	}
	n, err := io.Copy(t, io.LimitReader(response.Body, s.Size+1))
	if err == nil && n != s.Size {
		err = errors.New("another version of the file")
	}
	if err = errors.Join(err, t.Close()); err != nil {
		os.Remove(t.Name())
		return "", fmt.Errorf("received %d bytes, expected %d: %w", n, s.Size, err)
	}
	return t.Name(), nil
}

// requireHTTPS returns an error unless address is an HTTPS address.
func requireHTTPS(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	if u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%s is refused: the address must be https", address)
	}
	return nil
}
