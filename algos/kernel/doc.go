// Package kernel is the map θ ↦ K(θ) and its derivatives: points, base kernels, and the families
// built of them.
package kernel
