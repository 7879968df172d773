package main

import (
	"os/exec"
	"strings"
	"testing"
)

// What plays an authority, and what only tests need, is no part of the product.
func TestDependencies(t *testing.T) {
	output, err := exec.Command("go", "list", "-deps", ".").Output()
	must(t, err)
	linked := strings.Fields(string(output))
	if len(linked) < 100 {
		t.Fatalf("only %d packages are listed", len(linked))
	}
	for _, path := range linked {
		switch {
		case strings.HasPrefix(path, "emissor/simulators/"):
			t.Errorf("the simulator %s is linked", path)
		case path == "emissor/internal/testkit", path == "emissor/internal/reference",
			strings.HasPrefix(path, "pgregory.net/rapid"), strings.HasPrefix(path, "github.com/Shopify/toxiproxy"):
			t.Errorf("%s, which only tests need, is linked", path)
		}
	}
}
