package render

import "github.com/mklnb/mkl/viz"

func Option(f viz.Figure) ([]byte, error) { return nil, f.Validate() }
