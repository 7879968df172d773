package company

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/certificate"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
)

func certificateAddCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "add FILE --organization ORG",
		Short: "Add a certificate from a PFX file; live notes that wait for one continue at once",
		Long: `Add a certificate from a PFX (PKCS#12) file; live notes that wait for one continue at once.

The password is asked for, or read from a file. The certificate must be one that the authority takes: RSA of 2048
bits or more, valid now, for signing and for client authentication, of the company or person that issues. Key and
chain are kept sealed under the keyset; of several usable certificates the one added last is used. Adding the same
one again renews it, also one that the authority refused.

Where the key is on a token, in an HSM or in the cloud (A3), FILE has the certificate and its chain in PEM, and
--signer-key names the key to the program of EMISSOR_SIGNER, which has to sign with it before the certificate is added.

The chain must lead to one of the root certificates that are given (--roots, EMISSOR_CERTIFICATE_ROOTS), unless
--unverified-chain says that it need not. The first organization that shows a certificate of a CNPJ or CPF so owns its
series; one whose chain was not verified shows nothing (emissor organization tax-ids).`,
		Example: `emissor certificate add clinica.pfx --organization org_01m10n7b5xf0stgd3ek65gw866 \
  --password-file clinica.password`,
		Args: cobra.ExactArgs(1),
	}
	var given newCertificate
	given.organization = cli.OrganizationFlag(command)
	given.passwordFile = command.Flags().String("password-file", "",
		"file that holds the password of the PFX file; without it you are asked")
	given.roots = command.Flags().String("roots", "",
		"file of root certificates in PEM to which the chain must lead "+
			"(default: EMISSOR_CERTIFICATE_ROOTS)")
	given.signerKey = command.Flags().String("signer-key", "",
		"what names the key to the program of EMISSOR_SIGNER; the file then holds certificates in PEM, and no key")
	command.MarkFlagsMutuallyExclusive("signer-key", "password-file")
	cli.CompleteArguments(command, cli.Files)
	cli.CompleteFileFlag(command, "password-file")
	cli.CompleteFileFlag(command, "roots")
	given.unverified = command.Flags().Bool("unverified-chain", false,
		"add it also when its chain does not lead to one of the root certificates, or there are none: it does not "+
			"show whose the CNPJ or CPF is")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error { return given.add(ctx, s) })
}

// newCertificate is a certificate as it is given on the command line.
type newCertificate struct {
	organization, passwordFile, roots, signerKey *string
	unverified                                   *bool
}

func (c newCertificate) add(ctx context.Context, s *cli.CommandRun) error {
	profile, err := c.profile(ctx, s.Store)
	if err != nil {
		return err
	}
	bundle, verified, err := c.open(ctx, s, profile)
	if err != nil {
		return err
	}
	sealer, err := s.Sealing(ctx)
	if err != nil {
		return err
	}
	added, err := company.AddCertificate(ctx, s.Store, s.Changes, sealer, *c.organization, bundle, verified)
	if err != nil {
		return err
	}
	if err := certificateTable.PrintOne(s, newPrintedCertificate(added)); err != nil {
		return err
	}
	var claim error
	if profile != nil {
		claim = s.Store.Companies.CheckTaxID(ctx, company.Present(*profile))
	}
	return printCautions(s, verified, profile, added.TaxID, claim)
}

// profile is the organization's; nil where it has none.
func (c newCertificate) profile(ctx context.Context, db *store.Store) (*nfse.FiscalProfile, error) {
	profile, err := db.Companies.FiscalProfile(ctx, *c.organization)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		_, err := db.Access.Organization(ctx, *c.organization)
		return nil, err
	}
	return &profile, err
}

// open opens the file, checks what is in it, and says whether its chain was verified.
func (c newCertificate) open(
	ctx context.Context, s *cli.CommandRun, profile *nfse.FiscalProfile,
) (bundle *certificate.Bundle, verified bool, err error) {
	roots, err := cli.CertificateRoots(s.Config, *c.roots)
	if err != nil {
		return nil, false, err
	}
	if bundle, err = c.read(ctx, s); err != nil {
		return nil, false, err
	}
	checks := certificate.Checks{At: time.Now(), UnverifiedChain: true}
	if profile != nil {
		checks.Holder = company.Holder(company.Present(*profile))
	}
	if err := bundle.Check(checks); err != nil {
		return nil, false, err
	}
	if _, err := cli.Interruptible(ctx, func() (any, error) { return nil, bundle.Prove() }); err != nil {
		return nil, false, err
	}
	unknown := bundle.CheckChain(roots, checks.At)
	if unknown != nil && !*c.unverified {
		return nil, false, fmt.Errorf("%s; --unverified-chain adds it all the same", cli.Message(unknown))
	}
	return bundle, unknown == nil, nil
}

// printCautions prints what is not known of a certificate that was added, which names a tax id. profile
// is the organization's, nil where it has none, and claim the error of its claim.
func printCautions(s *cli.CommandRun, verified bool, profile *nfse.FiscalProfile, named nfse.TaxID, claim error) error {
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
	switch {
	case profile == nil:
		cautions = append(cautions, "The organization has no fiscal profile yet: "+
			"whether the certificate is of its issuer shows when one is set.")
	case named != profile.TaxID:
		cautions = append(cautions, "WARNING: the certificate is of another establishment of the company: whether the "+
			"authority takes it is not settled. If it refuses it (E0718), add one of this CNPJ.")
	}
	for _, caution := range cautions {
		if err := s.Printf("\n%s\n", caution); err != nil {
			return err
		}
	}
	return nil
}

// openingTime is how long a PFX file may take to open. The cost of its key derivations is
// checked before they begin, except of one whose cost is itself encrypted.
const openingTime = time.Minute

// read reads the file: a PFX file, or the certificates of a key that is kept elsewhere.
func (c newCertificate) read(ctx context.Context, s *cli.CommandRun) (*certificate.Bundle, error) {
	if *c.signerKey == "" {
		return readBundle(ctx, s.Args[0], *c.passwordFile)
	}
	program, err := s.Config.SigningProgram()
	if err != nil {
		return nil, err
	}
	content, err := cli.Interruptible(ctx, func() ([]byte, error) { return os.ReadFile(s.Args[0]) })
	if err != nil {
		return nil, err
	}
	return certificate.ExternalBundle(content, program, *c.signerKey)
}

// readBundle opens a PFX file. It can be interrupted even where opening does not end: the
// goroutine that opens it then ends with the process.
func readBundle(ctx context.Context, file, passwordFile string) (*certificate.Bundle, error) {
	content, err := cli.Interruptible(ctx, func() ([]byte, error) { return os.ReadFile(file) })
	if err != nil {
		return nil, err
	}
	password, err := cli.ReadPassword(ctx, passwordFile, "Password of "+file+": ")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeoutCause(ctx, openingTime,
		errors.New("the file takes too long to open: export it again"))
	defer stop()
	return cli.Interruptible(ctx, func() (*certificate.Bundle, error) { return certificate.ReadPFX(content, password) })
}
