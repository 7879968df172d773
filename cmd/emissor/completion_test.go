package main

import (
	"slices"
	"strings"
	"testing"

	"emissor/cmd/emissor/company"
	"emissor/cmd/emissor/operate"
	"emissor/issuing/catalogue"
	issuing "emissor/issuing/company"
	"emissor/nfse"
)

// What a shell is told: the values, and whether it looks for files itself.
const (
	filesToo  = ":0"
	noFiles   = ":4"
	onlyPaths = ":16" // folders
)

// offered is what the program tells a shell of words of which the last is being typed.
func offered(t *testing.T, words ...string) (values []string, directive string) {
	t.Helper()
	result := execute(t, settings{}, append([]string{"__completeNoDesc"}, words...)...)
	lines := strings.Fields(result.stdout)
	if result.code != 0 || len(lines) == 0 {
		t.Fatalf("emissor __completeNoDesc %q ended with %d\n%s%s", words, result.code, result.stdout, result.stderr)
	}
	last := len(lines) - 1
	return lines[:last], lines[last]
}

// A shell asks the program, without a database and without a setting.
func TestCompletion_AsShellsAsk(t *testing.T) {
	t.Parallel()
	for words, expected := range map[string]string{
		"fiscal-profile set --authority ":             "national sao-paulo teresina ... :4",
		"fiscal-profile set --authority=":             "national sao-paulo teresina ... :4",
		"fiscal-profile set --environment ":           "production restricted :4",
		"fiscal-profile set --document ":              noFiles,
		"organization allow-tax-id --environment ":    "production restricted :4",
		"key create --environment ":                   "test live :4",
		"work list --environment ":                    "test live :4",
		"delivery list --status ":                     "pending delivered failed skipped :4",
		"delivery retry --status ":                    "failed skipped :4",
		"email list --status ":                        "pending sent failed skipped :4",
		"user invite ana@example.com --role ":         "viewer editor accountant developer owner :4",
		"webhook add https://example.com/ --events ":  "nfse.issued nfse.rejected nfse.cancelled all :4",
		"note replace nfse_x --reason ":               "01 02 03 04 05 99 :4",
		"customer tax cus_x --withhold ":              "by-service never :4",
		"classification import a.xlsx --table ":       "cst cclasstrib ccredpres ... :4",
		"note show ":                                  noFiles,
		"note find --organization ":                   noFiles,
		"city show ":                                  "teresina campinas campo-grande ... :4",
		"city show teresina ":                         noFiles,
		"certificate add ":                            "--organization :0", // it is required
		"certificate add --organization org_x ":       filesToo,
		"certificate add --organization org_x a.pfx ": noFiles,
		"certificate add a.pfx --password-file ":      filesToo,
		"classification import a.xlsx ":               filesToo,
		"note danfse nfse_x -o ":                      filesToo,
		"archive read a.segment --to ":                onlyPaths,
		"archive ":                                    "read restore run status verify :4",
		"note re":                                     "redrive replace request-analysis :4",
		"key list --json=":                            noFiles,
	} {
		values, directive := offered(t, strings.Split(words, " ")...)
		got := append(values, directive)
		if want := strings.Fields(expected); slices.Contains(want, "...") {
			if first := want[:3]; len(got) < 5 || !slices.Equal(got[:3], first) || directive != want[len(want)-1] {
				t.Errorf("for %q a shell is told %q, expected %q", words, got, expected)
			}
		} else if !slices.Equal(got, want) {
			t.Errorf("for %q a shell is told %q, expected %q", words, got, expected)
		}
	}
}

// Each value that is offered for a flag is one that the command takes.
func TestCompletion_OffersWhatIsTaken(t *testing.T) {
	t.Parallel()
	values := func(words ...string) []string {
		t.Helper()
		values, _ := offered(t, append(words, "")...)
		return values
	}
	set := []string{"fiscal-profile", "set"}
	for flag, parse := range map[string]func(string) error{
		"--simples":           func(s string) error { _, err := issuing.ParseSimples(s); return err },
		"--own-contributions": func(s string) error { _, err := issuing.ParseOwnContributions(s); return err },
		"--environment":       func(s string) error { _, err := nfse.ParseEnvironment(s); return err },
	} {
		for _, value := range values(append(set, flag)...) {
			if err := parse(value); err != nil {
				t.Errorf("%s offers %q, which %v", flag, value, err)
			}
		}
	}
	for _, value := range values("audit", "list", "--action") {
		if err := operate.CheckAction(value); err != nil {
			t.Errorf("--action offers %q: %v", value, err)
		}
	}
	for field := range company.ServiceFieldValues {
		offers := values("service", "tax", "srv_x", "--"+company.FlagOf(field))
		if len(offers) < 1 {
			t.Errorf("--%s offers nothing", company.FlagOf(field))
		}
		for _, value := range offers {
			problems := catalogue.ReadServiceTaxation(new(nfse.ServiceTaxation), withField(field, value))
			if problems != nil {
				t.Errorf("--%s offers %q, which %v", company.FlagOf(field), value, problems)
			}
		}
	}
}

// withField are the texts of a service with a field, and those without which it does not count.
func withField(field, value string) map[string]string {
	texts := map[string]string{"iss_immunity": "1", "iss_suspension": "1", "iss_process": strings.Repeat("1", 20),
		"iss_benefit": strings.Repeat("1", 14), "abroad_mode": "1"}
	switch {
	case field == "iss_suspension":
		texts["iss"] = string(nfse.ISSSuspended)
	case strings.HasPrefix(field, "iss_"):
		texts["iss"] = string(nfse.ISSImmune)
	case strings.HasPrefix(field, "abroad_"):
		texts["abroad"] = catalogue.Taxed
	}
	texts[field] = value
	return texts
}

// The script that a shell reads is one that it can read.
func TestCompletion_Scripts(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if script := succeeds(t, settings{}, "completion", shell); !strings.Contains(script, "__complete") ||
			strings.Contains(script, `\u00`) {
			t.Errorf("the script for %s does not ask the program, or has escapes", shell)
		}
	}
}
