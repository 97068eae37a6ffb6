package testenv

import (
	"fmt"
	"runtime"
	"testing"
)

// Panic calls f and returns the value with which f panics, or nil.
func Panic(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// ErrorText returns the text of the error of a call with one result, or "".
func ErrorText[T any](_ T, err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// HeapBytes returns the number of bytes in use after a garbage collection that also empties every sync.Pool.
func HeapBytes() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// CollectFailures runs a conformance suite and returns the messages of its failures instead of reporting them to t. The
// test of a suite calls it with an implementation that has a defect, and checks that the suite finds the defect. The
// suite may call Fatal.
func CollectFailures(t testing.TB, suite func(testing.TB)) []string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		suite(r)
	}()
	<-done
	return r.failures
}

// recorder is a testing.TB that records the messages of failures and does not fail.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, a ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, a...))
}
func (r *recorder) Error(a ...any)                 { r.Errorf("%s", fmt.Sprint(a...)) }
func (r *recorder) Fatalf(format string, a ...any) { r.Errorf(format, a...); runtime.Goexit() }
func (r *recorder) Fatal(a ...any)                 { r.Error(a...); runtime.Goexit() }
