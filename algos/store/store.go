// Package store keeps results that take long to compute in the files of a folder, so that a run that was stopped goes
// on where it ended, and many processes share the work. Package compare stores the results of a study in it.
//
// A file holds the results of related tasks, such as all of one split of a study. The name of a file and that of a
// result in it are keys: hashes of everything that they depend on.
//
//	s, err := store.Open(folder)
//	file, err := store.Key(d.Digest(), rows)
//	key, err := store.Key("fold", linalg.Backend().ID(), family, loss, set)
//	if s.Read(file, key, &cells) != nil {
//		cells = compute()
//		err = s.Put(file, key, cells)
//	}
//
//	Open, Store       a folder of results: Read, Put, Forget, and Merge with other folders
//	Key               the hash of everything on which a result depends
//	CacheDir          the cache folder of this module (MKL_CACHE)
//	WriteFile         replaces a file as a whole, also for other packages
//
// # Files
//
// Put adds a result to the file, and replaces the file by renaming a temporary one. So many processes may use a folder
// at once, a reader finds either the old content or the new one, and if a process is killed, its finished results
// remain. If two processes add to the same file at the same time, one of the two results may be lost, and is computed
// again. The first line of a file contains the SHA-256 of its name and content. The hash detects damage, not forgery:
// whoever can write into the folder can replace a result.
//
// # Shared folders and object stores
//
// Processes on several machines may share a folder if its file system renames a file atomically over another one in
// the same folder, and if the other machines see a renamed file. Local file systems, NFS and the file systems of
// clusters do this. Nothing is locked. On NFS, a machine may see a new file only after some seconds (the mount option
// actimeo). Until then it may compute the same result again, and replaces it by an equal result.
//
// Storage such as S3 does not rename: a file system on top of it copies the object instead, and a reader may find a
// part of it. Do not use it as a store. Instead, let each process use a store on its own disk, and copy this folder to
// a folder of its own in the object storage when the process has ended. Afterwards combine these folders with Merge.
// A file that was copied only in part is damaged and is ignored.
//
// # Keys
//
// A key depends on the code by the constant Numbers, which is raised if a change of the library changes a number, on
// the release of Go and the version of gonum, and on the kind of processor for which the program was built (GOARCH,
// GOAMD64), because its last digits may differ. A type that a program or a notebook cell declares and registers itself,
// for example its own kernel, has no such constant: keys with it depend on every byte of the executable program.
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
	"sync"
	"syscall"
)

// Store is a folder of results. Goroutines may use one Store at the same time.
type Store struct {
	folder string

	mu      sync.Mutex
	results map[string]map[string][]byte // for each file that was read: results in the format of encoding/gob, by key
}

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
	return &Store{folder: folder, results: map[string]map[string][]byte{}}, nil
}

// firstLinePrefix begins the first line of a file: this text and the SHA-256 of its key and content in hexadecimal. The
// content after the first line is a map from keys to results in the format of encoding/gob.
const firstLinePrefix = "mkl-store/6 "

// Read reads the result of a key in a file into v, a pointer. The error is fs.ErrNotExist if there is no result.
// Another error describes a file that is damaged or cannot be read, once for each file, or a result of another type;
// Put replaces it. If Read returns an error, v is unchanged. The file is read once; see Forget.
func (s *Store) Read(file, key string, v any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	results, ok := s.results[file]
	if !ok {
		var err error
		results, err = s.readResults(file)
		s.results[file] = results
		if err != nil {
			return err
		}
	}
	content, ok := results[key]
	if !ok {
		return fmt.Errorf("store: %w", fs.ErrNotExist)
	}
	result := reflect.New(reflect.TypeOf(v).Elem())
	if err := gob.NewDecoder(bytes.NewReader(content)).DecodeValue(result); err != nil {
		return fmt.Errorf("store: cannot read a result of %s as %T: %w", filepath.Join(s.folder, file), v, err)
	}
	reflect.ValueOf(v).Elem().Set(result.Elem())
	return nil
}

// Forget frees the memory for the results of a file. The next Read reads the file again.
func (s *Store) Forget(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.results, file)
}

// readResults returns the results in a file.
func (s *Store) readResults(file string) (results map[string][]byte, err error) {
	content, err := s.readFile(file)
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(content)).Decode(&results)
	}
	if err != nil {
		return nil, err
	}
	return results, nil
}

// readFile returns the content in the file of a key.
func (s *Store) readFile(key string) ([]byte, error) {
	if !isFileName(key) {
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

// Merge adds the results in the given folders to s. It does not replace undamaged results in s. It returns the number
// of files that it has written and, in invalid, an error for each file that is not an undamaged one. It ignores files
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
			if err := ctx.Err(); err != nil {
				return copiedCount, invalid, err
			}
			if !isFileName(f.Name()) {
				continue
			}
			results, err := sourceStore.readResults(f.Name())
			if err != nil {
				invalid = append(invalid, err)
				continue
			}
			isChanged, err := s.addResults(f.Name(), results, false)
			if err != nil {
				return copiedCount, invalid, err
			}
			if isChanged {
				copiedCount++
			}
		}
	}
	return copiedCount, invalid, nil
}

// Put stores v, or the value that v points to, under a key in a file. The value is plain data with exported fields,
// which encoding/gob can encode. If the file cannot be written, the error wraps ErrWrite.
func (s *Store) Put(file, key string, v any) error {
	if !isFileName(file) {
		return fmt.Errorf("store: the key %q is not a file name; use Key", file)
	}
	var content bytes.Buffer
	if err := gob.NewEncoder(&content).Encode(v); err != nil {
		return fmt.Errorf("store: cannot encode %T: %w", v, err)
	}
	_, err := s.addResults(file, map[string][]byte{key: content.Bytes()}, true)
	return err
}

// addResults adds results to a file, which another process may have changed. If replace is not set, it keeps results
// that the file has already. It reports whether it has changed the file.
func (s *Store) addResults(file string, added map[string][]byte, replace bool) (isChanged bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	results, err := s.readResults(file)
	if err != nil { // damaged, or there is none
		results = map[string][]byte{}
	}
	for key, content := range added {
		if _, ok := results[key]; !ok || replace {
			results[key], isChanged = content, true
		}
	}
	s.results[file] = results
	if !isChanged {
		return false, nil
	}
	var content bytes.Buffer
	if err := gob.NewEncoder(&content).Encode(results); err != nil {
		return false, fmt.Errorf("store: %w", err)
	}
	return true, s.writeFile(file, content.Bytes())
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
