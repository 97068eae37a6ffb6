package testenv

import (
	"fmt"
	"runtime"
	"testing"
)

// Failures runs a conformance suite on something broken and returns the messages of its failures, so that a test of the
// suite can ask which promise was seen to be broken. The suite may end itself by Fatal.
func Failures(t testing.TB, suite func(testing.TB)) []string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		suite(r)
	}()
	<-done
	return r.failures
}

// recorder is a testing.TB that keeps failures to itself.
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
