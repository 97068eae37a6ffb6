package compare

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/store"
)

// digestOf returns the SHA-256 of rows, in hexadecimal.
func digestOf(rows ...[]int) string {
	var b []byte
	for _, part := range rows {
		b = binary.AppendUvarint(b, uint64(len(part)))
		for _, row := range part {
			b = binary.AppendUvarint(b, uint64(row))
		}
	}
	hash := sha256.Sum256(b)
	return hex.EncodeToString(hash[:])
}

// taskStore stores the results of finished tasks. Tasks of the same split share a file of a store.Store. The key of a
// result covers everything that the result depends on: the kind of task, the data, the parameters of family, loss, set,
// regularizer, rule and solver, gap and iterations of the solves, the training and test rows, the linear algebra, and
// the code. So a changed study never reads an old result. If one of several methods changes, only this method is
// computed again. A run that was killed continues where it stopped. A nil taskStore, or one with a nil resultStore,
// stores nothing.
type taskStore struct {
	resultStore *store.Store
	studyKey    string   // hash of the data, the linear algebra backend and the settings that all methods share
	methodKeys  []string // for each method: hash of studyKey and of all its settings except candidates

	candidateKeys [][]string // for each method and each of its candidates: hash of Set, Reg and Rule

	mu                sync.Mutex
	writeError        error   // why results cannot be stored, or nil; the study continues
	damagedFileErrors []error // one error for each result file that could not be read
}

// openTaskStore opens the folder s.StoreFolder for the methods of w, the workspace of s. If a part of s cannot be
// written to a file, the taskStore stores nothing, and its writeError gives the reason.
func openTaskStore(s *Study, w *fit.Workspace) (*taskStore, error) {
	resultStore, err := store.Open(s.StoreFolder)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	t, dataDigest := &taskStore{}, s.Data.Digest()
	if t.studyKey, err = store.Key(linalg.Backend().ID(), dataDigest, !s.UncenteredTargets, s.Landmarks,
		s.Selection.RestartFromFolds, string(s.Selection.By)); err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	t.candidateKeys = make([][]string, len(w.Methods))
	for i, m := range w.Methods {
		path := w.Path(i)
		parts := []any{t.studyKey, m.Fitter}
		if search, ok := m.Fitter.(fit.Search); ok {
			parts = []any{t.studyKey, search.Family, search.Solver, search.Gap, search.Iterations, search.LogTargets,
				path.Loss, len(path.Values) == 0} // true if the loss keeps its own hyperparameter
		} else if _, ok := m.Fitter.(fit.Best); ok {
			t.methodKeys = append(t.methodKeys, "")
			continue
		} else if s.Data.Group != nil { // a Fitter of another package may choose by folds that keep groups whole
			parts = append(parts, s.Data.Group)
		}
		key, err := store.Key(parts...)
		t.methodKeys = append(t.methodKeys, key)
		for _, c := range w.Candidates(i) {
			if err != nil {
				break
			}
			key := ""
			key, err = store.Key(c.Set, c.Reg, c.Rule)
			t.candidateKeys[i] = append(t.candidateKeys[i], key)
		}
		if err != nil {
			return &taskStore{writeError: fmt.Errorf("method %q cannot be stored: %w", m.Name, err)}, nil
		}
	}
	t.resultStore = resultStore
	return t, nil
}

// taskKey returns the file and the key of the result of a task; "" if t stores nothing.
func (t *taskStore) taskKey(task *fit.Task) (file, key string, err error) {
	if t == nil || t.resultStore == nil {
		return "", "", nil
	}
	candidateKeys := make([]string, len(task.Candidates))
	for j, c := range task.Candidates {
		candidateKeys[j] = t.candidateKeys[task.Method][c.Index]
	}
	parts := []any{task.Kind, t.methodKeys[task.Method], candidateKeys, task.Values,
		digestOf(task.Split.Train, task.Split.Test)}
	if key, err = store.Key(append(parts, task.Inputs...)...); err != nil {
		return "", "", fmt.Errorf("compare: %w", err)
	}
	rows := slices.Clone(task.Split.Train)
	if task.Kind == "fold" { // both parts of a fold are in the training part of a split
		rows = append(rows, task.Split.Test...)
	}
	return t.fileOf(rows), key, nil
}

// fileOf returns the name of the file for the training part of a split, or for all rows on which hyperparameters are
// chosen. It sorts rows.
func (t *taskStore) fileOf(rows []int) string {
	slices.Sort(rows)
	hash := sha256.Sum256([]byte(t.studyKey + digestOf(rows)))
	return hex.EncodeToString(hash[:])
}

// forget frees the memory for the results of a split.
func (t *taskStore) forget(split fit.Split) {
	if t != nil && t.resultStore != nil {
		t.resultStore.Forget(t.fileOf(slices.Clone(split.Train)))
	}
}

// readResult reads the stored result with this key into v and reports whether it succeeded. If the file exists but
// cannot be read, its error is added to t.damagedFileErrors.
func (t *taskStore) readResult(file, key string, v any) bool {
	if key == "" {
		return false
	}
	err := t.resultStore.Read(file, key, v)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.mu.Lock()
		t.damagedFileErrors = append(t.damagedFileErrors, err)
		t.mu.Unlock()
	}
	return err == nil
}

// failureNotes returns notes on results that could not be stored and on files that could not be read.
func (t *taskStore) failureNotes() (notes []string) {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.writeError != nil {
		notes = append(notes, fmt.Sprintf("Some results could not be stored for the next run: %v.",
			t.writeError))
	}
	if n := len(t.damagedFileErrors); n > 0 {
		notes = append(notes, fmt.Sprintf("Stored results that could not be read and count as missing: %d files; "+
			"the first error: %v.", n, t.damagedFileErrors[0]))
	}
	return notes
}

// writeResult stores the result of a task. If the folder cannot be written, it sets t.writeError and returns nil.
func (t *taskStore) writeResult(file, key string, v any) error {
	if key == "" {
		return nil
	}
	err := t.resultStore.Put(file, key, v)
	if errors.Is(err, store.ErrWrite) {
		t.mu.Lock()
		t.writeError = err
		t.mu.Unlock()
		return nil
	}
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return nil
}

// getWriteError returns the last error that kept a result from being stored, or nil.
func (t *taskStore) getWriteError() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.writeError
}
