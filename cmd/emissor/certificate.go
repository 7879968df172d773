package main

import (
	"context"
	"encoding/hex"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"emissor/fiscal/certificate"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
)

func certificateCommand() *cobra.Command {
	return commandGroup("certificate", "Manage the A1 certificates with which organizations issue live notes",
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
	command := newCommand("open", "Open the PFX file that the dashboard sends (it is not for people)",
		"", cobra.NoArgs)
	command.Hidden = true
	command.RunE = func(*cobra.Command, []string) error { return certificate.ServeApart(os.Stdin, os.Stdout) }
	return command
}

// pfxProgram is the command line by which this program opens a PFX file.
func pfxProgram() ([]string, error) {
	path, err := os.Executable()
	return []string{path, "certificate", "open"}, err
}

// printedCertificate is a certificate as commands show it.
type printedCertificate struct {
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

func newPrintedCertificate(c companies.Certificate) printedCertificate {
	now := time.Now()
	return printedCertificate{
		ID: c.ID, OrganizationID: c.OrganizationID, TaxID: c.TaxID,
		Subject: c.Subject, Issuer: c.Issuer, Serial: c.Serial, Fingerprint: hex.EncodeToString(c.Fingerprint),
		NotBefore: c.NotBefore, NotAfter: c.NotAfter, DaysLeft: int(math.Floor(c.NotAfter.Sub(now).Hours() / 24)),
		State: c.State(now), OtherEstablishment: c.OtherEstablishment, Reason: c.RefusedReason,
		CreatedAt: c.CreatedAt, RemovedAt: c.RemovedAt,
	}
}

var certificateTable = table[printedCertificate]{
	"ID\tORGANIZATION\tDOCUMENT\tSUBJECT\tNOT AFTER\tDAYS LEFT\tSTATE\tREASON",
	func(c printedCertificate) []any {
		return []any{c.ID, c.OrganizationID, c.TaxID, c.Subject, c.NotAfter, c.DaysLeft, c.state(), orDash(c.Reason)}
	},
}

// state is the state with the warning, for people.
func (c printedCertificate) state() string {
	if c.OtherEstablishment {
		return c.State + ", of another establishment"
	}
	return c.State
}

func certificateListCommand() *cobra.Command {
	command := newCommand("list", "List certificates, of one organization or of all, newest first",
		"emissor certificate list --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := organizationFilter(command)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		certificates, err := company.Certificates(ctx, s.store, *organization)
		return certificateTable.show(s, mapped(certificates, newPrintedCertificate), err)
	})
}

func certificateChangeCommand(
	verb, short string,
	change func(by *companies.Changes, ctx context.Context, organizationID, id string) (companies.Certificate, error),
) *cobra.Command {
	command := newCommand(verb+" CERTIFICATE --organization ORG", short,
		"emissor certificate "+verb+" crt_01m0w5pcc4egkry68k425rsdp7 --organization org_01m10n7b5xf0stgd3ek65gw866",
		cobra.ExactArgs(1))
	organization := organizationFlag(command)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		changed, err := change(s.changes.Companies, ctx, *organization, s.args[0])
		return certificateTable.showOne(s, newPrintedCertificate(changed), err)
	})
}
