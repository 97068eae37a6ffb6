package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
)

// failure is the error of a command that was doing something and needed what: that ctx has ended, that a disk is
// full, that a server was not reached, or else words, taken from its output.
func failure(ctx context.Context, doing, what string, err error, output, words string) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("setup: %s: %w", doing, ctx.Err())
	case diskFull(err, output):
		return errDiskFull(signLine(output, fullSigns))
	case has(output, networkSigns):
		return errNoNetwork(what, output)
	}
	return fmt.Errorf("setup: %s: %w: %s", doing, err, words)
}

// ErrDiskFull is wrapped by errors of a set-up that found no room.
var ErrDiskFull = errors.New("the disk is full")

// errDiskFull says in one sentence where a disk is full and what to do.
func errDiskFull(line string) error {
	return fmt.Errorf("setup: %w (%s): make room, or set MKL_CACHE, and GOCACHE, GOMODCACHE and TMPDIR of the go "+
		"command, to folders of another", ErrDiskFull, line)
}

// fullSigns are what the system and Python call a full disk.
var fullSigns = []string{"no space left on device", "No space left on device", "disk quota exceeded",
	"Disk quota exceeded"}

// diskFull reports whether err is that, or output says it.
func diskFull(err error, output string) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || has(output, fullSigns)
}

// ErrNoNetwork is wrapped by errors of a set-up that needed the network and did not reach it.
var ErrNoNetwork = errors.New("no network")

// errNoNetwork says in one sentence what could not be fetched, with the line that shows it.
func errNoNetwork(what, output string) error {
	return fmt.Errorf("setup: %w: %s could not be fetched (%s); the first start needs the network once, later "+
		"ones do not", ErrNoNetwork, what, signLine(output, networkSigns))
}

// networkSigns are what the go command and pip print when a server cannot be reached.
var networkSigns = []string{
	"no such host", "dial tcp", "connection refused", "i/o timeout", "network is unreachable", "server misbehaving",
	"TLS handshake timeout", "Temporary failure in name resolution", "Name or service not known", "NewConnectionError",
	"Failed to establish a new connection", "ConnectTimeoutError", "ReadTimeoutError", "Connection refused",
	"ProxyError",
	"Max retries exceeded", "module lookup disabled by GOPROXY=off", "Connection reset by peer",
	"nodename nor servname",
}

// has reports whether output holds one of the signs.
func has(output string, signs []string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(output, sign) })
}

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
