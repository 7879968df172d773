package main

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"emissor/company"
	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/nfse"
	"emissor/store"
)

func certificateCommand() *cobra.Command {
	return commandGroup("certificate", "Manage the A1 certificates with which organizations issue live notes",
		certificateAddCommand(), certificateListCommand(),
		certificateChangeCommand("retry",
			"Use a certificate again that the authority refused; live notes that wait for one continue at once",
			(*store.Changes).RetryCertificate),
		certificateChangeCommand("remove",
			"Take a certificate out of use and forget its key; what it signed stays on record",
			(*store.Changes).RemoveCertificate),
		certificateOpenCommand())
}

// certificateOpenCommand is what the dashboard runs to open a PFX file: in a process
// that can be ended, and is told nothing but the file and its password.
func certificateOpenCommand() *cobra.Command {
	command := newCommand("open", "Open the PFX file that the dashboard sends (it is not for people)", cobra.NoArgs)
	command.Hidden = true
	command.RunE = func(*cobra.Command, []string) error { return certificate.ServeApart(os.Stdin, os.Stdout) }
	return command
}

// pfxProgram is this program as it opens PFX files.
func pfxProgram() ([]string, error) {
	path, err := os.Executable()
	return []string{path, "certificate", "open"}, err
}

// printedCertificate is a certificate as commands show it.
type printedCertificate struct {
	ID             string          `json:"id"`
	OrganizationID string          `json:"organization_id"`
	TaxID          nfse.TaxID      `json:"document"`
	Subject        string          `json:"subject"`
	Issuer         string          `json:"issuer"`
	Serial         string          `json:"serial"`
	Fingerprint    string          `json:"fingerprint"` // SHA-256, in hexadecimal
	NotBefore      nfse.Timestamp  `json:"not_before"`
	NotAfter       nfse.Timestamp  `json:"not_after"`
	DaysLeft       int             `json:"days_left"` // whole days; negative once it has expired
	State          string          `json:"state"`
	Reason         *string         `json:"refused_reason"`
	CreatedAt      nfse.Timestamp  `json:"created_at"`
	RemovedAt      *nfse.Timestamp `json:"removed_at"`
}

func newPrintedCertificate(c store.Certificate) printedCertificate {
	now := time.Now()
	return printedCertificate{
		ID: c.ID, OrganizationID: c.OrganizationID, TaxID: c.TaxID,
		Subject: c.Subject, Issuer: c.Issuer, Serial: c.Serial, Fingerprint: hex.EncodeToString(c.Fingerprint),
		NotBefore: c.NotBefore, NotAfter: c.NotAfter, DaysLeft: int(math.Floor(c.NotAfter.Sub(now).Hours() / 24)),
		State: c.State(now), Reason: c.RefusedReason, CreatedAt: c.CreatedAt, RemovedAt: c.RemovedAt,
	}
}

var certificateTable = table[printedCertificate]{
	"ID\tORGANIZATION\tDOCUMENT\tSUBJECT\tNOT AFTER\tDAYS LEFT\tSTATE\tREASON",
	func(c printedCertificate) []any {
		return []any{c.ID, c.OrganizationID, c.TaxID, c.Subject, c.NotAfter, c.DaysLeft, c.State, orDash(c.Reason)}
	},
}

func certificateAddCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "add FILE.pfx --organization ORG",
		Short: "Add a certificate from a PFX file; live notes that wait for one continue at once",
		Long: `Add a certificate from a PFX (PKCS#12) file; live notes that wait for one continue at once.

The password is asked for, or read from a file. The certificate must be one that the authority takes: RSA of 2048
bits or more, valid now, for signing and for client authentication, of the company or person that issues. Key and
chain are kept sealed under the keyset; of several usable certificates the one added last is used. Adding the same
one again renews it, also one that the authority refused.

The chain must lead to one of the root certificates that are given (--roots, EMISSOR_CERTIFICATE_ROOTS), unless
--unverified-chain says that it need not. The first organization that shows a certificate of a CNPJ or CPF so owns its
series; one whose chain was not verified shows nothing (emissor organization tax-ids).`,
		Args: cobra.ExactArgs(1),
	}
	organization := organizationFlag(command)
	passwordFile := command.Flags().String("password-file", "",
		"file that holds the password of the PFX file; without it you are asked")
	rootsFile := command.Flags().String("roots", "",
		"file of root certificates in PEM to which the chain must lead "+
			"(default: EMISSOR_CERTIFICATE_ROOTS)")
	unverified := command.Flags().Bool("unverified-chain", false,
		"add it also when its chain does not lead to one of the root certificates, or there are none: it does not "+
			"show whose the CNPJ or CPF is")
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		profile, err := s.store.FiscalProfile(ctx, *organization)
		holder, hasProfile := fiscal.Holder{}, err == nil
		if hasProfile {
			holder = company.Holder(profile)
		}
		if errors.Is(err, store.ErrNoFiscalProfile) {
			_, err = s.store.Organization(ctx, *organization)
		}
		if err != nil {
			return err
		}
		roots, err := certificateRoots(s.config, *rootsFile)
		if err != nil {
			return err
		}
		bundle, err := readBundle(ctx, s.args[0], *passwordFile)
		if err != nil {
			return err
		}
		now := time.Now()
		if err := bundle.Check(certificate.Checks{Holder: holder, At: now, UnverifiedChain: true}); err != nil {
			return err
		}
		unknown := bundle.CheckChain(roots, now)
		if unknown != nil && !*unverified {
			return fmt.Errorf("%s; --unverified-chain adds it all the same", message(unknown))
		}
		sealer, err := s.sealing(ctx)
		if err != nil {
			return err
		}
		added, err := company.AddCertificate(ctx, s.store, s.changes, sealer, *organization, bundle,
			unknown == nil)
		if err != nil {
			return err
		}
		if err := certificateTable.printOne(s, newPrintedCertificate(added)); err != nil {
			return err
		}
		var claim error
		if hasProfile {
			claim = s.store.CheckTaxID(ctx, profile)
		}
		return printCautions(s, unknown == nil, hasProfile, claim)
	})
}

