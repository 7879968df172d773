package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
)

// The tests here are about every command, also one that comes to be: what its help and shells say of it.
// completion and help are cobra's own, and a hidden command is for programs.

// withoutJSON are the commands that have no --json, and why.
var withoutJSON = map[string]string{
	"emissor serve":     "runs until it is stopped, and says what it does in its log, which is JSON",
	"emissor api":       "as serve",
	"emissor worker":    "as serve",
	"emissor dashboard": "as serve",
}

// withoutDatabase are the commands whose examples are not run, because they need no setting to do something.
var withoutDatabase = []string{
	"emissor config", "emissor doctor", "emissor version", "emissor healthcheck", "emissor archive read",
	"emissor keyset create",
	"emissor keyset encrypt", "emissor zip-codes import",
}

// openFlags are those whose values cannot be listed: ids, moments, numbers and texts.
var openFlags = strings.Fields(`
	actor endpoint event note organization reference request service starting-after subject work
	from lasts last month older-than on move next-number-on simples-rate since through until valid-from
	amount-cents competence-days-back deduction-percent granted-numbers iss-benefit-amount iss-benefit-percent limit
	next-number number pdif-cbs pdif-mun pdif-uf series tax-federal tax-municipal tax-simples tax-state
	email nickname
	abroad-amount abroad-country abroad-currency abroad-export-record abroad-import-declaration abroad-result-country
	cclasstrib cclasstrib-reg ccredpres cib cindop code cst cst-reg document inactive-municipality iss-benefit
	iss-process municipal-code municipal-registration municipality nbs postal-code property-cib property-number
	property-registration property-zip-code registration technical-document zip-code
	customer forward-to iss-rate key municipal-tax-code municipality-code national-tax-code reason-text street-type timeout
	city complement description district edition identification label name user property-complement property-district
	property-street region signer-key street text url`)

// openArguments are those whose values cannot be listed, as the line of use names them.
var openArguments = strings.Fields(`
	CERTIFICATE CODE CUSTOMER DELIVERY EMAIL ENDPOINT EVENT FINGERPRINT KEY_ID NOTE SERVICE URL WORK`)

// runnable are the commands under one that people run.
func runnable(command *cobra.Command) (found []*cobra.Command) {
	for _, child := range command.Commands() {
		found = append(found, runnable(child)...)
	}
	if !command.HasSubCommands() && !command.Hidden {
		found = append(found, command)
	}
	return found
}

// exampleLines are the lines of an example as a shell reads them.
func exampleLines(example string) []string {
	return strings.Split(strings.ReplaceAll(example, "\\\n", " "), "\n")
}

var shellWord = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

// exampleWords are the words of a line behind the program's name, up to where its input is from or its output
// goes.
func exampleWords(line string) []string {
	for _, redirected := range []string{" < ", " > ", " | "} {
		line, _, _ = strings.Cut(line, redirected)
	}
	words := cli.Mapped(shellWord.FindAllString(line, -1), func(word string) string { return strings.Trim(word, `"'`) })
	return words[min(1, len(words)):]
}

var idInExample = regexp.MustCompile(`\b([a-z]{3,4}_)[0-9a-z]{12,}\b`)

// exampleFault says why a line of an example of a command cannot be typed so, or nothing.
func exampleFault(path, line string) string {
	if line = strings.TrimSpace(line); line != path && !strings.HasPrefix(line, path+" ") {
		return "it does not begin with " + path
	}
	for _, id := range idInExample.FindAllStringSubmatch(line, -1) {
		if !nfse.IsID(nfse.Prefix(id[1]), id[0]) {
			return id[0] + " is no id: make one as nfse.NewID does"
		}
	}
	found, rest, err := rootCommand().Find(exampleWords(line))
	if err != nil {
		return err.Error()
	}
	if found.CommandPath() != path {
		return "it runs " + found.CommandPath()
	}
	if err := found.ParseFlags(rest); err != nil {
		return err.Error()
	}
	if err := found.ValidateRequiredFlags(); err != nil {
		return err.Error()
	}
	if err := found.ValidateArgs(found.Flags().Args()); err != nil {
		return err.Error()
	}
	return ""
}

func TestCommands_Examples(t *testing.T) {
	t.Parallel()
	commands := runnable(rootCommand())
	if len(commands) < 100 {
		t.Errorf("only %d commands were found", len(commands))
	}
	for _, command := range commands {
		path := command.CommandPath()
		if strings.TrimSpace(command.Example) == "" {
			t.Errorf("%s has no example: give newCommand one, or Example in its definition, as `%s --json`", path, path)
			continue
		}
		lines := exampleLines(command.Example)
		if len(lines) > 3 {
			t.Errorf("%s has %d examples: one or two are read", path, len(lines))
		}
		if strings.HasPrefix(command.Example, "   ") {
			t.Errorf("the example of %s is indented twice: rootCommand indents what stands in the definition", path)
		}
		for _, line := range lines {
			if fault := exampleFault(path, line); fault != "" {
				t.Errorf("the example of %s is wrong: %s\n%s", path, fault, line)
			}
		}
	}
}

// What a command checks before it opens the database finds nothing in its examples: they end for want
// of a setting.
func TestCommands_ExamplesAreTaken(t *testing.T) {
	t.Setenv("EMISSOR_DATABASE_URL", "")
	t.Chdir(t.TempDir())
	for _, command := range runnable(rootCommand()) {
		path := command.CommandPath()
		if slices.Contains(withoutDatabase, path) {
			continue
		}
		for _, line := range exampleLines(command.Example) {
			root := rootCommand()
			root.SetArgs(exampleWords(line))
			root.SetOut(io.Discard)
			root.SetErr(io.Discard)
			if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "EMISSOR_") {
				t.Errorf("%s ended with %v, expected that a setting is missing: change the example, or name a command "+
					"that needs none in withoutDatabase\n%s", path, err, line)
			}
		}
	}
}

