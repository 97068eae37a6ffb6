// Package argument has the check of an argument that functions of several packages take: a context that must not be
// nil.
package argument

import (
	"context"
	"fmt"
)

// CheckContext returns an error that begins with the name of the package if ctx is nil.
func CheckContext(ctx context.Context, packageName string) error {
	if ctx == nil {
		return fmt.Errorf("%s: the context is nil; pass context.Background()", packageName)
	}
	return nil
}
