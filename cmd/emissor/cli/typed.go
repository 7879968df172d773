package cli

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"emissor/internal/municipality"
	"emissor/nfse"
)

// MunicipalityName returns a code with its name, so that a mistyped code is noticed.
func MunicipalityName(code string) string {
	found, _ := municipality.Find(code)
	return code + " " + found.String()
}

// WorkflowLink returns the address of a workflow in the Temporal UI; empty when it
// is not known where the UI is.
func WorkflowLink(config Config, workflowID string) string {
	if config.TemporalUIURL == "" {
		return ""
	}
	return strings.TrimRight(config.TemporalUIURL, "/") +
		"/namespaces/" + url.PathEscape(config.TemporalNamespace) + "/workflows/" + url.PathEscape(workflowID)
}

// SeriesNamed says which series are meant by what was given: all of a number, the one of a
// name, or, by nothing, every one.
func SeriesNamed(given string) (is func(nfse.SeriesKey) bool, err error) {
	if given == "" {
		return func(nfse.SeriesKey) bool { return true }, nil
	}
	if number, err := strconv.Atoi(given); err == nil {
		return func(key nfse.SeriesKey) bool { return key.Series == number }, nil
	}
	named, err := nfse.ParseSeriesKey(given)
	if err != nil {
		return nil, Usage("--series %w", err)
	}
	return func(key nfse.SeriesKey) bool { return key == named }, nil
}

// Finish gives a command, and those under it, what all have: its example under the heading of the help, the status of
// its errors, and arguments that are named where they are wrong.
func Finish(command *cobra.Command) {
	for _, child := range command.Commands() {
		Finish(child)
	}
	if command.Example != "" {
		command.Example = "  " + strings.ReplaceAll(command.Example, "\n", "\n  ")
	}
	if command.HasSubCommands() && command.RunE == nil {
		command.Args, command.RunE, command.SuggestionsMinimumDistance = knownCommand, showHelp, 2
	}
	if check := command.Args; check != nil {
		command.Args = func(command *cobra.Command, args []string) error {
			return wrongArguments(command, args, check(command, args))
		}
	}
	if command.RunE != nil {
		command.RunE = failing(command.RunE)
	}
}

// showHelp is what a command does that only has others under it.
func showHelp(command *cobra.Command, _ []string) error { return command.Help() }

// knownCommand refuses a word that is none of a group's commands, and says which ones are near.
func knownCommand(group *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near := ", and none is near: see " + group.CommandPath() + " --help"
	if names := group.SuggestionsFor(args[0]); len(names) > 0 {
		near = ": did you mean " + strings.Join(names, " or ") + "?"
	}
	return fmt.Errorf("unknown command %q of %s%s", args[0], group.CommandPath(), near)
}

// WrongFlag is what is said of a flag that is wrong: behind a word that is no command nothing is known of flags.
func WrongFlag(command *cobra.Command, err error) error {
	if command.HasSubCommands() {
		err = cmp.Or(knownCommand(command, command.Flags().Args()), err)
	}
	return err
}

// wrongArguments names the argument that is missing or too much, where err says that their number is wrong.
func wrongArguments(command *cobra.Command, args []string, err error) error {
	if err == nil || command.HasSubCommands() {
		return err
	}
	names := strings.Fields(command.Use)[1:]
	if flags := slices.IndexFunc(names, func(name string) bool {
		return strings.HasPrefix(strings.TrimPrefix(name, "["), "-")
	}); flags >= 0 {
		names = names[:flags]
	}
	switch given := len(args); {
	case given > len(names):
		return fmt.Errorf("%q is one argument too many: %s", args[len(names)], command.UseLine())
	case given < len(names) && !strings.HasPrefix(names[given], "["):
		return fmt.Errorf("%s is missing: %s", names[given], command.UseLine())
	}
	return err
}
