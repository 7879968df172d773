package clients

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// language is how the programs of a page become programs that run.
type language struct {
	name, issue, receiver string

	needs []string // programs
	// build makes a file of the page a program, in its folder, and returns its command. Nil: interpreter takes the file.
	build       func(t *testing.T, folder, file string) []string
	interpreter []string
}

var languages = []language{
	{name: "go", issue: "issue.go", receiver: "receiver.go", needs: []string{"go"}, build: buildGo},
	{name: "typescript", issue: "issue.ts", receiver: "receiver.mjs", needs: []string{"node", "npm"},
		build: buildTypeScript},
	{name: "python", issue: "issue.py", receiver: "receiver.py", needs: []string{"python3"},
		interpreter: []string{"python3", "-u"}},
	{name: "php", issue: "issue.php", receiver: "receiver.php", needs: []string{"php"}, interpreter: []string{"php"}},
	{name: "java", issue: "Issue.java", receiver: "Receiver.java", needs: []string{"javac", "java"}, build: buildJava},
	{name: "csharp", issue: "Issue.cs", receiver: "Receiver.cs", needs: []string{"mcs", "mono"}, build: buildCSharp},
	{name: "ruby", issue: "issue.rb", receiver: "receiver.rb", needs: []string{"ruby"}, interpreter: []string{"ruby"}},
}

func languageOf(name string) *language {
	i := slices.IndexFunc(languages, func(one language) bool { return one.name == name })
	if i < 0 {
		return nil
	}
	return &languages[i]
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
