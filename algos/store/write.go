package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteFile replaces the content of a file: a reader finds the old content or the new one. It writes a temporary file
// in the same folder, which must exist, and renames it. It follows symbolic links. A new file gets the mode perm, less
// the user's mask; an existing file keeps its mode. If the path is that of a device or a pipe, such as /dev/stdout, or
// of a link to a file that does not exist, WriteFile writes into it. The error is ErrWrite.
func WriteFile(path string, content []byte, perm fs.FileMode) error {
	target, err := filepath.EvalSymlinks(path)
	info, bad := os.Stat(path)
	_, none := os.Lstat(path)
	switch {
	case bad == nil && info.Mode().IsRegular() && err == nil:
		if err = replace(target, content, info.Mode().Perm()); err == nil {
			err = os.Chmod(target, info.Mode())
		}
	case none == nil:
		err = os.WriteFile(path, content, perm)
	default:
		err = replace(path, content, perm)
	}
	if err != nil {
		return fmt.Errorf("store: %s %w: %w", path, ErrWrite, err)
	}
	return nil
}

// replace writes a temporary file and renames it to path, whatever is there.
func replace(path string, content []byte, perm fs.FileMode) error {
	// The name does not contain that of the file, which may be as long as a name can be.
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".mkl-%x.tmp", rand.Uint64()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer os.Remove(temporary) // has no effect after the renaming
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
