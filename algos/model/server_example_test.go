package model_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// serve answers a POST of JSON lines, one object for each row, with a JSON list of predictions.
func serve(m *model.Model) (http.Handler, error) {
	p, err := m.Predictor() // bound once; requests use it at the same time
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /predict", func(w http.ResponseWriter, r *http.Request) {
		predictions, err := p.PredictFrom(http.MaxBytesReader(w, r.Body, 1<<20), "json")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(predictions)
	})
	return mux, nil
}

// A server of a model. A program passes the handler to http.ListenAndServe.
func ExamplePredictor_server() {
	train := strings.NewReader("size,color,price\n1,red,10\n2,blue,21\n3,red,30\n4,blue,41\n")
	d, err := data.Options{Format: data.CSV, Regression: true}.Read(train)
	if err != nil {
		panic(err)
	}
	m := &model.Model{Family: kernel.List{kernel.Linear{}}, X: d.X, Theta: []float64{1}, W: []float64{0, 0, 1, 1},
		Input: d.Encoding} // or model.Load("prices.mkl")
	server := httptest.NewServer(must(serve(m)))
	defer server.Close()
	for _, rows := range []string{`{"size": 2.5, "color": "red"}`, `{"size": "big", "color": "red"}`} {
		answer, err := http.Post(server.URL+"/predict", "application/json", strings.NewReader(rows))
		if err != nil {
			panic(err)
		}
		io.Copy(os.Stdout, answer.Body)
		answer.Body.Close()
	}
	// Output:
	// [{"value":18.5}]
	// model: predict: data: row 1 (line 1), column 2 (size): "big" is not a number, but the column needs numbers
}
