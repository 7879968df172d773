package main

import (
	"context"
	_ "embed"
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

// versionFile is the one place of the version: a release is a commit that changes it alone.
//
//go:embed VERSION
var versionFile string

// linkedCommit is given to the linker where the program is built without its repository:
// -ldflags '-X main.linkedCommit=...'.
var linkedCommit string

// version is that of this program, as 1.0.0.
func version() string { return strings.TrimSpace(versionFile) }

// commit is that from which this program was built; "unknown" where nobody said it.
func commit() string {
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

// versions are what `emissor version` prints.
type versions struct {
	Version        string `json:"version"`
	Commit         string `json:"commit"`
	Schema         int64  `json:"schema"`                    // that the program makes and needs
	DatabaseSchema *int64 `json:"database_schema,omitempty"` // nil: it was not asked for
}

func versionCommand() *cobra.Command {
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
		v := versions{Version: version(), Commit: commit(), Schema: store.ProgramSchema()}
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
	config, err := loadConfig()
	if err != nil {
		return 0, err
	}
	config.DatabaseConnections = 2
	database, err := openStore(ctx, config, jobStatementTimeout, postgres.Rows{}, postgres.DocumentArchive{})
	if err != nil {
		return 0, err
	}
	schema, err = database.DatabaseSchema(ctx)
	return schema, errors.Join(err, database.Close())
}
