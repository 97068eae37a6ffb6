package processes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// CanAwaitRead reports whether AwaitRead works on this system.
func CanAwaitRead() bool {
	_, err := os.ReadFile("/proc/self/syscall")
	return err == nil
}

// isReading reports whether a thread of a process, or of a process of its group, reads from the standard input of this
// process.
func isReading(pid int, isGroup bool) bool {
	folder := func(pid any) string { return fmt.Sprint("/proc/", pid) }
	input, err := os.Readlink(folder(pid) + "/fd/0")
	if err != nil {
		return false
	}
	members := []string{folder(pid)}
	if isGroup {
		members, _ = filepath.Glob(folder("[0-9]*"))
	}
	for _, member := range members {
		// After the name in parentheses: state, parent, group.
		stat, _ := os.ReadFile(member + "/stat")
		var state string
		var parent, group int
		_, _ = fmt.Sscan(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), &state, &parent, &group)
		if isGroup && group != pid {
			continue
		}
		if its, _ := os.Readlink(member + "/fd/0"); its != input {
			continue
		}
		threads, _ := filepath.Glob(member + "/task/*/syscall")
		for _, thread := range threads {
			call, _ := os.ReadFile(thread)
			if strings.HasPrefix(string(call), fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)) {
				return true
			}
		}
	}
	return false
}