func TestCommands_JSON(t *testing.T) {
	t.Parallel()
	left := maps.Clone(withoutJSON)
	for _, command := range runnable(rootCommand()) {
		path, has := command.CommandPath(), command.Flags().Lookup("json") != nil
		switch {
		case has && withoutJSON[path] != "":
			t.Errorf("%s has --json: take it out of withoutJSON", path)
		case !has && withoutJSON[path] == "":
			t.Errorf("%s has no --json: make it by databaseCommand, or add jsonFlag and printJSON; one that runs "+
				"until it is stopped and prints nothing is named in withoutJSON, with the reason", path)
		}
		delete(left, path)
	}
	for path := range left {
		t.Errorf("withoutJSON names %s, which does not exist", path)
	}
	page, err := os.ReadFile("../../docs/operations/commands.md")
	must(t, err)
	said := regexp.MustCompile("(?s)with `--json`; only(.*?)have none").FindString(string(page))
	for path := range withoutJSON {
		if name := strings.TrimPrefix(path, "emissor "); !strings.Contains(said, "`"+name+"`") {
			t.Errorf("commands.md does not say that %s has no --json", path)
		}
	}
	if strings.Count(said, "`") != 2*(len(withoutJSON)+1) {
		t.Errorf("commands.md says of others than withoutJSON that they have no --json: %s", said)
	}
}

// completes reports whether shells are offered something for a flag, or are told to look for files.
func completes(command *cobra.Command, flag *pflag.Flag) bool {
	_, registered := command.GetFlagCompletionFunc(flag.Name)
	return registered || flag.Annotations[cobra.BashCompSubdirsInDir] != nil || flag.Value.Type() == "bool"
}

func TestCommands_FlagsComplete(t *testing.T) {
	t.Parallel()
	open := map[string]bool{}
	for _, command := range runnable(rootCommand()) {
		command.Flags().VisitAll(func(flag *pflag.Flag) {
			switch {
			case completes(command, flag):
			case slices.Contains(openFlags, flag.Name):
				open[flag.Name] = true
			default:
				t.Errorf("nothing is offered for --%s of %s (%s): list its values with completeFlag, or its files "+
					"with completeFileFlag; one that takes any text is named in openFlags", flag.Name, command.CommandPath(),
					flag.Usage)
			}
		})
	}
	for _, name := range openFlags {
		if !open[name] {
			t.Errorf("openFlags names --%s, which no command has without completion", name)
		}
	}
}

var argumentOfUse = regexp.MustCompile(`^\[?([A-Z][A-Z_]*)`)

// argumentsFault says what is wrong with how the arguments of a command are completed, or nothing.
func argumentsFault(command *cobra.Command) string {
	if command.Args == nil {
		return "it does not say which arguments it takes: give it Args"
	}
	if command.ValidateArgs([]string{"x"}) != nil {
		return ""
	}
	_, rest, _ := strings.Cut(command.Use, " ")
	argument := ""
	if found := argumentOfUse.FindStringSubmatch(rest); found != nil {
		argument = found[1]
	}
	if command.ValidArgsFunction == nil && command.ValidArgs == nil && !slices.Contains(openArguments, argument) {
		return fmt.Sprintf("nothing is offered for its argument %s: list it with completeArguments, or name it in "+
			"openArguments where it can be anything", argument)
	}
	if argument == "FILE" && command.ValidArgsFunction != nil {
		if _, directive := command.ValidArgsFunction(command, nil, ""); directive != cobra.ShellCompDirectiveDefault {
			return "its argument is a file, and none is offered: completeArguments(command, files)"
		}
	}
	return ""
}

func TestCommands_ArgumentsComplete(t *testing.T) {
	t.Parallel()
	for _, command := range runnable(rootCommand()) {
		if fault := argumentsFault(command); fault != "" {
			t.Errorf("%s: %s", command.CommandPath(), fault)
		}
	}
}

// The checks of the examples and arguments find what is wrong.
func TestCommands_FaultsAreFound(t *testing.T) {
	t.Parallel()
	for line, fault := range map[string]string{
		"emissor note list":                   "it does not begin with emissor note show",
		"emissor note shown":                  "it does not begin with emissor note show",
		"emissor note show":                   "NOTE is missing: emissor note show NOTE",
		"emissor note show a b":               `"b" is one argument too many: emissor note show NOTE`,
		"emissor note show a --nothing":       "unknown flag: --nothing",
		"emissor note show nfse_01m0w44f10fs": "is no id",
		"emissor note show nfse_01m0w44f10fsyspwgt3r335dyf --json > note.json": "",
	} {
		found := exampleFault("emissor note show", line)
		if !strings.Contains(found, fault) || fault == "" && found != "" {
			t.Errorf("%q has the fault %q, expected %q", line, found, fault)
		}
	}
	if found := exampleFault("emissor key list", "emissor key list"); !strings.Contains(found, "required flag") {
		t.Errorf("an example without a required flag has the fault %q", found)
	}
	for use, wrong := range map[string]bool{"show FILE": true, "show WHATEVER": true, "show NOTE": false} {
		if found := argumentsFault(cli.NewCommand(use, "", "", cobra.ExactArgs(1))); (found != "") != wrong {
			t.Errorf("%s has the fault %q", use, found)
		}
	}
}
