package callers

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"emissor/client/mcpserver"
	"emissor/cmd/emissor/cli"
)

// ListeningAt is what clients connect with. There is a token where live acts are possible: another
// program of the machine could say that a person confirmed its own.
type ListeningAt struct {
	URL   string `json:"url"`
	Token string `json:"token,omitempty"`
}

func MCPCommand() *cobra.Command {
	command := cli.NewCommand("mcp", "Serve tools for agents by the Model Context Protocol, with the rights of an API key",
		`emissor mcp
emissor mcp --listen 127.0.0.1:8765
emissor mcp --allow-live`, cobra.NoArgs)
	command.Long = command.Short + ".\n\nIt speaks on standard input and output, or with --listen by streamable HTTP, " +
		"to this machine only. The address of the API is EMISSOR_API_URL, and the key EMISSOR_API_KEY."
	listen := command.Flags().String("listen", "", "serve HTTP at this loopback address, as 127.0.0.1:8765")
	allowLive := command.Flags().Bool("allow-live", false,
		"let acts with a live key pass, each confirmed by a person; without it a live key only reads")
	asJSON := command.Flags().Bool("json", false, "say where it listens as JSON")
	cli.CompleteFlag(command, "listen", "127.0.0.1:8765")
	command.RunE = func(command *cobra.Command, _ []string) error {
		api, err := cli.APIFromEnvironment()
		if err != nil {
			return err
		}
		server := mcpserver.New(api, mcpserver.Options{AllowLive: *allowLive, Version: cli.Version()})
		ctx := command.Context()
		if *listen == "" {
			// Standard output is the protocol's, so that nothing else is printed on it.
			if err := server.Run(ctx, mcpserver.Lines(os.Stdin, os.Stdout)); err != nil && ctx.Err() == nil {
				return err
			}
			return nil
		}
		listener, err := mcpserver.ListenLoopback(ctx, *listen)
		if err != nil {
			return fmt.Errorf("--listen %w", err)
		}
		said := ListeningAt{URL: "http://" + listener.Addr().String()}
		columns, row := "URL", []any{said.URL}
		if *allowLive && api.Livemode() {
			said.Token = mcpserver.NewToken()
			columns, row = "URL\tTOKEN", append(row, said.Token)
		}
		if err := (&cli.CommandRun{Out: command.OutOrStdout(), Json: *asJSON}).Print(said, columns,
			[][]any{row}); err != nil {
			return err
		}
		return mcpserver.Serve(ctx, listener, server, said.Token)
	}
	return command
}
