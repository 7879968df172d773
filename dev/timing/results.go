package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// event is a line of go test -json (go doc test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // of what was built, in place of Package
	Test       string
	Elapsed    float64 // seconds
	Output     string
}

type took struct {
	name    string
	seconds float64
}

// results gathers the events of all packages.
type results struct {
	out      io.Writer
	all      bool                         // print what passes too
	output   map[string]map[string]string // by package and test, of what has not passed
	order    map[string][]string          // the tests of a package, as they began
	packages []took
	tests    []took // those of the first level
}

func newResults(out io.Writer, all bool) *results {
	return &results{out: out, all: all, output: map[string]map[string]string{}, order: map[string][]string{}}
}

func (r *results) add(one event) {
	if one.Package == "" { // what a build says
		fmt.Fprint(r.out, one.Output)
		return
	}
	if r.output[one.Package] == nil {
		r.output[one.Package] = map[string]string{}
	}
	ended := one.Action == "pass" || one.Action == "skip" || one.Action == "fail"
	switch {
	case one.Action == "output" && r.all:
		fmt.Fprint(r.out, one.Output)
	case one.Action == "output" && strings.HasPrefix(one.Output, "=== "): // it began, waits, goes on: said with -v
	case one.Action == "output":
		if _, known := r.output[one.Package][one.Test]; !known {
			r.order[one.Package] = append(r.order[one.Package], one.Test)
		}
		r.output[one.Package][one.Test] += one.Output
	case ended && one.Test == "":
		r.endPackage(one)
	case ended:
		if !strings.Contains(one.Test, "/") {
			r.tests = append(r.tests, took{one.Package + " " + one.Test, one.Elapsed})
		}
		if one.Action != "fail" {
			delete(r.output[one.Package], one.Test)
		}
	}
}

// endPackage prints what is left of a package: its last line where it passes, all else where it fails.
func (r *results) endPackage(one event) {
	r.packages = append(r.packages, took{one.Package, one.Elapsed})
	said := r.output[one.Package]
	delete(r.output, one.Package)
	if one.Action == "fail" {
		for _, test := range r.order[one.Package] {
			if test != "" {
				fmt.Fprint(r.out, said[test])
			}
		}
		fmt.Fprint(r.out, said[""])
		return
	}
	for line := range strings.Lines(said[""]) {
		if strings.HasPrefix(line, "ok") {
			fmt.Fprint(r.out, line)
		}
	}
}

// slowest is how many packages and tests are named.
const slowest = 10

// print prints where the time went, with the processor time of the packages' programs and of all processes.
func (r *results) print(programs map[string]time.Duration, all time.Duration) {
	// "Ran" is from a test's first line to its last one: those that run beside each other wait for each other.
	fmt.Fprintf(r.out, "slowest packages (wall, processor):\n")
	var ran time.Duration
	for _, spent := range programs {
		ran += spent
	}
	for _, one := range first(r.packages) {
		fmt.Fprintf(r.out, "  %7.1f s %7.1f s  %s\n", one.seconds, programs[one.name].Seconds(), one.name)
	}
	fmt.Fprintf(r.out, "slowest tests (wall; they wait for each other):\n")
	for _, one := range first(r.tests) {
		fmt.Fprintf(r.out, "  %7.1f s  %s\n", one.seconds, one.name)
	}
	fmt.Fprintf(r.out, "processor: %.0f s of tests, %.0f s of compiling, linking and vetting\n", ran.Seconds(),
		max(0, all-ran).Seconds())
}

func first(of []took) []took {
	slices.SortFunc(of, func(a, b took) int { return cmp.Compare(b.seconds, a.seconds) })
	return of[:min(slowest, len(of))]
}
