package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emissor/store"
	"emissor/store/postgres"
)

// Which version this program is, and the commit that the linker was told; package main says it.
var version, linkedCommit string

// Built says which version this program is, and from which commit; empty where the linker was told none.
func Built(versionFile, commit string) {
	version, linkedCommit = strings.TrimSpace(versionFile), commit
}

// Version is the version of this program, as 1.0.0.
func Version() string { return version }

// Commit is that from which this program was built; "unknown" where nobody said it.
func Commit() string {
	if linkedCommit != "" {
		return linkedCommit
	}
	found, changed := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			switch {
			case setting.Key == "vcs.revision":
				found = setting.Value
			case setting.Key == "vcs.modified" && setting.Value == "true":
				changed = "+changed"
			}
		}
	}
	return found + changed
}

// Versions are what `emissor version` prints.
type Versions struct {
	Version        string `json:"version"`
	Commit         string `json:"commit"`
	Schema         int64  `json:"schema"`                    // that the program makes and needs
	DatabaseSchema *int64 `json:"database_schema,omitempty"` // nil: it was not asked for
}

func VersionCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "version",
		Short: "Print the version, its commit, and the version of the database schema that it needs",
		Example: `emissor version
emissor version --database --json`,
		Args: cobra.NoArgs,
	}
	asJSON := command.Flags().Bool("json", false, "print JSON")
	ofDatabase := command.Flags().Bool("database", false, "print the version of the database's schema, too")
	command.RunE = func(command *cobra.Command, _ []string) error {
		v := Versions{Version: Version(), Commit: Commit(), Schema: store.ProgramSchema()}
		if *ofDatabase {
			schema, err := databaseSchema(command.Context())
			if err != nil {
				return err
			}
			v.DatabaseSchema = &schema
		}
		if *asJSON {
			return json.NewEncoder(command.OutOrStdout()).Encode(v)
		}
		lines := tabwriter.NewWriter(command.OutOrStdout(), 0, 4, 2, ' ', 0)
		fmt.Fprintf(lines, "version\t%s\ncommit\t%s\nschema\t%d\n", v.Version, v.Commit, v.Schema)
		if v.DatabaseSchema != nil {
			fmt.Fprintf(lines, "database schema\t%d\n", *v.DatabaseSchema)
		}
		return lines.Flush()
	}
	return command
}

// databaseSchema is the version of the database's schema, which may be older than this program's.
func databaseSchema(ctx context.Context) (schema int64, err error) {
	config, err := LoadConfig()
	if err != nil {
		return 0, err
	}
	config.DatabaseConnections = 2
	database, err := OpenStore(ctx, config, JobStatementTimeout, postgres.Rows{}, postgres.DocumentArchive{})
	if err != nil {
		return 0, err
	}
	schema, err = database.DatabaseSchema(ctx)
	return schema, errors.Join(err, database.Close())
}
