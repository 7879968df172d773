package cli

import (
	"slices"

	"github.com/spf13/cobra"
)

// CompleteFlag has shells offer the values that a flag takes. It refuses no other: the command does, where it
// takes none.
func CompleteFlag[S ~string](command *cobra.Command, flag string, values ...S) {
	offered := Mapped(values, func(value S) cobra.Completion { return string(value) })
	complete(command, flag, cobra.FixedCompletions(offered, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteFileFlag has shells offer files as the value of a flag.
func CompleteFileFlag(command *cobra.Command, flag string) { complete(command, flag, Files) }

func complete(command *cobra.Command, flag string, offer cobra.CompletionFunc) {
	if err := command.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // there is no such flag
	}
}

// CompleteArguments has shells offer something for each argument that the command still takes.
func CompleteArguments(command *cobra.Command, offer cobra.CompletionFunc) *cobra.Command {
	command.ValidArgsFunction = func(command *cobra.Command, args []string, typed string) (
		[]cobra.Completion, cobra.ShellCompDirective) {
		if command.ValidateArgs(append(slices.Clone(args), typed)) != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offer(command, args, typed)
	}
	return command
}

// Files are what shells offer themselves: the names of files.
func Files(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}
