// Fetch downloads external datasets from their publishers.
//
//	go run github.com/mklnb/mkl/data/datasets/fetch            list the external datasets
//	go run github.com/mklnb/mkl/data/datasets/fetch NAME…      download these datasets into the cache folder
//
// It downloads only files whose size and SHA-256 are known (datasets.External), and at most the known number of bytes.
// datasets.Import checks the SHA-256 and stores the file where datasets.Load finds it. Fetch is a separate program so
// that no notebook cell links net/http.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/mklnb/mkl/data/datasets"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := fetchAll(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// fetchAll downloads the named datasets. If one fails, it continues with the next. Without names it lists the datasets.
func fetchAll(ctx context.Context, names []string, out io.Writer) (err error) {
	if len(names) == 0 {
		for _, s := range datasets.External() {
			fmt.Fprintf(out, "%-12s %s; published by %s %s\n", s.Name, s.Title, s.Publisher, s.URL)
		}
	}
	for _, name := range names {
		err = errors.Join(err, fetch(ctx, name, out))
	}
	return err
}

// fetch downloads one dataset and stores it in the cache folder.
func fetch(ctx context.Context, name string, out io.Writer) error {
	sets := datasets.External()
	i := slices.IndexFunc(sets, func(s datasets.Info) bool { return s.Name == name })
	if i < 0 {
		return fmt.Errorf("no external dataset %q; call the program without a name to list them", name)
	}
	s := sets[i]
	if s.URL == "" {
		return fmt.Errorf("%s has no public address; store your copy with datasets.Import(%q, file); published by %s; "+
			"expected file: %s", s.Name, s.Name, s.Publisher, s.File)
	}
	file, err := download(ctx, &http.Client{Timeout: 5 * time.Minute}, s)
	if err != nil {
		return fmt.Errorf("fetch %s from %s: %w", s.Name, s.URL, err)
	}
	defer os.Remove(file)
	d, err := datasets.Import(s.Name, file)
	if err == nil {
		fmt.Fprintln(out, d)
	}
	return err
}

// download stores the file of s under a temporary name, which it returns. If it fails, it leaves no file.
func download(ctx context.Context, client *http.Client, s datasets.Info) (file string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept-Encoding", "identity") // the SHA-256 belongs to the bytes without compression
	response, err := client.Do(r)
	if err != nil {
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
	n, err := io.Copy(t, io.LimitReader(response.Body, s.FileSize+1))
	if err == nil && n != s.FileSize {
		err = errors.New("the publisher has replaced the file; import the expected version if you have it")
	}
	if err = errors.Join(err, t.Close()); err != nil {
		os.Remove(t.Name())
		return "", fmt.Errorf("received %d bytes, expected %d: %w", n, s.FileSize, err)
	}
	return t.Name(), nil
}
