package main

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"emissor/cmd/emissor/cli"
)

// ends runs a command in this process, and returns with which status and words it ends.
func ends(t *testing.T, asJSON bool, args ...string) (status int, says string) {
	t.Helper()
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(t.Context())
	if err == nil {
		return 0, ""
	}
	var out bytes.Buffer
	status = cli.Report(&out, err, asJSON)
	return status, out.String()
}

// Every command that is typed wrong ends with 2 before it does anything, and names the argument that is missing.
func TestExit_Usage(t *testing.T) {
	t.Setenv("EMISSOR_DATABASE_URL", "")
	for _, command := range runnable(rootCommand()) {
		path := strings.Fields(command.CommandPath())[1:]
		for _, wrong := range [][]string{{"--no-such-flag"}, strings.Fields("a b c d --no-such-flag")} {
			status, says := ends(t, false, append(path, wrong...)...)
			if status != 2 || !strings.HasPrefix(says, "emissor: ") {
				t.Errorf("%s %q ends with %d and %s", path, wrong, status, says)
			}
		}
		argument := regexp.MustCompile(`^\S+ ([A-Z][A-Z_]*)`).FindStringSubmatch(command.Use)
		if argument == nil || command.ValidateArgs(nil) == nil {
			continue
		}
		if status, says := ends(t, false, path...); status != 2 || !strings.HasPrefix(says, "emissor: "+argument[1]) {
			t.Errorf("%s without its argument ends with %d and %s", path, status, says)
		}
	}
	for typed, expected := range map[string]string{
		"bogus":                            `unknown command "bogus" of emissor: did you mean logs?`,
		"nota show":                        `unknown command "nota" of emissor: did you mean note?`,
		"note shwo --organization x":       `unknown command "shwo" of emissor note: did you mean show?`,
		"client zzzzzz":                    `unknown command "zzzzzz" of emissor client, and none is near`,
		"audit list --limit 0":             "--limit must be 1 or more",
		"note show":                        "NOTE is missing: emissor note show NOTE",
		"note show a b":                    `"b" is one argument too many: emissor note show NOTE`,
		"organization create":              `required flag(s) "name" not set`,
		"organization list --json=perhaps": `invalid argument "perhaps" for "--json" flag`,
	} {
		if status, says := ends(t, false, strings.Fields(typed)...); status != 2 ||
			!strings.HasPrefix(says, "emissor: "+expected) || strings.Count(says, "\n") != 1 {
			t.Errorf("emissor %s ends with %d and %s", typed, status, says)
		}
		status, says := ends(t, true, strings.Fields(typed)...)
		var printed struct{ Error cli.PrintedError }
		if err := json.Unmarshal([]byte(says), &printed); err != nil || status != 2 || printed.Error.Code != "usage" ||
			!strings.HasPrefix(printed.Error.Message, expected) {
			t.Errorf("emissor %s --json ends with %d and %s", typed, status, says)
		}
	}
}

// What fails ends with 1, and with --json in JSON on the standard error.
func TestExit_Failure(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"note show nfse_x --json", "note find --reference x --json",
		"client note list --json", "trigger nfse.issued --json"} {
		result := execute(t, settings{}, strings.Fields(command)...)
		var printed struct{ Error cli.PrintedError }
		if err := json.Unmarshal([]byte(result.stderr), &printed); err != nil || result.code != 1 ||
			result.stdout != "" ||
			printed.Error.Code != "failed" || !strings.Contains(printed.Error.Message, "EMISSOR_") {
			t.Errorf("emissor %s ends with %+v", command, result)
		}
	}
	for _, group := range []string{"", "note", "client note"} {
		if status, says := ends(t, false, strings.Fields(group)...); status != 0 {
			t.Errorf("emissor %s, which shows its help, ends with %d and %s", group, status, says)
		}
	}
}
