package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// rendererPackage is the program that draws figures, relative to the checkout.
const rendererPackage = "./viz/render/cmd/mkl-render"

// Renderer is the path of the program that draws figures (viz/render/cmd/mkl-render), built
// once into the cache folder:
//
//	GOWORK=off CGO_ENABLED=0 go build -buildvcs=false -ldflags=-s -w -C ROOT -o CACHE/renderer/NAME/mkl-render
//
// NAME carries a fingerprint of every Go file below viz that is compiled (it embeds none of another kind), of go.mod
// and of go.sum, so an edit is noticed at the next call, and of the system and processor. Contents are hashed, not
// times: a fresh clone of the same sources finds the program of the first, and reading the sources costs less than 5
// ms. Missing, damaged or stale, it is built, and say told; two processes that want it at once build it once.
//
// The environment variable MKL_RENDERER names a program to take instead. Without a checkout
// or without the go command the error says so, and the caller shows a table instead.
func Renderer(ctx context.Context, say func(string)) (string, error) {
	say = orQuiet(say)
	if path := os.Getenv("MKL_RENDERER"); path != "" {
		abs, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("setup: MKL_RENDERER=%s is not a program: %w", path, err)
		}
		return abs, nil
	}
	root, dir, err := rendererDir()
	if err != nil {
		return "", err
	}
	if used(dir) && rendererIntact(dir) {
		return filepath.Join(dir, rendererName), nil
	}
	err = locked(ctx, filepath.Dir(filepath.Dir(dir)), "renderer", say, func(lock *os.File) error {
		if rendererIntact(dir) { // the one waited for has built it
			return nil
		}
		return buildRenderer(ctx, root, dir, lock, say)
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, rendererName), nil
}

// rendererIntact reports whether dir holds the renderer that was built there.
func rendererIntact(dir string) bool { return intact(dir, filepath.Base(dir), []string{rendererName}) }

// BuiltRenderer is the path of the renderer where Renderer would return it without building it.
func BuiltRenderer() (path string, ok bool) {
	if os.Getenv("MKL_RENDERER") != "" {
		path, err := Renderer(context.Background(), Quiet)
		return path, err == nil
	}
	_, dir, err := rendererDir()
	return filepath.Join(dir, rendererName), err == nil && used(dir) && rendererIntact(dir)
}

// rendererDir is where the renderer of the checkout in root is, or is to be.
func rendererDir() (root, dir string, err error) {
	if root, err = Root(); err != nil {
		return "", "", err
	}
	cache, err := CacheDir()
	if err != nil {
		return "", "", err
	}
	name, err := rendererOf(root)
	if err != nil {
		return "", "", err
	}
	return root, filepath.Join(cache, "renderer", name), nil
}

// rendererName is the file name of the renderer.
var rendererName = map[bool]string{true: "mkl-render.exe", false: "mkl-render"}[runtime.GOOS == "windows"]

// rendererOf is the name of the folder of the renderer of the sources in root.
func rendererOf(root string) (string, error) {
	f := newFingerprint()
	f.add("system", []byte(runtime.GOOS+"/"+runtime.GOARCH))
	for _, rel := range []string{"go.mod", "go.sum"} {
		if err := f.addFile(root, rel); err != nil {
			return "", err
		}
	}
	if err := f.addTree(root, "viz", goSource); err != nil {
		return "", err
	}
	return "renderer-" + f.String(), nil
}

// buildRenderer builds the renderer into the folder to and removes those that have long not been used. What it starts
// holds lock.
func buildRenderer(ctx context.Context, root, to string, lock *os.File, say func(string)) error {
	gotool, err := exec.LookPath("go")
	if err != nil {
		return fmt.Errorf("setup: the renderer of figures must be built and the go command is not on PATH: %w", err)
	}
	dir := filepath.Dir(to)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cacheError(err)
	}
	prune(dir, ".building-", "", 0)
	say("building the renderer of figures (once, until viz changes)")
	start := time.Now()
	tmp, err := os.MkdirTemp(dir, ".building-*")
	if err != nil {
		return cacheError(err)
	}
	defer os.RemoveAll(tmp)
	cmd := command(ctx, lock, gotool, "build", "-C", root, "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(tmp, rendererName), rendererPackage)
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
	if out, err := cmd.CombinedOutput(); err != nil {
		return failure(ctx, "build the renderer", "the Go modules of the renderer", err, string(out), firstLines(string(out), 4))
	}
	if err := place(tmp, to, filepath.Base(to), []string{rendererName}); err != nil {
		return err
	}
	say("renderer built in " + since(start))
	prune(dir, "", to, unused)
	return nil
}

// failure is the error of a command that was doing something and needed what: that ctx has ended, that a disk is
// full, that a server was not reached, or else words, taken from its output.
func failure(ctx context.Context, doing, what string, err error, output, words string) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("setup: %s: %w", doing, ctx.Err())
	case diskFull(err, output):
		return errDiskFull(signLine(output, fullSigns))
	case needsNetwork(output):
		return errNoNetwork(what, output)
	}
	return fmt.Errorf("setup: %s: %w: %s", doing, err, words)
}

// ErrDiskFull is wrapped by errors of a set-up that found no room.
var ErrDiskFull = errors.New("the disk is full")

// errDiskFull says in one sentence where a disk is full and what to do.
func errDiskFull(line string) error {
	return fmt.Errorf("setup: %w (%s): make room, or set MKL_CACHE, and GOCACHE, GOMODCACHE and TMPDIR of the go command, to folders of another", ErrDiskFull, line)
}

// fullSigns are what the system and Python call a full disk.
var fullSigns = []string{"no space left on device", "No space left on device", "disk quota exceeded", "Disk quota exceeded"}

// diskFull reports whether err is that, or output says it.
func diskFull(err error, output string) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || has(output, fullSigns)
}

// ErrNoNetwork is wrapped by errors of a set-up that needed the network and did not reach it.
var ErrNoNetwork = errors.New("no network")

// errNoNetwork says in one sentence what could not be fetched, with the line that shows it.
func errNoNetwork(what, output string) error {
	return fmt.Errorf("setup: %w: %s could not be fetched (%s); the first start needs the network once, later ones do not",
		ErrNoNetwork, what, networkLine(output))
}

// networkSigns are what the go command and pip print when a server cannot be reached.
var networkSigns = []string{
	"no such host", "dial tcp", "connection refused", "i/o timeout", "network is unreachable", "server misbehaving",
	"TLS handshake timeout", "Temporary failure in name resolution", "Name or service not known", "NewConnectionError",
	"Failed to establish a new connection", "ConnectTimeoutError", "ReadTimeoutError", "Connection refused", "ProxyError",
	"Max retries exceeded", "module lookup disabled by GOPROXY=off", "Connection reset by peer", "nodename nor servname",
}

// needsNetwork reports whether output shows that a server was not reached.
func needsNetwork(output string) bool { return has(output, networkSigns) }

// has reports whether output holds one of the signs.
func has(output string, signs []string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(output, sign) })
}

// networkLine is the part of output that shows it.
func networkLine(output string) string { return signLine(output, networkSigns) }

// signLine is the line of output that holds one of the signs, without the rest of a stack of retries.
func signLine(output string, signs []string) string {
	for line := range strings.Lines(output) {
		for _, sign := range signs {
			if at := strings.Index(line, sign); at >= 0 {
				line = strings.TrimSpace(line)
				if len(line) > 160 {
					return sign
				}
				return line
			}
		}
	}
	return "no answer"
}
