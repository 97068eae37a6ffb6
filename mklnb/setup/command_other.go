//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package setup

import (
	"context"
	"os/exec"
)

// commandEndingWithParent returns a command that ends when ctx ends. Setup does not support this system.
func commandEndingWithParent(ctx context.Context, path string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, path, args...)
}
