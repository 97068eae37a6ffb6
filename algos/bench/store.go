package main

import (
	"path/filepath"

	"github.com/mklnb/mkl/algos/store"
)

// storedAnswer is the answer of an implementation and the time that it took.
type storedAnswer struct {
	Seconds float64
	Values  []float64
	Origin  Origin
}

// withStore returns an implementation that returns the answer that an earlier run of e stored in the cache folder. If
// there is none, it runs e and stores the answer. key returns the name of the stored answer.
func (b *bench) withStore(e implementation, key func(e implementation, threads int) (string, error)) implementation {
	return implementation{e.label, e.env, func(threads int) (*runner, error) {
		cache, err := store.CacheDir()
		if err != nil {
			return nil, err
		}
		s, err := store.Open(filepath.Join(cache, "bench-quality"))
		if err != nil {
			return nil, err
		}
		k, err := key(e, threads)
		if err != nil {
			return nil, err
		}
		var f storedAnswer
		stored := &runner{
			time:   func(int) (float64, error) { return f.Seconds, nil },
			result: func() ([]float64, Origin, error) { return f.Values, f.Origin, nil },
		}
		if s.Get(k, &f) {
			return stored, nil
		}
		started, err := e.start(threads)
		if err != nil {
			return nil, err
		}
		stored.time = func(calls int) (float64, error) {
			if f.Seconds, err = started.time(calls); err != nil {
				return 0, err
			}
			if f.Values, f.Origin, err = started.result(); err != nil {
				return 0, err
			}
			return f.Seconds, s.Put(k, f)
		}
		stored.close = started.closeIfOpen
		return stored, nil
	}}
}
