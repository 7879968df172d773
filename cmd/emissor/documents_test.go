package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// documents are the pages that people read: those of the repository's root and of docs.
func documents(t *testing.T) (pages []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		must(t, err)
		pages = append(pages, found...)
	}
	return pages
}

var (
	shownCommand = regexp.MustCompile("emissor ([a-z][a-z-]*(?: [a-z][a-z-]*){0,2})([^`\\n]*)")
	shownFlag    = regexp.MustCompile(`--([a-z][a-z-]*)`)
	code         = regexp.MustCompile("(?s)```.*?```|`[^`]+`")
)

// A command that is shown to operators exists, and so does each flag shown with it.
func TestCommands_NamedInDocumentsExist(t *testing.T) {
	shown := 0
	for _, page := range documents(t) {
		content, err := os.ReadFile(page)
		must(t, err)
		for _, snippet := range code.FindAllString(string(content), -1) {
			snippet = strings.ReplaceAll(snippet, "\\\n", " ") // a command that is continued
			if strings.HasPrefix(snippet, "`") && !strings.HasPrefix(snippet, "```") {
				snippet = strings.Join(strings.Fields(snippet), " ")
			}
			for _, found := range shownCommand.FindAllStringSubmatch(snippet, -1) {
				shown++
				if defect := commandFault(strings.Fields(found[1]), found[2]); defect != "" {
					t.Errorf("%s shows %q: %s", filepath.Base(page), found[0], defect)
				}
			}
		}
	}
	if shown < 100 {
		t.Errorf("only %d commands were found in the documents", shown)
	}
}

// commandFault says what is wrong with the names of a command and the flags behind them,
// or nothing. A word that follows a command without subcommands is its argument.
func commandFault(names []string, rest string) string {
	command := rootCommand()
	command.InitDefaultCompletionCmd()
	for _, name := range names {
		next := slices.IndexFunc(command.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
		if next < 0 {
			if command.HasSubCommands() {
				return "there is no " + name
			}
			break
		}
		command = command.Commands()[next]
	}
	before, _, _ := strings.Cut(rest, "#") // a comment
	for _, flag := range shownFlag.FindAllStringSubmatch(before, -1) {
		if flag[1] != "help" && command.Flags().Lookup(flag[1]) == nil {
			return "it has no --" + flag[1]
		}
	}
	return ""
}
