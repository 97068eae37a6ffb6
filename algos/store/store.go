// Package store stores results in a folder, each in a separate file. The name of a file is a key: a hash of everything
// that the result depends on.
//
//	s, err := store.Open(folder)
//	key, err := store.Key("fold", linalg.Backend().ID(), d.Digest(), family, loss, set, rows)
//	if !s.Get(key, &cells) {
//		cells = compute()
//		err = s.Put(key, cells)
//	}
//
// # Files
//
// Put writes a temporary file and renames it. So many processes may use a folder at once, a reader finds either the old
// content or the new one, and if a process is killed, its finished results remain. The first line of a file contains
// the SHA-256 of its key and content. Get ignores a damaged file; Read returns an error for it. The hash detects
// damage, not forgery: whoever can write into the folder can replace a result.
//
// # Shared folders and object stores
//
// Processes on several machines may share a folder if its file system renames a file atomically over another one in
// the same folder, and if the other machines see a renamed file. Local file systems, NFS and the file systems of
// clusters do this. Nothing is locked. On NFS, a machine may see a new file only after some seconds (the mount option
// actimeo). Until then it may compute the same result again, and replaces the file by an equal result.
//
// Storage such as S3 does not rename: a file system on top of it copies the object instead, and a reader may find a
// part of it. Do not use it as a store. Instead, let each process use a store on its own disk, and copy the files of
// this folder to the object storage when the process has ended. Afterwards copy all of them into one folder, or into
// one folder for each process, and combine these with Merge. Files of the same name contain the same result, so the
// order of the copies does not matter. A file that was copied only in part is damaged, and Get ignores it.
//
// # Keys
//
// A key depends on the code as well. The go command embeds the source files of this module's folders algos and data in
// each program that calls Key. Their hash, with the release of Go and the version of gonum, is the fingerprint of the
// library. All programs and notebook cells that are built from the same files have the same fingerprint: by go run, go
// test or go build, in any folder, and on a machine without the files. An edit of any of these files except tests
// changes every key, so results of other code are not found.
//
// The fingerprint does not cover a type that a program or a notebook cell declares and registers itself, for example
// its own kernel. If a part of a key has such a type, the key depends also on the source files in the folder of that
// program. For a cell these are all declarations and the statements of the cell, so another cell does not find the
// result. In three cases the key depends on every byte of the executable program instead: its source files do not
// exist, a file is newer than the program, or the program has code elsewhere (other packages, modules without a
// version, embedded files, C).
package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
)

// Store is a folder of results. A nil *Store contains no results, and its Put does nothing. Goroutines
// may use one Store at the same time.
type Store struct{ folder string }

// ErrWrite is wrapped by the errors of Put and WriteFile if a file cannot be written, for example because the folder is
// read-only or the disk is full. The program still has the result, so it may continue without storing it.
var ErrWrite = errors.New("the file cannot be written")

// ErrStray is wrapped by the errors of Read and Merge for a file that no Store has written, for example a text file in
// the folder of results.
var ErrStray = errors.New("the file is not a stored result")

// Open returns the store in a folder. The folder need not exist: the first Put makes it. Open returns an error if there
// is a file at this path.
func Open(folder string) (*Store, error) {
	if folder == "" {
		return nil, errors.New("store: the path of the folder is empty; pass a path")
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("store: %s is a file; give the path of a folder", folder)
	}
	return &Store{folder: folder}, nil
}

// firstLinePrefix begins the first line of a file: this text and the SHA-256 of its key and content in hexadecimal. The
// content after the first line is in the format of encoding/gob.
const firstLinePrefix = "mkl-store/5 "

// Get reads the result of a key into v, a pointer, and reports whether it has found one. See Read.
func (s *Store) Get(key string, v any) bool { return s.Read(key, v) == nil }

// Read reads the result of a key into v, a pointer. The error is fs.ErrNotExist if there is no result. Another error
// describes a file that is damaged, holds another type or cannot be read; Put replaces such a file. If Read returns an
// error, v is unchanged.
func (s *Store) Read(key string, v any) error {
	content, err := s.readFile(key)
	if err != nil {
		return err
	}
	result := reflect.New(reflect.TypeOf(v).Elem())
	if err := gob.NewDecoder(bytes.NewReader(content)).DecodeValue(result); err != nil {
		return fmt.Errorf("store: cannot read %s as %T: %w", filepath.Join(s.folder, key), v, err)
	}
	reflect.ValueOf(v).Elem().Set(result.Elem())
	return nil
}

