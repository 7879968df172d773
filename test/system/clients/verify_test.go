package clients

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/client"
	"emissor/test/long"
)

// The files of docs/integrating/verify say the same of every case in all languages, and Go's verification accepts the
// same ones.
func TestVerify_EveryLanguage(t *testing.T) {
	long.Only(t, "has the verifications of docs/integrating/verify judge forged, replayed, cut and absurd webhooks")
	t.Parallel()
	for _, language := range languages {
		t.Run(language.name, func(t *testing.T) {
			t.Parallel()
			need(t, language.needs...)
			cases, driver := allVerifyCases(), read(t, "testdata/verify", language.driver)
			if language.name == "go" {
				cases.judgedByGo(t, language, driver)
				return
			}
			cases.judged(t, language.program(t, language.driver, driver), func(c *verifyCase) string { return c.want })
		})
	}
}

// The package for Go says the same of every case. What is signed and no event it refuses by a reason of its own.
func TestVerify_Client(t *testing.T) {
	for _, one := range allVerifyCases() {
		if one.tolerance != 300 {
			continue
		}
		_, err := client.VerifyWebhook(one.secret, one.header, []byte(one.body), time.Unix(one.now, 0))
		if isRight := err == nil || errors.Is(err, client.ErrEvent); isRight != (one.want == accepted) {
			t.Errorf("%s: %v, expected %s", one.name, err, one.want)
		}
	}
}

// The JavaScript that the dashboard shows is what the compiler makes of the file for TypeScript: -update writes it.
func TestVerify_JavaScriptInTheDashboard(t *testing.T) {
	long.Only(t, "compiles the verification for TypeScript")
	t.Parallel()
	need(t, "node", "npm")
	command := languageOf("typescript").program(t, "receiver.mjs", nil)
	made := read(t, filepath.Dir(command[1]), "emissor_webhook.js")
	if *update {
		must(t, os.WriteFile("../../../dashboard/webhooks/receivers/emissor_webhook.js.txt", made, 0o644))
	}
	if inDashboard(t, "emissor_webhook.js") != string(made) {
		t.Errorf("dashboard/webhooks/receivers/emissor_webhook.js.txt is not\n%s", made)
	}
}

// judged holds what a program says of every case against what it should say.
func (c verifyCases) judged(t *testing.T, command []string, want func(*verifyCase) string) {
	t.Helper()
	var lines strings.Builder
	for _, one := range c {
		lines.WriteString(one.line())
	}
	ctx, end := context.WithTimeout(t.Context(), 5*time.Minute) // ends only what hangs: all take seconds
	defer end()
	program := exec.CommandContext(ctx, command[0], command[1:]...)
	program.Stdin = strings.NewReader(lines.String())
	var problems strings.Builder
	program.Stderr = &problems
	output, err := program.Output()
	said := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(output), "\r\n", "\n")), "\n")
	if err != nil || len(said) != len(c) || problems.Len() > 0 {
		t.Fatalf("of %d cases it judged %d: %v\n%.2000s", len(c), len(said), err, problems.String())
	}
	for i, one := range c {
		if want := want(&one); said[i] != want {
			t.Errorf("%s: it says %q and should say %q", one.name, said[i], want)
		}
	}
}

var goVerify = regexp.MustCompile(`(?ms)^func verify\(.*?^}$`)

// judgedByGo has the function verify of go.md judge the cases: it says no reason, and has its own tolerance.
func (c verifyCases) judgedByGo(t *testing.T, language language, driver []byte) {
	t.Helper()
	verify := goVerify.FindString(programs(page(t, language.name))[language.receiver])
	if verify == "" || !bytes.Contains(read(t, "../../../README.md"), []byte(verify)) {
		t.Errorf("the README has another verify than go.md, which has\n%s", verify)
	}
	usual := slices.DeleteFunc(c, func(one verifyCase) bool { return one.tolerance != 300 })
	usual.judged(t, language.program(t, language.driver, append(driver, verify...)),
		func(c *verifyCase) string { return strings.Fields(c.want)[0] })
}
