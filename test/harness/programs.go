package harness

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Programs are the paths of the built programs.
type Programs struct {
	Emissor   string
	Simulator string // of the national authority
	SaoPaulo  string // of the city of São Paulo
}

// builtVariable names the folder of programs that are built already: make test builds them once
// for all packages that run them.
const builtVariable = "BUILT_PROGRAMS"

// Built are the programs that make test has built, or else built now into a directory.
func Built(ctx context.Context, dir string) (Programs, error) {
	if built := os.Getenv(builtVariable); built != "" {
		return ProgramsIn(built), nil
	}
	return Build(ctx, dir, "-ldflags=-s -w") // without a debugger's tables, as in the image, it is linked sooner
}

// Build builds the programs into a directory, with more flags of go build if there are
// any. It is called from anywhere, and builds with what the product's go.mod requires.
func Build(ctx context.Context, dir string, flags ...string) (Programs, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Programs{}, err
	}
	arguments := append([]string{"build", "-buildvcs=false", "-o", dir + string(filepath.Separator)}, flags...)
	build := exec.CommandContext(ctx, "go", append(arguments,
		"emissor/cmd/emissor", "emissor/cmd/sefin-simulator", "emissor/cmd/saopaulo-simulator")...)
	_, file, _, _ := runtime.Caller(0)
	build.Dir = filepath.Dir(file)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		return Programs{}, fmt.Errorf("build emissor: %w\n%s", err, output)
	}
	return ProgramsIn(dir), nil
}

// ProgramsIn are the programs that were built into a directory.
func ProgramsIn(dir string) Programs {
	return Programs{
		Emissor:   filepath.Join(dir, "emissor"),
		Simulator: filepath.Join(dir, "sefin-simulator"),
		SaoPaulo:  filepath.Join(dir, "saopaulo-simulator"),
	}
}
