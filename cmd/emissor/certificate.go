package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

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
			(*store.Changes).RemoveCertificate))
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
one again renews it, also one that the authority refused.`,
		Args: cobra.ExactArgs(1),
	}
	organization := organizationFlag(command)
	passwordFile := command.Flags().String("password-file", "",
		"file that holds the password of the PFX file; without it you are asked")
	rootsFile := command.Flags().String("roots", "",
		"file of root certificates in PEM to which the chain must lead "+
			"(default: EMISSOR_CERTIFICATE_ROOTS; without either the chain is not checked)")
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		profile, err := s.store.FiscalProfile(ctx, *organization)
		hasProfile := err == nil
		if errors.Is(err, store.ErrNoFiscalProfile) {
			_, err = s.store.Organization(ctx, *organization)
		}
		if err != nil {
			return err
		}
		bundle, err := readBundle(ctx, s, *passwordFile, *rootsFile, profile.TaxID)
		if err != nil {
			return err
		}
		added, err := addCertificate(ctx, s, *organization, bundle)
		if err != nil {
			return err
		}
		if err := certificateTable.printOne(s, newPrintedCertificate(added)); err != nil || hasProfile {
			return err
		}
		return s.printf("\nThe organization has no fiscal profile yet: " +
			"whether the certificate is of its issuer shows when one is set.\n")
	})
}

// readBundle opens the PFX file that the command names, and checks that the issuer
// can use it. The chain must lead to a root of the flag's file, or else of the
// configuration's; when neither names one, it is not checked.
func readBundle(
	ctx context.Context, s *session, passwordFile, rootsFile string, issuer nfse.TaxID,
) (*certificate.Bundle, error) {
	source := "EMISSOR_CERTIFICATE_ROOTS"
	if rootsFile != "" {
		source = "--roots"
	}
	roots, err := certificatePool(source, cmp.Or(rootsFile, s.config.CertificateRoots))
	if err != nil {
		return nil, err
	}
	file := s.args[0]
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	password, err := readPassword(ctx, passwordFile, "Password of "+file+": ")
	if err != nil {
		return nil, err
	}
	bundle, err := certificate.ReadPFX(content, password)
	if err != nil {
		return nil, err
	}
	return bundle, bundle.Check(certificate.Checks{Issuer: issuer, At: time.Now(), Roots: roots})
}

// addCertificate seals a certificate for its organization and its id, and puts it
// on record.
func addCertificate(
	ctx context.Context, s *session, organizationID string, bundle *certificate.Bundle,
) (store.Certificate, error) {
	taxID, err := bundle.TaxID()
	if err != nil {
		return store.Certificate{}, err
	}
	sealer, err := s.sealing(ctx)
	if err != nil {
		return store.Certificate{}, err
	}
	id, err := s.store.CertificateID(ctx, organizationID, bundle.Fingerprint())
	if err != nil {
		return store.Certificate{}, err
	}
	content, err := bundle.Marshal()
	if err != nil {
		return store.Certificate{}, err
	}
	defer clear(content)
	sealed, err := sealer.Seal(content, organizationID, id)
	if err != nil {
		return store.Certificate{}, err
	}
	leaf := bundle.Leaf
	return s.changes.AddCertificate(ctx, store.Certificate{
		ID: id, OrganizationID: organizationID, TaxID: taxID,
		Subject: leaf.Subject.CommonName, Issuer: leaf.Issuer.CommonName, Serial: leaf.SerialNumber.Text(16),
		Fingerprint: bundle.Fingerprint(), Sealed: sealed,
		NotBefore: nfse.Timestamp{Time: leaf.NotBefore}, NotAfter: nfse.Timestamp{Time: leaf.NotAfter},
	})
}

func certificateListCommand() *cobra.Command {
	command := newCommand("list", "List certificates, of one organization or of all, newest first", cobra.NoArgs)
	organization := organizationFilter(command)
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		certificates, err := s.store.Certificates(ctx, *organization)
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
