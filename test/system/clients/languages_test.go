package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// language is how the programs of a page become programs that run.
type language struct {
	name, issue, receiver string

	verification, driver string // files of docs/integrating/verify and testdata/verify; Go's is in its page

	needs []string // programs
	// build makes a file of the page a program, in its folder, and returns its command. Nil: interpreter takes the file.
	build       func(t *testing.T, folder, file string) []string
	interpreter []string
}

var languages = []language{
	{name: "go", issue: "issue.go", receiver: "receiver.go", driver: "driver.go", needs: []string{"go"}, build: buildGo},
	{name: "typescript", issue: "issue.ts", receiver: "receiver.mjs",
		verification: "emissor_webhook.ts", driver: "driver.mjs", needs: []string{"node", "npm"},
		build: buildTypeScript},
	{name: "python", issue: "issue.py", receiver: "receiver.py",
		verification: "emissor_webhook.py", driver: "driver.py", needs: []string{"python3"},
		interpreter: []string{"python3", "-u"}},
	{name: "php", issue: "issue.php", receiver: "receiver.php",
		verification: "emissor_webhook.php", driver: "driver.php", needs: []string{"php"}, interpreter: []string{"php"}},
	{name: "java", issue: "Issue.java", receiver: "Receiver.java",
		verification: "EmissorWebhook.java", driver: "Driver.java", needs: []string{"javac", "java"}, build: buildJava},
	{name: "csharp", issue: "Issue.cs", receiver: "Receiver.cs",
		verification: "EmissorWebhook.cs", driver: "Driver.cs", needs: []string{"mcs", "mono"}, build: buildCSharp},
	{name: "ruby", issue: "issue.rb", receiver: "receiver.rb",
		verification: "emissor_webhook.rb", driver: "driver.rb", needs: []string{"ruby"}, interpreter: []string{"ruby"}},
}

func languageOf(name string) *language {
	i := slices.IndexFunc(languages, func(one language) bool { return one.name == name })
	if i < 0 {
		return nil
	}
	return &languages[i]
}

// program puts a program beside the verification that the page has copied there, and returns how it is run.
func (l language) program(t *testing.T, file string, code []byte) []string {
	t.Helper()
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, file), code, 0o600))
	if l.verification != "" {
		must(t, os.WriteFile(filepath.Join(folder, l.verification), read(t, guides, "verify", l.verification), 0o600))
	}
	return l.command(t, folder, file)
}

// read is the content of a file.
func read(t *testing.T, path ...string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	must(t, err)
	return content
}

// command makes a file of the page a program and returns how it is run.
func (l language) command(t *testing.T, folder, file string) []string {
	t.Helper()
	if l.build != nil {
		return l.build(t, folder, file)
	}
	return append(slices.Clone(l.interpreter), filepath.Join(folder, file))
}

// need skips the test where a program is missing, and says so.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: dev/setup.sh clients installs it on Debian", program)
		}
	}
}

// runIn runs a command in a folder that must succeed.
func runIn(t *testing.T, folder string, environment []string, program string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Dir = folder
	command.Env = append(command.Environ(), environment...)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, arguments, err, output)
	}
	return string(output)
}
