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

// Renderer returns the path of the program that draws figures (viz/render/cmd/mkl-render). It builds the program into
// the cache folder if necessary:
//
//	GOWORK=off CGO_ENABLED=0 go build -buildvcs=false -ldflags=-s -w -C ROOT -o CACHE/NAME/mkl-render
//
// NAME contains a fingerprint of the system, the processor, go.mod, go.sum and every file below viz except tests, so
// the next call detects an edit. The fingerprint depends on the contents of the files, not on their times. Two clones
// with the same sources therefore use the same program.
//
// The environment variable MKL_RENDERER names another program. Renderer returns an error if there is no checkout or no
// go command; the caller then shows a table instead.
func Renderer(ctx context.Context, say func(string)) (string, error) {
	say = nonNilSay(say)
	if path := os.Getenv("MKL_RENDERER"); path != "" {
		abs, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("setup: MKL_RENDERER=%s is not a program: %w; unset it or use mkl-render", path, err)
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
	sources, err := rendererSources(root)
	if err != nil {
		return "", err
	}
	p := programs{kind: "renderer", dir: filepath.Join(cache, "renderer-"+sources), sources: sources,
		names: []string{rendererName}}
	p.build = func(ctx context.Context, to string) error {
		return goBuild(ctx, say, "the renderer of figures", []string{"GOFLAGS=-mod=readonly"}, "build", "-C", root,
			"-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(to, rendererName), rendererPackage)
	}
	return filepath.Join(p.dir, rendererName), p.ensure(ctx, cache, say)
}

// rendererName is the file name of the renderer.
var rendererName = map[bool]string{true: "mkl-render.exe", false: "mkl-render"}[runtime.GOOS == "windows"]

// rendererSources returns a fingerprint of the sources of the renderer in root, of the system and of the processor.
func rendererSources(root string) (string, error) {
	f := newFingerprint()
	f.add("system", []byte(runtime.GOOS+"/"+runtime.GOARCH))
	for _, rel := range []string{"go.mod", "go.sum"} {
		if err := f.addFile(root, rel); err != nil {
			return "", err
		}
	}
	if err := f.addTree(root, "viz", isNonTest); err != nil {
		return "", err
	}
	return f.String(), nil
}
