// Package model predicts with a learned kernel, scores predictions, and keeps models in files. It
// knows nothing of how the weights were learned.
//
//	f(z) = Σ_i w_i k_θ(z, x_i) + b + offset
//
// A Model is plain data: the family θ ↦ k_θ, the n points x_i, θ, w and b. What the family fits to
// its points (scales, centring) is fitted again to the stored points, or was frozen into the family where
// only support vectors are stored (Prune), so a model that was saved and loaded predicts the same numbers
// bit for bit. A type is known by its name alone, so a file keeps a few values of the kernel too: one whose code has
// changed since is an error of Load.
//
// Everything between a file and its features belongs to the model too (Input): PredictFile needs nothing
// but the new file, whose columns are matched by their names. Points are matched by the names of their
// features in the same way.
package model
