package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"emissor/dev/licences"
)

// printLicences prints the licence of each module that is linked into a program. It fails for one that is
// unknown or refused.
func printLicences(ctx context.Context, out io.Writer, folder, program string) error {
	modules, err := licences.Of(ctx, folder, program, os.Environ())
	if err != nil {
		return err
	}
	lines := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(lines, "MODULE\tVERSION\tLICENCE")
	var refused []string
	for _, m := range modules {
		if !m.Usable {
			refused = append(refused, m.Path+" ("+m.Names+")")
		}
		fmt.Fprintf(lines, "%s\t%s\t%s\n", m.Path, m.Version, m.Names)
	}
	if err := lines.Flush(); err != nil {
		return err
	}
	if len(refused) > 0 {
		return fmt.Errorf("linked under a licence that is not known, or asks for the source: %s",
			strings.Join(refused, ", "))
	}
	return nil
}
