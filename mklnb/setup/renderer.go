package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// EnsureRenderer returns the path of the program that draws figures (viz/render/cmd/mkl-render). If necessary, it
// builds the program into the cache folder. The name of the folder contains a hash of the system, the release of Go,
// go.mod, go.sum and every file below viz except tests, so the next call detects an edit. Two clones with the same
// sources use the same program.
//
// The environment variable MKL_RENDERER names another program. EnsureRenderer returns an error if there is no checkout
// or no go command; the caller then shows a table instead.
func EnsureRenderer(ctx context.Context, logLine func(string)) (string, error) {
	if path := os.Getenv("MKL_RENDERER"); path != "" {
		absolutePath, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("setup: MKL_RENDERER=%s is not a program: %w; unset it or use mkl-render", path, err)
		}
		return absolutePath, nil
	}
	root, err := FindCheckout()
	if err != nil {
		return "", err
	}
	hash, err := hashSources(root, "go.mod", "go.sum", "viz")
	if err != nil {
		return "", err
	}
	const name = "mkl-render.exe" // Windows requires the extension; other systems ignore it
	folder, err := ensureCacheFolder(ctx, "renderer", hash, logLine, func(folder string) error {
		return buildProgram(ctx, logLine, "the renderer of figures", []string{"GOFLAGS=-mod=readonly"}, "build",
			"-C", root, "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(folder, name),
			"./viz/render/cmd/mkl-render")
	})
	return filepath.Join(folder, name), err
}
