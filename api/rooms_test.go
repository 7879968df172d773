package api_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The API accepts and reads; it holds no secret of anybody's and knows no engine.
func TestRooms_API(t *testing.T) {
	output, err := exec.Command("go", "list", "-deps", "emissor/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, forbidden := range []string{"emissor/seal", "emissor/fiscal", "emissor/dispatch",
		"go.temporal.io/sdk/client"} {
		if strings.Contains(string(output), "\n"+forbidden+"\n") {
			t.Errorf("package api depends on %s", forbidden)
		}
	}
}