// readFile returns the content in the file of a key.
func (s *Store) readFile(key string) ([]byte, error) {
	if s == nil || !isFileName(key) {
		return nil, fmt.Errorf("store: %w", fs.ErrNotExist)
	}
	path := filepath.Join(s.folder, key)
	info, err := os.Stat(path)
	if errors.Is(err, syscall.ENOTDIR) { // a part of the path is a file, so the folder cannot exist
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if !info.Mode().IsRegular() { // reading a pipe would wait
		return nil, fmt.Errorf("store: %s is not a regular file but of type %v", path, info.Mode().Type())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	firstLine, content, _ := bytes.Cut(b, []byte("\n"))
	if string(firstLine) == firstLinePrefix+hashTexts(key, string(content)) {
		return content, nil
	}
	if len(b) > 0 && !bytes.HasPrefix(b, []byte("mkl-store/")) {
		return nil, fmt.Errorf("store: %w: %s", ErrStray, path)
	}
	return nil, fmt.Errorf("store: %s is damaged: the SHA-256 of its name and content differs", path)
}

// Merge copies the results in the given folders into s. It does not replace undamaged results in s. It returns the
// number of copied results and, in invalid, an error for each file that is not an undamaged result. It ignores files
// whose names begin with a dot. err is not nil if a folder cannot be read or written, or if ctx has ended. Calling
// Merge again then copies the missing results.
func (s *Store) Merge(ctx context.Context, folders ...string) (copiedCount int, invalid []error, err error) {
	for _, folder := range folders {
		files, err := os.ReadDir(folder)
		if err != nil {
			return copiedCount, invalid, fmt.Errorf("store: %w", err)
		}
		sourceStore := &Store{folder: folder}
		for _, f := range files {
			key := f.Name()
			if err := ctx.Err(); err != nil {
				return copiedCount, invalid, err
			}
			if !isFileName(key) {
				continue
			}
			content, err := sourceStore.readFile(key)
			if err != nil {
				invalid = append(invalid, err)
				continue
			}
			if _, err := s.readFile(key); err == nil {
				continue
			}
			if err := s.writeFile(key, content); err != nil {
				return copiedCount, invalid, err
			}
			copiedCount++
		}
	}
	return copiedCount, invalid, nil
}

// Put stores v, or the value that v points to, under a key. The value is plain data with exported fields, which
// encoding/gob can encode. If the file cannot be written, the error wraps ErrWrite.
func (s *Store) Put(key string, v any) error {
	if s == nil {
		return nil
	}
	if !isFileName(key) {
		return fmt.Errorf("store: the key %q is not a file name; use Key", key)
	}
	var content bytes.Buffer
	if err := gob.NewEncoder(&content).Encode(v); err != nil {
		return fmt.Errorf("store: cannot encode %T: %w", v, err)
	}
	return s.writeFile(key, content.Bytes())
}

// writeFile writes the file of a key, or replaces it. It makes the folder if it does not exist.
func (s *Store) writeFile(key string, content []byte) error {
	path := filepath.Join(s.folder, key)
	b := append([]byte(firstLinePrefix+hashTexts(key, string(content))+"\n"), content...)
	err := replaceFile(path, b, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.folder, 0o755); err == nil {
			err = replaceFile(path, b, 0o644)
		}
	}
	if err != nil {
		return fmt.Errorf("store: %w: %s: %w", ErrWrite, path, err)
	}
	return nil
}

// hashTexts returns the SHA-256 of texts, each after its length, so that ("ab", "c") and ("a", "bc") differ.
func hashTexts(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d %s\n", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// isFileName reports whether key is the name of a file that is not hidden.
func isFileName(key string) bool {
	return key != "" && key[0] != '.' && !strings.ContainsAny(key, `/\:`) && filepath.IsLocal(key)
}

// CacheDir returns the path of the folder for everything that this module stores or downloads: the environment variable
// MKL_CACHE or, if it is empty, "mkl" in the user's cache folder. The folder need not exist yet.
func CacheDir() (string, error) {
	if dir := os.Getenv("MKL_CACHE"); dir != "" {
		absolutePath, err := filepath.Abs(dir)
		if err != nil {
			return "", fmt.Errorf("store: the folder in MKL_CACHE=%s is invalid: %w", dir, err)
		}
		return absolutePath, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("store: no cache folder is known: %w; set MKL_CACHE", err)
	}
	return filepath.Join(dir, "mkl"), nil
}
