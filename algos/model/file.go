package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
)

// Format is the field "format" of a model file. A change that older programs cannot read gets another number.
const Format = "mkl-model/1"

// file is the JSON form of a model file: see "Files" in the package comment.
type file struct {
	Format     string          `json:"format"`
	Model      json.RawMessage `json:"model"`
	Prediction []float64       `json:"prediction,omitempty"`
	SHA256     string          `json:"sha256,omitempty"` // Write appends it: see checksumField
}

// checksumField returns the end of a model file: the field "sha256" with the checksum of all bytes before it.
func checksumField(content []byte) string {
	return fmt.Sprintf(",\"sha256\":\"%x\"}\n", sha256.Sum256(content))
}

// checksumFieldLength is the length of every checksumField.
var checksumFieldLength = len(checksumField(nil))

// maxPredictionError is the largest accepted |f − f'| / Σ_t |w_t k_θ(x_1, x_t)|, where f is the prediction of the
// loaded model at the first point x_1, and f' is the stored prediction. The rounding errors of k_θ depend on the
// backend of package linalg. The predictions of pure Go and OpenBLAS differed by 1e-16. For centered kernels of
// features whose mean is far from 0 they differed more: by 1e-10 if the mean is 1e3 standard deviations, by 1e-6 if it
// is 1e5.
const maxPredictionError = 1e-5

// Save writes m to a file: see Write. It writes a temporary file in the same folder and renames it, so a reader finds
// the old file or the new one.
func (m *Model) Save(path string) error {
	if _, name := filepath.Split(path); name == "" || name == "." || name == ".." {
		return fmt.Errorf("model: save to %q: the path does not name a file; add a name", path)
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		return err
	}
	if err := store.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("model: save: %w", err)
	}
	return nil
}

// Write writes the content of a model file: see "Files" in the package comment. The types of the family, the points and
// the input must be registered (package registry).
func (m *Model) Write(w io.Writer) error {
	if err := m.validateFields(); err != nil {
		return err
	}
	b, err := registry.MarshalValue(*m)
	if err != nil {
		return fmt.Errorf("model: save: %w", err)
	}
	f := file{Format: Format, Model: b}
	if prediction, _, err := m.predictFirstPoint(); err == nil {
		f.Prediction = prediction
	}
	b, err = json.Marshal(f)
	if err == nil {
		content := bytes.TrimSuffix(b, []byte("}"))
		_, err = w.Write(append(content, checksumField(content)...))
	}
	if err != nil {
		return fmt.Errorf("model: save: %w", err)
	}
	return nil
}

// Load reads a model file: see Read.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("model: load: %w", err)
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("model: load %s: %w", filepath.Base(path), err)
	}
	return m, nil
}

// Read returns the model in the content of a file that Write made. It returns an error if a bit of the content was
// changed (the checksum differs), if the content is not a model file, is cut off, has another format, has an unknown
// field, lacks one of "model", Family, X, Theta, W and "prediction", names a type that this program does not link, or
// has numbers that do not fit together. Other fields that the file lacks are zero. It also returns an error if the
// prediction for the first point differs from the stored one, as after a change of the code of a kernel.
func Read(r io.Reader) (*Model, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var f file
	decoder := json.NewDecoder(bytes.NewReader(b))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&f)
	if err == nil && len(bytes.TrimSpace(b[decoder.InputOffset():])) > 0 {
		err = errors.New("text follows the object")
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF: // an empty file gives io.EOF
		return nil, fmt.Errorf("the file is cut off after %d bytes", len(b))
	case f.Format != Format && (err == nil || f.Format != ""):
		return nil, fmt.Errorf("the format of the model file is %q, but this program reads %q", f.Format, Format)
	case err != nil:
		return nil, fmt.Errorf("not a model file: %w", err)
	case f.Model == nil:
		return nil, errors.New("the file contains no model")
	}
	if n := len(b) - checksumFieldLength; n < 0 || string(b[n:]) != checksumField(b[:n]) {
		return nil, errors.New("the content does not match the checksum at the end of the file (\"sha256\"), so the " +
			"file was damaged or edited; copy it again, or save the model again")
	}
	m := new(Model)
	if err := registry.UnmarshalValue(f.Model, m); err != nil {
		return nil, err
	}
	if err := m.validateFields(); err != nil {
		return nil, err
	}
	if f.Prediction == nil {
		if _, _, err := m.predictFirstPoint(); err == nil {
			return nil, errors.New("the file has no field \"prediction\", although the model can predict its first " +
				"training point; so the loaded model cannot be checked; save the model again")
		}
		return m, nil
	}
	return m, m.compareFirstPrediction(f.Prediction)
}

// predictFirstPoint returns the predictions f for the first point x_1 of m, before exp (LogTargets), and absoluteSums,
// which is Σ_t |w_t k_θ(x_1, x_t)|: one number each for each column of W. It returns an error if m cannot evaluate its
// kernel at its own points, as after Prune of a model of Precomputed kernels, or if a sum is not finite.
func (m *Model) predictFirstPoint() (predictions, absoluteSums []float64, err error) {
	if m.X.Len() == 0 {
		return nil, nil, errors.New("model: the model has no points")
	}
	k, err := m.Gram(m.X.Slice([]int{0}))
	if err != nil {
		return nil, nil, err
	}
	for j, n := 0, m.X.Len(); j < m.targetColumnCount(); j++ {
		prediction, absoluteSum := m.addBiasAndOffset(0, j), 0.0
		for t, k := range k.RawRowView(0) {
			prediction += m.W[j*n+t] * k
			absoluteSum += math.Abs(m.W[j*n+t] * k)
		}
		if math.IsInf(absoluteSum, 0) || math.IsNaN(absoluteSum) {
			return nil, nil, fmt.Errorf("model: the prediction for the first training point is %g; it must be finite",
				prediction)
		}
		predictions, absoluteSums = append(predictions, prediction), append(absoluteSums, absoluteSum)
	}
	return predictions, absoluteSums, nil
}

// compareFirstPrediction returns an error if the prediction of m for its first point differs from the stored one.
func (m *Model) compareFirstPrediction(storedPrediction []float64) error {
	f, absoluteSums, err := m.predictFirstPoint()
	if err != nil {
		return fmt.Errorf("the saved model could predict its first training point, but the loaded one cannot: %w", err)
	}
	if len(storedPrediction) != len(f) {
		return fmt.Errorf("the stored prediction has %d numbers, but the model predicts %d", len(storedPrediction),
			len(f))
	}
	for j, before := range storedPrediction {
		const rounding = 4 * 0x1p-52 // relative tolerance for the rounding errors of adding bias and offset
		if !(math.Abs(f[j]-before) <= maxPredictionError*absoluteSums[j]+rounding*math.Abs(before)) {
			return fmt.Errorf("the model predicts %.6g for its first training point, but predicted %.6g when it was "+
				"saved: code of %T or of a kernel in it has changed; restore the former code, or learn the model again",
				f[j], before, m.Family)
		}
	}
	return nil
}
