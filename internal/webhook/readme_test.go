package webhook_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"emissor/internal/webhook"
)

// The README's ten lines really verify what we send, and refuse what we did not.
func TestWebhookSignature_READMEVerifies(t *testing.T) {
	verify := built(t, readmeCode(t))
	const secret, body = "whsec_test", `{"id":"evt_1","name":"Conceição"}`
	now := time.Now()
	sign := func(at time.Time, secrets ...string) string { return webhook.Sign(secrets, at, []byte(body)) }
	for name, test := range map[string]struct {
		header, body string
		valid        bool
	}{
		"ours":           {sign(now, secret), body, true},
		"while rotating": {sign(now, "whsec_new", secret), body, true},
		"another secret": {sign(now, "whsec_new"), body, false},
		"a changed body": {sign(now, secret), strings.Replace(body, "evt_1", "evt_2", 1), false},
		"no header":      {"", body, false},
		"nonsense":       {"t=é,v1=é,x", body, false},
		"5,000 digits":   {"t=" + strings.Repeat("9", 5000) + ",v1=" + strings.Repeat("0", 64), body, false},
		"an old call":    {sign(now.Add(-time.Hour), secret), body, false},
		"a changed moment": {strings.Replace(sign(now.Add(-time.Hour), secret),
			fmt.Sprint(now.Add(-time.Hour).Unix()), fmt.Sprint(now.Unix()), 1), body, false},
	} {
		if valid := verified(t, verify, secret, test.header, test.body); valid != test.valid {
			t.Errorf("%s: %v", name, valid)
		}
	}
}

// readmeCode is the README's block that verifies, of at most a dozen lines.
func readmeCode(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(readme, -1) {
		if code := string(block[1]); strings.Contains(code, "verify(") {
			if lines := strings.Count(code, "\n"); lines > 12 {
				t.Errorf("the README's verification has %d lines", lines)
			}
			return code
		}
	}
	t.Fatal("the README verifies nothing")
	return ""
}

// built makes a program of the function verify, and returns its path.
func built(t *testing.T, code string) string {
	t.Helper()
	imports := `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/hex"; "fmt"; "os"; "slices"; "strconv"; "strings"; "time")
func main() { fmt.Println(verify(os.Args[1], os.Args[2], []byte(os.Args[3]))) }
`
	directory := t.TempDir()
	source, binary := filepath.Join(directory, "main.go"), filepath.Join(directory, "verify")
	if err := os.WriteFile(source, []byte(imports+code), 0o600); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	return binary
}

func verified(t *testing.T, program, secret, header, body string) bool {
	t.Helper()
	output, err := exec.Command(program, secret, header, body).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return strings.TrimSpace(string(output)) == "true"
}
