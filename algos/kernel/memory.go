package kernel

import (
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

var memory atomic.Int64 // as set; 0 for the default

// Memory is how many bytes the base matrices of a Sum may take on the points that it is bound to. What
// does not fit is made again, some rows at a time, whenever it is asked for. The default is a quarter of Available.
//
// With Centre or Normalize one half is for the matrices as they are, which slices are cut from, and one for
// those made of them; with a Prepare that is fitted to each slice anew all is for the latter. A slice keeps copies of
// at most a thirty-second part, and cuts the rest from the whole each time. learn.Learn runs as many tasks at a time as
// have room in it together.
func Memory() int64 {
	if v := memory.Load(); v > 0 {
		return v
	}
	return Available() / 4
}

// SetMemory sets Memory for every Sum that is bound to points from now on; bytes ≤ 0 stands for the
// default. It returns what was set before, 0 for the default. Results agree to rounding.
func SetMemory(bytes int64) (before int64) { return memory.Swap(max(bytes, 0)) }

// Available is how many bytes of memory this process may use: those of the machine, of its control group (Linux) or of
// GOMEMLIMIT, the least of them, when it was first asked for; 8 GiB where none of these is known, as on macOS without
// GOMEMLIMIT.
func Available() int64 { return available() }

var available = sync.OnceValue(func() int64 {
	least := min(debug.SetMemoryLimit(-1), controlGroup(os.ReadFile, math.MaxInt64))
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "MemTotal:" {
				if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil {
					least = min(least, kb<<10)
				}
			}
		}
	}
	if least == math.MaxInt64 {
		least = 8 << 30 // not Linux
	}
	return least
})

// controlGroup is the least limit of the control groups that the process is in, of both versions, or none.
func controlGroup(read func(name string) ([]byte, error), none int64) int64 {
	least := none
	limit := func(name string) {
		text, err := read(name)
		if err != nil {
			return
		}
		if v, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && v > 0 { // else "max"
			least = min(least, v)
		}
	}
	text, err := read("/proc/self/cgroup")
	if err != nil {
		return none
	}
	for line := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		root, name := "/sys/fs/cgroup", "memory.max"
		switch {
		case f[0] == "0":
		case strings.Contains(","+f[1]+",", ",memory,"):
			root, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for group := path.Join("/", f[2]); ; group = path.Dir(group) { // its own limit, and those of its parents
			limit(path.Join(root, group, name))
			if group == "/" {
				break
			}
		}
	}
	return least
}
