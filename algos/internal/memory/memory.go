// Package memory says whether a fit fits into memory before it starts: Available returns how much memory this process
// may use, Fit computes how much the matrices of a fit need, and Fit.Check returns a ShortageError with the largest
// number of points that would do. Packages mkl, similarity and learn call it.
package memory

import (
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// Available returns the number of bytes of memory that this process may use, determined at the first call. It is the
// smallest of three limits: the memory of the machine (Linux), the limit of the process's control group (Linux), and
// GOMEMLIMIT. If none of these is known, as on macOS without GOMEMLIMIT, it is 8 GiB.
func Available() (bytes int64) { return available() }

var available = sync.OnceValue(func() int64 {
	limit := min(debug.SetMemoryLimit(-1), controlGroupLimit(os.ReadFile, math.MaxInt64))
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "MemTotal:" {
				if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil {
					limit = min(limit, kb<<10)
				}
			}
		}
	}
	if limit == math.MaxInt64 {
		limit = 8 << 30 // not Linux
	}
	return limit
})

// controlGroupLimit returns the smallest memory limit of the Linux control groups that the process belongs to, for
// version 2 of control groups. If there is no limit, it returns unlimited. read reads a file.
func controlGroupLimit(read func(name string) ([]byte, error), unlimited int64) int64 {
	limit := unlimited
	applyLimitFile := func(fileName string) {
		text, err := read(fileName)
		if err != nil {
			return
		}
		// The text "max" means that there is no limit.
		if v, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && v > 0 {
			limit = min(limit, v)
		}
	}
	text, err := read("/proc/self/cgroup")
	if err != nil {
		return unlimited
	}
	for line := range strings.Lines(string(text)) {
		groupPath, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !ok {
			continue
		}
		for group := path.Join("/", groupPath); ; group = path.Dir(group) { // the control group and its parents
			applyLimitFile(path.Join("/sys/fs/cgroup", group, "memory.max"))
			if group == "/" {
				break
			}
		}
	}
	return limit
}
