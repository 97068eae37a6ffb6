//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package setup

import (
	"context"
	"os/exec"
)

func command(ctx context.Context, path string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, path, args...)
}
