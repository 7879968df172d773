package callers

import (
	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
)

// ClientCommand groups what a caller does by hand: each is a request to the API with a caller's
// own key.
func ClientCommand() *cobra.Command {
	group := cli.CommandGroup("client", "Call the API with a key, as a caller's program does",
		cli.CommandGroup("note", "Issue, wait for, look at and cancel notes",
			clientNoteCreateCommand(), clientNoteWaitCommand(), clientNoteShowCommand(), clientNoteListCommand(),
			clientNoteXMLCommand(), clientNoteCancelCommand()),
		cli.CommandGroup("service", "Fill the catalogue, and look at it",
			clientServiceCreateCommand(), clientServiceShowCommand(), clientServiceListCommand()),
		cli.CommandGroup("customer", "Save customers, and look at them",
			clientCustomerSaveCommand(), clientCustomerShowCommand(), clientCustomerListCommand()))
	group.Long = group.Short + ".\n\nThe address is EMISSOR_API_URL, and the key EMISSOR_API_KEY; nothing else is needed."
	return group
}
