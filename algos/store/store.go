// Package store keeps results in a folder, each in a file of its own, under a key that is a hash of
// all that the result depends on.
//
//	s, err := store.Open(folder)
//	key, err := store.Key("fold", linalg.Backend().ID(), d.Digest(), family, loss, set, rows)
//	if !s.Get(key, &cells) {
//		cells = compute()
//		err = s.Put(key, cells)
//	}
//
// A file is written under another name, renamed when it is whole, and begins with the sha256 of its key and the rest:
// many processes may use a folder at once, one that is killed leaves what it has finished, a reader finds the old
// content or the new one, and what is damaged is as good as absent: Read says so. Stores are merged by copying their
// files (Merge): equal keys are results of equal questions. The sha256 finds damage, not forgery: who can write into a
// folder can put there what he likes.
//
// The key holds the code too: all files of this module that programs are made of, and of what the parts of the key
// come from elsewhere. It is one of contents: a checkout, a copy of it in an image, and a program built outside find
// each other's results, as long as the sources are where they were compiled and have not been edited since the
// program was built. A program that has no sources (built with -trimpath, or alone in a container) finds only what
// the same build of it has kept: it computes anew what others have kept, and after each build. Reading the sources
// takes some 20 ms, once a process. A number from before an edit, of whatever file, does not come back: nobody has to
// say what an edit bears on.
package store

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"

	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data/sha256"
)

// Store is a folder of results. A nil Store holds nothing and keeps nothing.
type Store struct{ folder string }

// ErrWrite is what Put and WriteFile return where the folder or the disk is the reason: it cannot be
// written, it is full. The result is as good as it was, and work may go on without keeping it.
var ErrWrite = errors.New("cannot be written")

// ErrStray is what Read and Merge return of a file that no store has written: a note beside results, another program's.
var ErrStray = errors.New("is no result: no store has written it")

// Open returns the store in a folder, which the first Put makes if need be. It returns an error where
// the path is that of something else.
func Open(folder string) (*Store, error) {
	if folder == "" {
		return nil, errors.New("store: no folder is named")
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("store: %s is a file, want a folder", folder)
	}
	return &Store{folder}, nil
}

// Each of them begins a file; then the sha256 of the key and the rest follows, in hexadecimal, and a newline. The rest
// is what encoding/gob makes of the value, or, where that fails, package registry.
const (
	magic           = "mkl-store/2 "
	magicOfRegistry = "mkl-store/2r "
)

// Get is Read where it does not matter why there is nothing.
func (s *Store) Get(key string, v any) bool { return s.Read(key, v) == nil }

// Read reads what Put kept under a key into v, a pointer. Where nothing is kept, the error is fs.ErrNotExist; another
// error says what is wrong with the file: it is damaged, of another type, or cannot be read. Then v is as it was, and
// Put replaces the file.
func (s *Store) Read(key string, v any) error {
	head, body, err := s.body(key)
	if err != nil {
		return err
	}
	read := reflect.New(reflect.TypeOf(v).Elem())
	if head == magic {
		err = gob.NewDecoder(bytes.NewReader(body)).DecodeValue(read)
	} else {
		err = registry.UnmarshalValue(body, read.Interface())
	}
	if err != nil {
		return fmt.Errorf("store: %s is no %T: %w", filepath.Join(s.folder, key), v, err)
	}
	reflect.ValueOf(v).Elem().Set(read.Elem())
	return nil
}

// mostBytes bounds a file of a store; tests make it small.
var mostBytes int64 = 1 << 30

// body is what is kept under a key, and how it is written: magic or magicOfRegistry.
func (s *Store) body(key string) (head string, body []byte, err error) {
	if s == nil || !named(key) {
		return "", nil, fmt.Errorf("store: %w", fs.ErrNotExist)
	}
	path := filepath.Join(s.folder, key)
	info, err := os.Stat(path)
	if errors.Is(err, syscall.ENOTDIR) { // the store cannot be there, as Put says
		err = fs.ErrNotExist
	}
	if err != nil {
		return "", nil, fmt.Errorf("store: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > mostBytes {
		return "", nil, fmt.Errorf("store: %s is %v of %d bytes, want a file of at most %d", path, info.Mode().Type(),
			info.Size(), mostBytes)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", nil, fmt.Errorf("store: %w", err)
	}
	first, body, _ := bytes.Cut(b, []byte("\n"))
	for _, head := range []string{magic, magicOfRegistry} {
		if hash, ok := strings.CutPrefix(string(first), head); ok && hash == sum(key, body) {
			return head, body, nil
		}
	}
	if len(b) > 0 && !bytes.HasPrefix(b, []byte("mkl-store/")) {
		return "", nil, fmt.Errorf("store: %s %w", path, ErrStray)
	}
	return "", nil, fmt.Errorf("store: %s is damaged: the sha256 of its name and content is another", path)
}

// Merge copies what is kept in the folders from into s and leaves what s has. It returns how many results were copied,
// and of each file that is not a whole result what is wrong with it. Files whose names begin with a dot are nobody's
// results. The error is of a folder that cannot be read or written, or of the end of ctx; merged again, what is missing
// is copied.
func (s *Store) Merge(ctx context.Context, from ...string) (copied int, bad []error, err error) {
	for _, folder := range from {
		names, err := os.ReadDir(folder)
		if err != nil {
			return copied, bad, fmt.Errorf("store: %w", err)
		}
		other := &Store{folder}
		for _, f := range names {
			key := f.Name()
			if err := ctx.Err(); err != nil {
				return copied, bad, err
			}
			if !named(key) {
				continue
			}
			head, body, err := other.body(key)
			if err != nil {
				bad = append(bad, err)
				continue
			}
			if _, _, err := s.body(key); err == nil {
				continue
			}
			if err := s.write(key, head, body); err != nil {
				return copied, bad, err
			}
			copied++
		}
	}
	return copied, bad, nil
}

// Put keeps v, or what it points to, under a key: plain data with exported fields, as encoding/gob
// takes it; or, where registered types lie behind interfaces in it (kernels, points, a model), as package registry
// does. A file has at most 1 GiB. An error that is ErrWrite says that the folder is the reason.
func (s *Store) Put(key string, v any) error {
	if s == nil {
		return nil
	}
	if !named(key) {
		return fmt.Errorf("store: a key %q, want the name of a file", key)
	}
	head, body := magic, new(bytes.Buffer)
	if err := gob.NewEncoder(body).Encode(v); err != nil {
		b, bad := registry.MarshalValue(v)
		if bad != nil {
			return fmt.Errorf("store: keep a %T: %w; %w", v, err, bad)
		}
		head, body = magicOfRegistry, bytes.NewBuffer(b)
	}
	return s.write(key, head, body.Bytes())
}

// write makes the file of a key anew, whatever was in its place.
func (s *Store) write(key, head string, body []byte) error {
	path, content := filepath.Join(s.folder, key), append([]byte(head+sum(key, body)+"\n"), body...)
	if int64(len(content)) > mostBytes {
		return fmt.Errorf("store: %s would have %d bytes, want at most %d", path, len(content), mostBytes)
	}
	err := rename(path, nil, content, 0o644, false)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.folder, 0o755); err == nil {
			err = rename(path, nil, content, 0o644, false)
		}
	}
	if err != nil {
		return fmt.Errorf("store: %s %w: %w", path, ErrWrite, err)
	}
	return nil
}

