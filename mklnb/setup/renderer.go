package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// rendererPackage is the program that draws figures, relative to the checkout.
const rendererPackage = "./viz/render/cmd/mkl-render"

// Renderer is the path of the program that draws figures (viz/render/cmd/mkl-render), built
// once into the cache folder:
//
//	GOWORK=off CGO_ENABLED=0 go build -buildvcs=false -ldflags=-s -w -C ROOT -o CACHE/NAME/mkl-render
//
// NAME carries a fingerprint of every Go file below viz that is compiled (it embeds none of another kind), of go.mod
// and of go.sum, so an edit is noticed at the next call, and of the system and processor. Contents are hashed, not
// times: a fresh clone of the same sources finds the program of the first, and reading the sources costs less than 5
// ms. Missing, damaged or stale, it is built (programs), which say hears.
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
	root, err := Root()
	if err != nil {
		return "", err
	}
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	name, err := rendererOf(root)
	if err != nil {
		return "", err
	}
	p := programs{kind: "renderer", dir: filepath.Join(cache, name), from: name, names: []string{rendererName}}
	p.build = func(ctx context.Context, to string, lock *os.File) error {
		return goBuild(ctx, lock, say, "the renderer of figures", []string{"GOFLAGS=-mod=readonly"}, "build", "-C",
			root, "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(to, rendererName), rendererPackage)
	}
	return filepath.Join(p.dir, rendererName), p.ensure(ctx, cache, say)
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
