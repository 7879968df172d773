package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// finish gives a command, and those under it, what all have: its example under the heading of the help, the status of
// its errors, and arguments that are named where they are wrong.
func finish(command *cobra.Command) {
	for _, child := range command.Commands() {
		finish(child)
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

// wrongFlag is what is said of a flag that is wrong: behind a word that is no command nothing is known of flags.
func wrongFlag(command *cobra.Command, err error) error {
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
