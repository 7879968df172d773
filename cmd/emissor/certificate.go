package main

import (
	"context"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"emissor/fiscal/certificate"
	"emissor/nfse"
	"emissor/store"
)

func certificateCommand() *cobra.Command {
	command := &cobra.Command{Use: "certificate", Short: "Manage the A1 certificates with which organizations issue live notes"}
	command.AddCommand(certificateAddCommand(), certificateListCommand(), certificateRetryCommand(), certificateRemoveCommand())
	return command
}

// printedCertificate is a certificate as commands show it.
type printedCertificate struct {
	ID             string          `json:"id"`
	OrganizationID string          `json:"organization_id"`
	Document       nfse.TaxID      `json:"document"`
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

func newPrintedCertificate(c store.Certificate, now time.Time) printedCertificate {
	return printedCertificate{
		ID: c.ID, OrganizationID: c.OrganizationID, Document: c.TaxID, Subject: c.Subject, Issuer: c.Issuer, Serial: c.Serial,
		Fingerprint: hex.EncodeToString(c.Fingerprint), NotBefore: c.NotBefore, NotAfter: c.NotAfter,
		DaysLeft: int(math.Floor(c.NotAfter.Sub(now).Hours() / 24)),
		State:    c.State(now), Reason: c.RefusedReason, CreatedAt: c.CreatedAt, RemovedAt: c.RemovedAt,
	}
}

func printCertificates(command *cobra.Command, out output, value any, certificates []printedCertificate) error {
	header := "ID\tORGANIZATION\tDOCUMENT\tSUBJECT\tNOT AFTER\tDAYS LEFT\tSTATE\tREASON"
	return out.print(command.OutOrStdout(), value, header, func(add func(...any)) {
		for _, c := range certificates {
			add(c.ID, c.OrganizationID, c.Document, c.Subject, c.NotAfter, c.DaysLeft, c.State, orDash(c.Reason))
		}
	})
}

func certificateAddCommand() *cobra.Command {
	var out output
	var organizationID, passwordFile, rootsFile string
	command := &cobra.Command{
		Use:   "add FILE.pfx --organization ORG",
		Short: "Add a certificate from a PFX file; live notes that wait for one continue at once",
		Long: "Add a certificate from a PFX (PKCS#12) file; live notes that wait for one continue at once.\n\n" +
			"The password is asked for, or read from a file. The certificate must be one that the authority takes: RSA of 2048 bits or more, valid\n" +
			"now, for signing and for client authentication, of the company or person that issues. Key and chain are kept sealed under the keyset; of\n" +
			"several usable certificates the one added last is used. Adding the same one again renews it, also one that the authority refused.",
		Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return withSealer(command.Context(), func(ctx context.Context, p *secretsContext) error {
				checks := certificate.Checks{At: time.Now()}
				profile, err := p.store.FiscalProfile(ctx, organizationID)
				hasProfile := err == nil
				if errors.Is(err, store.ErrNoFiscalProfile) {
					_, err = p.store.Organization(ctx, organizationID)
				}
				if err != nil {
					return err
				}
				checks.Issuer = profile.TaxID
				if checks.Roots, err = roots(p.config, rootsFile); err != nil {
					return err
				}
				bundle, err := openPFX(ctx, args[0], passwordFile)
				if err != nil {
					return err
				}
				if err := bundle.Check(checks); err != nil {
					return err
				}
				added, err := addCertificate(ctx, p, organizationID, bundle)
				if err != nil {
					return err
				}
				printed := newPrintedCertificate(added, checks.At)
				if err := printCertificates(command, out, printed, []printedCertificate{printed}); err != nil || hasProfile || out.json {
					return err
				}
				_, err = fmt.Fprintln(command.OutOrStdout(), "\nThe organization has no fiscal profile yet: whether the certificate is of its issuer shows when one is set.")
				return err
			})
		},
	}
	command.Flags().StringVar(&organizationID, "organization", "", "id of the organization (org_...)")
	command.Flags().StringVar(&passwordFile, "password-file", "", "file that holds the password of the PFX file; without it you are asked")
	command.Flags().StringVar(&rootsFile, "roots", "", "file of root certificates in PEM to which the chain must lead (default: EMISSOR_CERTIFICATE_ROOTS; without either the chain is not checked)")
	_ = command.MarkFlagRequired("organization")
	return out.flag(command)
}

