package company

import (
	"context"
	"encoding/hex"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/certificate"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
)

func CertificateCommand() *cobra.Command {
	return cli.CommandGroup("certificate", "Manage the A1 certificates with which organizations issue live notes",
		certificateAddCommand(), certificateListCommand(),
		certificateChangeCommand("retry",
			"Use a certificate again that the authority refused; live notes that wait for one continue at once",
			(*companies.Changes).RetryCertificate),
		certificateChangeCommand("remove",
			"Take a certificate out of use and forget its key; what it signed stays on record",
			(*companies.Changes).RemoveCertificate),
		certificateOpenCommand())
}

// certificateOpenCommand is what the dashboard runs to open a PFX file: in a process
// that can be killed, and gets nothing but the file and its password.
func certificateOpenCommand() *cobra.Command {
	command := cli.NewCommand("open", "Open the PFX file that the dashboard sends (it is not for people)",
		"", cobra.NoArgs)
	command.Hidden = true
	command.RunE = func(*cobra.Command, []string) error { return certificate.ServeApart(os.Stdin, os.Stdout) }
	return command
}

// PrintedCertificate is a certificate as commands show it.
type PrintedCertificate struct {
	ID             string         `json:"id"`
	OrganizationID string         `json:"organization_id"`
	TaxID          nfse.TaxID     `json:"document"`
	Subject        string         `json:"subject"`
	Issuer         string         `json:"issuer"`
	Serial         string         `json:"serial"`
	Fingerprint    string         `json:"fingerprint"` // SHA-256, in hexadecimal
	NotBefore      nfse.Timestamp `json:"not_before"`
	NotAfter       nfse.Timestamp `json:"not_after"`
	DaysLeft       int            `json:"days_left"` // whole days; negative once it has expired
	State          string         `json:"state"`
	// OtherEstablishment is a warning: whether the authority takes such a certificate is not settled.
	OtherEstablishment bool            `json:"other_establishment"`
	Reason             *string         `json:"refused_reason"`
	CreatedAt          nfse.Timestamp  `json:"created_at"`
	RemovedAt          *nfse.Timestamp `json:"removed_at"`
}

func newPrintedCertificate(c companies.Certificate) PrintedCertificate {
	now := time.Now()
	return PrintedCertificate{
		ID: c.ID, OrganizationID: c.OrganizationID, TaxID: c.TaxID,
		Subject: c.Subject, Issuer: c.Issuer, Serial: c.Serial, Fingerprint: hex.EncodeToString(c.Fingerprint),
		NotBefore: c.NotBefore, NotAfter: c.NotAfter, DaysLeft: int(math.Floor(c.NotAfter.Sub(now).Hours() / 24)),
		State: c.State(now), OtherEstablishment: c.OtherEstablishment, Reason: c.RefusedReason,
		CreatedAt: c.CreatedAt, RemovedAt: c.RemovedAt,
	}
}

var certificateTable = cli.Table[PrintedCertificate]{
	Header: "ID\tORGANIZATION\tDOCUMENT\tSUBJECT\tNOT AFTER\tDAYS LEFT\tSTATE\tREASON",
	Row: func(c PrintedCertificate) []any {
		return []any{c.ID, c.OrganizationID, c.TaxID, c.Subject, c.NotAfter, c.DaysLeft, c.state(), cli.OrDash(c.Reason)}
	},
}

// state is the state with the warning, for people.
func (c PrintedCertificate) state() string {
	if c.OtherEstablishment {
		return c.State + ", of another establishment"
	}
	return c.State
}

func certificateListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List certificates, of one organization or of all, newest first",
		"emissor certificate list --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFilter(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		certificates, err := company.Certificates(ctx, s.Store, *organization)
		return certificateTable.Show(s, cli.Mapped(certificates, newPrintedCertificate), err)
	})
}

func certificateChangeCommand(
	verb, short string,
	change func(by *companies.Changes, ctx context.Context, organizationID, id string) (companies.Certificate, error),
) *cobra.Command {
	command := cli.NewCommand(verb+" CERTIFICATE --organization ORG", short,
		"emissor certificate "+verb+" crt_01m0w5pcc4egkry68k425rsdp7 --organization org_01m10n7b5xf0stgd3ek65gw866",
		cobra.ExactArgs(1))
	organization := cli.OrganizationFlag(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		changed, err := change(s.Changes.Companies, ctx, *organization, s.Args[0])
		return certificateTable.ShowOne(s, newPrintedCertificate(changed), err)
	})
}
