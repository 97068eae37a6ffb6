package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteFile replaces the content of a file, so that a reader finds either the old content or the new one. It writes a
// temporary file in the same folder, which must exist, and renames it. It follows symbolic links. A new file gets the
// permissions perm, reduced by the umask; an existing file keeps its permissions. If path names a device or a pipe,
// such as /dev/stdout, or a link to a file that does not exist, WriteFile writes to it without a temporary file. Its
// errors wrap ErrWrite.
func WriteFile(path string, content []byte, perm fs.FileMode) error {
	target, err := filepath.EvalSymlinks(path)
	info, statErr := os.Stat(path)
	_, lstatErr := os.Lstat(path)
	switch {
	case statErr == nil && info.Mode().IsRegular() && err == nil:
		if err = replaceFile(target, content, info.Mode().Perm()); err == nil {
			err = os.Chmod(target, info.Mode())
		}
	case lstatErr == nil:
		err = os.WriteFile(path, content, perm)
	default:
		err = replaceFile(path, content, perm)
	}
	if err != nil {
		return fmt.Errorf("store: %w: %s: %w", ErrWrite, path, err)
	}
	return nil
}

// replaceFile writes content to a temporary file in the same folder and renames it to path. It replaces a file of that
// path.
func replaceFile(path string, content []byte, perm fs.FileMode) error {
	// The name does not contain the name of the file, because that may already have the maximum length.
	temporaryPath := filepath.Join(filepath.Dir(path), fmt.Sprintf(".mkl-%x.tmp", rand.Uint64()))
	f, err := os.OpenFile(temporaryPath, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer os.Remove(temporaryPath) // has no effect after the renaming
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(temporaryPath, path)
}
