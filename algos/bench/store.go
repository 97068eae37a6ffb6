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
		var answer storedAnswer
		stored := &runner{
			time:   func(int) (float64, error) { return answer.Seconds, nil },
			result: func() ([]float64, Origin, error) { return answer.Values, answer.Origin, nil },
		}
		if s.Get(k, &answer) {
			return stored, nil
		}
		started, err := e.start(threads)
		if err != nil {
			return nil, err
		}
		stored.time = func(calls int) (float64, error) {
			if answer.Seconds, err = started.time(calls); err != nil {
				return 0, err
			}
			if answer.Values, answer.Origin, err = started.result(); err != nil {
				return 0, err
			}
			return answer.Seconds, s.Put(k, answer)
		}
		stored.close = started.closeIfOpen
		return stored, nil
	}}
}