// printCautions says what is not known of a certificate that was added. claim is the error of
// the organization's claim, if it has a profile.
func printCautions(s *session, verified, hasProfile bool, claim error) error {
	var cautions []string
	if !verified {
		cautions = append(cautions, "WARNING: the certificate's chain leads to no configured root certificate "+
			"(EMISSOR_CERTIFICATE_ROOTS, --roots): who issued it is not known, so that it does not show whose the "+
			"CNPJ or CPF is.")
	}
	var unclaimed *nfse.Error
	switch {
	case errors.As(claim, &unclaimed):
		cautions = append(cautions, "No note is issued with it yet: "+unclaimed.Message+".")
	case claim != nil:
		return claim
	}
	if !hasProfile {
		cautions = append(cautions, "The organization has no fiscal profile yet: "+
			"whether the certificate is of its issuer shows when one is set.")
	}
	for _, caution := range cautions {
		if err := s.printf("\n%s\n", caution); err != nil {
			return err
		}
	}
	return nil
}

// certificateRoots are those of the flag's file, or else of the configuration's;
// nil when neither names one.
func certificateRoots(config config, file string) (*x509.CertPool, error) {
	source := "EMISSOR_CERTIFICATE_ROOTS"
	if file != "" {
		source = "--roots"
	}
	return certificatePool(source, cmp.Or(file, config.CertificateRoots))
}

// openingTime is how long a PFX file may take to open. Its key derivations are
// bounded before they begin, but for one whose bound is itself encrypted.
const openingTime = time.Minute

// readBundle opens a PFX file. It can be interrupted, whatever the file makes of it:
// then the process ends, and what was under way with it.
func readBundle(ctx context.Context, file, passwordFile string) (*certificate.Bundle, error) {
	content, err := interruptible(ctx, func() ([]byte, error) { return os.ReadFile(file) })
	if err != nil {
		return nil, err
	}
	password, err := readPassword(ctx, passwordFile, "Password of "+file+": ")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeoutCause(ctx, openingTime,
		errors.New("the file takes too long to open: export it again"))
	defer stop()
	return interruptible(ctx, func() (*certificate.Bundle, error) { return certificate.ReadPFX(content, password) })
}

// interruptible returns what do returns, or that ctx has ended before.
func interruptible[T any](ctx context.Context, do func() (T, error)) (result T, err error) {
	done := make(chan struct{})
	var made T
	var failed error
	go func() {
		defer close(done)
		made, failed = do()
	}()
	select {
	case <-done:
		return made, failed
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return result, context.Cause(ctx)
		}
		return result, errInterrupted
	}
}

func certificateListCommand() *cobra.Command {
	command := newCommand("list", "List certificates, of one organization or of all, newest first", cobra.NoArgs)
	organization := organizationFilter(command)
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		certificates, err := company.Certificates(ctx, s.store, *organization)
		if err != nil {
			return err
		}
		return certificateTable.print(s, mapped(certificates, newPrintedCertificate))
	})
}

func certificateChangeCommand(
	verb, short string,
	change func(by *store.Changes, ctx context.Context, organizationID, id string) (store.Certificate, error),
) *cobra.Command {
	command := newCommand(verb+" CERTIFICATE --organization ORG", short, cobra.ExactArgs(1))
	organization := organizationFlag(command)
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		changed, err := change(s.changes, ctx, *organization, s.args[0])
		if err != nil {
			return err
		}
		return certificateTable.printOne(s, newPrintedCertificate(changed))
	})
}
