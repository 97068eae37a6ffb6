package memory

import (
	"io/fs"
	"testing"
)

// TestControlGroup reads limits as Linux writes them: the least of a group and its parents counts.
func TestControlGroup(t *testing.T) {
	for i, c := range []struct {
		files map[string]string
		want  int64
	}{
		{map[string]string{}, 7},
		{map[string]string{"/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "max\n"}, 7},
		{map[string]string{"/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "5\n"}, 5},
		{map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "6\n",
			"/sys/fs/cgroup/a/memory.max": "3\n"}, 3},
		{map[string]string{"/proc/self/cgroup": "nonsense\n0:\n", "/sys/fs/cgroup/memory.max": "1\n"}, 7},
	} {
		got := controlGroupLimit(func(name string) ([]byte, error) {
			if text, ok := c.files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}, 7)
		if got != c.want {
			t.Errorf("case %d: a limit of %d, want %d", i, got, c.want)
		}
	}
	if m := Available(); m < 1<<20 {
		t.Errorf("a limit of %d bytes", m)
	}
}
