package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/issuing/doctor"
)

func DoctorCommand() *cobra.Command {
	command := cli.NewCommand("doctor",
		"Say what is wrong before the first live note, of the installation and of each organization",
		`emissor doctor
emissor doctor --first-contact --organization org_01m7yv5g08ef688dg9093ee0f7 --json`, cobra.NoArgs)
	command.Long = `Say what is wrong before the first live note, of the installation and of each organization.

It looks at the database, the engine, the keyset, the mail server and the servers of the authorities, compares clocks,
and of each organization at its fiscal profile, certificate, series, city, services and webhooks. Of the authority it
asks, with the organization's certificate, whether the next number of its series is free. Nothing is issued, sent or
changed.

With --first-contact it looks more closely at the servers of the authorities, before anything is issued there: the chain
and the names of their certificates, how they ask for the company's, HEAD and GET of a document that does not exist,
what the city has set at the ADN, the company's registration where that can be asked for, and who has signed the last
document. Those are questions too: no message is sent by which a document could come to be.

Run it where the worker runs, with the worker's settings. It ends with 0 where all is well, with 1 where there are
warnings, and with 2 where live notes would wait or be refused, or where the command itself was wrong. Nothing that it
prints is secret: no key, password, certificate, CPF or CNPJ.`
	organization := cli.OrganizationFilter(command)
	firstContact := command.Flags().Bool("first-contact", false,
		"look more closely at the authorities' servers, by questions that create nothing")
	asJSON := cli.JSONFlag(command)
	command.RunE = func(command *cobra.Command, _ []string) error {
		report := examine(command.Context(), *organization, *firstContact)
		if err := printExamination(command.OutOrStdout(), report, *asJSON); err != nil {
			return cli.ExitStatus{Status: 2, Err: err}
		}
		if status := report.Status(); status != 0 {
			return cli.ExitStatus{Status: status, Err: nil}
		}
		return nil
	}
	return command
}

// PrintedFinding is a finding as it is printed.
type PrintedFinding struct {
	Check          doctor.Name   `json:"check"`
	OrganizationID string        `json:"organization_id,omitempty"`
	Result         doctor.Result `json:"result"`
	Seen           string        `json:"seen"`
	Do             string        `json:"do,omitempty"`   // what is to be done
	Page           string        `json:"page,omitempty"` // of the documentation, where there is something to do
}

func newPrintedFinding(f doctor.Finding) PrintedFinding {
	seen, do := f.English()
	printed := PrintedFinding{Check: f.Check, OrganizationID: f.Organization, Result: f.Result, Seen: seen, Do: do}
	if do != "" {
		printed.Page = f.Check.Page()
	}
	return printed
}

// printedExamination is a report as it is printed.
type printedExamination struct {
	Version  string                `json:"version"` // of the program
	Result   doctor.Result         `json:"result"`  // the worst
	Counts   map[doctor.Result]int `json:"counts"`
	Findings []PrintedFinding      `json:"findings"`
}

func printExamination(out io.Writer, report doctor.Report, asJSON bool) error {
	printed := printedExamination{Version: cli.Version(), Result: report.Worst(), Counts: map[doctor.Result]int{},
		Findings: cli.Mapped(report.Findings, newPrintedFinding)}
	for _, result := range []doctor.Result{doctor.OK, doctor.Skipped, doctor.Warning, doctor.Problem} {
		printed.Counts[result] = report.Count(result)
	}
	if asJSON {
		return (&cli.CommandRun{Out: out, Json: true}).Print(printed, "", nil)
	}
	lines := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(lines, "RESULT\tCHECK\tORGANIZATION\tSEEN")
	for _, one := range printed.Findings {
		fmt.Fprintf(lines, "%s\t%s\t%s\t%s\n", one.Result, one.Check, cmp.Or(one.OrganizationID, "-"), cli.Cell(one.Seen))
		if one.Do != "" {
			fmt.Fprintf(lines, "\t\t\t%s (%s)\n", cli.Cell(one.Do), one.Page)
		}
	}
	if err := lines.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d ok, %d skipped, %d warnings, %d problems\n", printed.Counts[doctor.OK],
		printed.Counts[doctor.Skipped], printed.Counts[doctor.Warning], printed.Counts[doctor.Problem])
	return err
}

// examine examines with all that the settings of this process reach.
func examine(ctx context.Context, organizationID string, firstContact bool) doctor.Report {
	config, err := cli.LoadConfig()
	if err != nil {
		return doctor.New(doctor.Options{Settings: []error{errors.New(cli.Message(err))}}).Settled()
	}
	e := newExamination(ctx, config)
	defer e.close()
	e.options.FirstContact = firstContact
	if signers := config.DocumentSigners.Signers; len(signers) > 0 {
		e.options.DocumentSigner = signers.Name
	}
	return doctor.New(e.options).Examine(ctx, organizationID)
}
