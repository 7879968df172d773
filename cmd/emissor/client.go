package main

import "github.com/spf13/cobra"

// clientCommand groups what a caller does by hand: each is a request to the API with a caller's
// own key.
func clientCommand() *cobra.Command {
	group := commandGroup("client", "Call the API with a key, as a caller's program does",
		commandGroup("note", "Issue, wait for, look at and cancel notes",
			clientNoteCreateCommand(), clientNoteWaitCommand(), clientNoteShowCommand(), clientNoteListCommand(),
			clientNoteXMLCommand(), clientNoteCancelCommand()),
		commandGroup("service", "Fill the catalogue, and look at it",
			clientServiceCreateCommand(), clientServiceShowCommand(), clientServiceListCommand()),
		commandGroup("customer", "Save customers, and look at them",
			clientCustomerSaveCommand(), clientCustomerShowCommand(), clientCustomerListCommand()))
	group.Long = group.Short + ".\n\nThe address is EMISSOR_API_URL, and the key EMISSOR_API_KEY; nothing else is needed."
	return group
}
