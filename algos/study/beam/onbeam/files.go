package onbeam

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// remote says that a store is an address, as gs://bucket/results, and no folder.
func remote(store string) bool { return strings.Contains(store, "://") }

// absolute is a store for workers, which on this machine may run in another folder.
func absolute(store string) (string, error) {
	if remote(store) {
		return store, nil
	}
	return filepath.Abs(store)
}

// at does something in the folder that a store is. Of an address it is one of this process, with the files of a pattern
// that are there, as * or "" for none, and its other files are copied to the address.
func at(ctx context.Context, store, pattern string, do func(folder string) error) error {
	if !remote(store) {
		return do(store)
	}
	folder, err := os.MkdirTemp("", "onbeam")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if pattern != "" {
		if err := fetch(ctx, store, pattern, folder); err != nil {
			return err
		}
	}
	had, err := names(folder)
	if err != nil {
		return err
	}
	done := do(folder)
	return errors.Join(done, send(context.WithoutCancel(ctx), store, folder, had)) // what is finished is kept
}

// names are those of the results in a folder.
func names(folder string) (map[string]bool, error) {
	all, err := os.ReadDir(folder)
	names := map[string]bool{}
	for _, f := range all {
		if !strings.HasPrefix(f.Name(), ".") {
			names[f.Name()] = true
		}
	}
	return names, err
}

// fetch copies the files of a pattern at an address that a folder has not.
func fetch(ctx context.Context, address, pattern, folder string) error {
	files, err := filesystem.New(ctx, address)
	if err != nil {
		return err
	}
	defer files.Close()
	all, err := files.List(ctx, strings.TrimSuffix(address, "/")+"/"+pattern)
	if err != nil {
		return err
	}
	had, err := names(folder)
	for _, file := range all {
		if had[path.Base(file)] || err != nil {
			continue
		}
		var b []byte
		if b, err = filesystem.Read(ctx, files, file); err == nil {
			err = os.WriteFile(filepath.Join(folder, path.Base(file)), b, 0o600)
		}
	}
	return err
}

// send copies the files of a folder to an address, but for those that it had.
func send(ctx context.Context, address, folder string, had map[string]bool) error {
	all, err := names(folder)
	if err != nil {
		return err
	}
	files, err := filesystem.New(ctx, address)
	if err != nil {
		return err
	}
	defer files.Close()
	for name := range all {
		if had[name] {
			continue
		}
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = filesystem.Write(ctx, files, strings.TrimSuffix(address, "/")+"/"+name, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
