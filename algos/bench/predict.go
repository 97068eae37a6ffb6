package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// predictionTasks returns tasks that predict one row, as a server does.
func predictionTasks() (all []task) {
	for _, n := range []int{300, 1000, 2000} {
		all = append(all, task{name: fmt.Sprintf("predict row n=%d", n),
			description: "predicts one row of ten features with a model of 13 Gaussians, of which one has a nonzero " +
				"weight; compared with a loop in Go over the points and scikit-learn's KernelRidge.predict",
			prepare: func(*bench) *workload { return preparePrediction(n) }})
	}
	return all
}

func preparePrediction(n int) *workload {
	const d, used = 10, 4
	x, z, y := normalNumbers(n*d, 61), normalNumbers(d, 62), normalNumbers(n, 63)
	gaussians, theta := make(kernel.List, 13), make([]float64, 13)
	for k := range gaussians {
		gaussians[k] = kernel.RBF{Gamma: math.Pow(2, float64(k)-9)}
	}
	theta[used] = 1
	gamma := gaussians[used].(kernel.RBF).Gamma
	trainPoints := points.Rows{N: n, D: d, Data: x}
	p := must((&model.Model{Family: gaussians, X: trainPoints, Theta: theta, W: y}).Predictor())
	var row points.Points = points.Rows{N: 1, D: d, Data: z}
	var predictions []model.Prediction
	predicted := 0.0
	return &workload{
		goImplementations: []implementation{newGoImplementation("Go, Predictor", func() (err error) {
			predictions, err = p.Predict(row)
			return err
		}, func() []float64 { return []float64{predictions[0].Value} }), newGoImplementation("Go, loop", func() error {
			predicted = 0
			for i, w := range y {
				squaredDistance := 0.0
				for j, v := range trainPoints.Row(i) {
					squaredDistance += (v - z[j]) * (v - z[j])
				}
				predicted += w * math.Exp(-gamma*squaredDistance)
			}
			return nil
		}, func() []float64 { return []float64{predicted} })},
		input: map[string]mat.Matrix{"X": mat.NewDense(n, d, x), "z": mat.NewDense(1, d, z), "w": newVector(y)},
		args:  map[string]any{"gamma": gamma},
		peers: []peer{{env: "numpy", program: "predict_sklearn", label: "scikit-learn KernelRidge"}},
		evaluate: func(r, first []float64) Quality {
			return Quality{"difference": math.Abs(r[0]-first[0]) / floats.Norm(y, 1)}
		},
	}
}
