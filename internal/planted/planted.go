//go:build planted

package planted

import "os"

var chosen = os.Getenv("EMISSOR_PLANTED")

// Bug reports whether the process has the bug.
func Bug(name string) bool { return name == chosen }