// roots are those that the chain must lead to: of the flag, or else of the
// configuration; nil, for no check, when neither names a file.
func roots(config config, flag string) (*x509.CertPool, error) {
	if flag != "" {
		return certificatePool("--roots", flag)
	}
	return certificatePool("EMISSOR_CERTIFICATE_ROOTS", config.CertificateRoots)
}

func openPFX(ctx context.Context, file, passwordFile string) (*certificate.Bundle, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	password, err := readPassword(ctx, passwordFile, "Password of "+file+": ")
	if err != nil {
		return nil, err
	}
	return certificate.ReadPFX(content, password)
}

// addCertificate seals a certificate for its organization and its id, and puts
// it on record.
func addCertificate(ctx context.Context, p *secretsContext, organizationID string, bundle *certificate.Bundle) (store.Certificate, error) {
	document, err := bundle.Document()
	if err != nil {
		return store.Certificate{}, err
	}
	id, err := p.store.CertificateID(ctx, organizationID, bundle.Fingerprint())
	if err != nil {
		return store.Certificate{}, err
	}
	content, err := bundle.Marshal()
	if err != nil {
		return store.Certificate{}, err
	}
	defer clear(content)
	sealed, err := p.sealer.Seal(content, organizationID, id)
	if err != nil {
		return store.Certificate{}, err
	}
	return p.store.AddCertificate(ctx, store.Certificate{
		ID: id, OrganizationID: organizationID, TaxID: document,
		Subject: bundle.Leaf.Subject.CommonName, Issuer: bundle.Leaf.Issuer.CommonName, Serial: bundle.Leaf.SerialNumber.Text(16),
		Fingerprint: bundle.Fingerprint(), Sealed: sealed,
		NotBefore: nfse.Timestamp{Time: bundle.Leaf.NotBefore}, NotAfter: nfse.Timestamp{Time: bundle.Leaf.NotAfter},
	})
}

func certificateListCommand() *cobra.Command {
	var out output
	var organizationID string
	command := &cobra.Command{
		Use:   "list",
		Short: "List certificates, of one organization or of all, newest first",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				certificates, err := s.Certificates(ctx, organizationID)
				if err != nil {
					return err
				}
				now, printed := time.Now(), make([]printedCertificate, len(certificates))
				for i, one := range certificates {
					printed[i] = newPrintedCertificate(one, now)
				}
				return printCertificates(command, out, printed, printed)
			})
		},
	}
	command.Flags().StringVar(&organizationID, "organization", "", "only of this organization (org_...)")
	return out.flag(command)
}

func certificateRemoveCommand() *cobra.Command {
	return changeCertificateCommand("remove", "Take a certificate out of use and forget its key; what it signed stays on record", (*store.Store).RemoveCertificate)
}

func certificateRetryCommand() *cobra.Command {
	return changeCertificateCommand("retry", "Use a certificate again that the authority refused; live notes that wait for one continue at once", (*store.Store).RetryCertificate)
}

func changeCertificateCommand(name, short string, change func(*store.Store, context.Context, string, string) (store.Certificate, error)) *cobra.Command {
	var out output
	var organizationID string
	command := &cobra.Command{
		Use:   name + " CERTIFICATE --organization ORG",
		Short: short,
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				changed, err := change(s, ctx, organizationID, args[0])
				if err != nil {
					return err
				}
				printed := newPrintedCertificate(changed, time.Now())
				return printCertificates(command, out, printed, []printedCertificate{printed})
			})
		},
	}
	command.Flags().StringVar(&organizationID, "organization", "", "id of the organization (org_...)")
	_ = command.MarkFlagRequired("organization")
	return out.flag(command)
}