func sum(key string, body []byte) string {
	s := sha256.Sum256(append([]byte(key+"\n"), body...))
	return hex.EncodeToString(s[:])
}

// named reports that key is the name of a file that is not hidden.
func named(key string) bool {
	return key != "" && key[0] != '.' && !strings.ContainsAny(key, `/\:`) && filepath.IsLocal(key)
}

// WriteFile writes a file by way of a temporary one beside it, which is renamed when it is whole and
// on the disk: a reader finds the old content or the new one. Its folder must exist. A new file has
// the mode perm, less the user's mask; what exists keeps its kind, owner and mode: symbolic links are
// followed; devices, pipes and open files (/dev/stdout) are written into, and so is a file that another cannot replace:
// its owner would not be kept, its folder cannot be written, or it is mounted by itself.
func WriteFile(path string, content []byte, perm fs.FileMode) error {
	if err := replace(path, content, perm); err != nil {
		return fmt.Errorf("store: %s %w: %w", path, ErrWrite, err)
	}
	return nil
}

// errReplace says that a file could not be replaced by another one; nothing has happened to it.
var errReplace = errors.New("another file cannot take its place")

func replace(path string, content []byte, perm fs.FileMode) error {
	old, err := os.Stat(path)
	switch {
	case err == nil && !old.Mode().IsRegular():
		return into(path, content, false)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	name := path
	for { // to where a link leads, which may not be there yet; Stat has found that links do not go in a circle
		target, err := os.Readlink(name)
		if err != nil {
			break
		}
		// an open file, which may have no name any more
		if strings.HasPrefix(name, "/proc/") || strings.HasPrefix(name, "/dev/fd/") {
			return into(path, content, true)
		}
		if !filepath.IsAbs(target) {
			// not Join, which would take a ".." behind a linked folder for that of the link
			folder, _ := filepath.Split(name)
			target = folder + target
		}
		name = target
	}
	err = rename(name, old, content, perm, true)
	if old != nil && errors.Is(err, errReplace) {
		return into(path, content, true)
	}
	return err
}

// rename writes a temporary file and renames it to path, the place of old, which is nil where there is nothing.
func rename(path string, old fs.FileInfo, content []byte, perm fs.FileMode, sync bool) error {
	// Nothing of the file's own name: that may be as long as a name can be.
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".mkl-%x.tmp", rand.Uint64()))
	t, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", errReplace, err)
	}
	if err != nil {
		return err
	}
	defer os.Remove(temporary) // gone already, unless something fails
	if old != nil {
		if err := chown(t, old); err != nil {
			t.Close()
			return fmt.Errorf("%w: %w", errReplace, err)
		}
		err = t.Chmod(old.Mode())
	}
	if _, e := t.Write(content); e != nil {
		err = errors.Join(err, e)
	}
	if sync {
		err = errors.Join(err, t.Sync())
	}
	if err = errors.Join(err, t.Close()); err != nil {
		return err
	}
	err = os.Rename(temporary, path)
	if errors.Is(err, syscall.EBUSY) { // where something is mounted, as one file is in a container
		return fmt.Errorf("%w: %w", errReplace, err)
	}
	return err
}

// into writes content into what is there.
func into(path string, content []byte, sync bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if sync {
		err = errors.Join(err, f.Sync())
	}
	return errors.Join(err, f.Close())
}

// CacheDir is the folder for everything made or fetched: the environment variable MKL_CACHE when set,
// else "mkl" in the user's cache folder. It need not exist yet.
func CacheDir() (string, error) {
	if dir := os.Getenv("MKL_CACHE"); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", fmt.Errorf("MKL_CACHE=%s: %w", dir, err)
		}
		return abs, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w; set MKL_CACHE", err)
	}
	return filepath.Join(dir, "mkl"), nil
}
