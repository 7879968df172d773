package certificate

import (
	"crypto/rsa"
	"crypto/x509"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/nfse"
)

// minimumBits is the shortest RSA key that ICP-Brasil certifies.
const minimumBits = 2048

// Checks are what a certificate is checked against.
type Checks struct {
	Holder fiscal.Holder  // whom it must name; the zero Holder while that is not known yet
	At     time.Time      // the moment at which it must be valid
	Roots  *x509.CertPool // to which its chain must lead; nil: none are configured, and no chain is good

	UnverifiedChain bool // its chain need not lead to them
}

// Check refuses what the authority would: a key or a certificate that cannot sign
// and connect, at this moment, for this issuer (E0715, E0716, E0718, E1203 to
// E1209). Its errors are *nfse.Error and say what to do.
func (b *Bundle) Check(checks Checks) error {
	for _, check := range []func(Checks) error{b.checkKey, b.checkNames, b.checkDates, b.checkUse, b.checkHolder,
		b.checkChain} {
		if err := check(checks); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bundle) checkKey(Checks) error {
	key, ok := b.Key.(*rsa.PrivateKey)
	switch {
	case !ok:
		return invalid("the key is not RSA, and the authority takes only RSA signatures")
	case key.N.BitLen() < minimumBits:
		return invalid("the RSA key has %d bits, and at least %d are needed", key.N.BitLen(), minimumBits)
	case !isKeyOf(key, b.Leaf):
		return invalid("the key is not the certificate's")
	}
	return nil
}

// checkNames refuses names that cannot be kept.
func (b *Bundle) checkNames(Checks) error {
	for _, name := range []string{b.Leaf.Subject.CommonName, b.Leaf.Issuer.CommonName} {
		if strings.ContainsRune(name, 0) || !utf8.ValidString(name) {
			return invalid("the certificate's subject or issuer holds a NUL, or bytes that are no UTF-8")
		}
	}
	return nil
}

func (b *Bundle) checkDates(checks Checks) error {
	switch {
	case checks.At.Before(b.Leaf.NotBefore):
		return invalid("the certificate is not valid before %s", nfse.Timestamp{Time: b.Leaf.NotBefore})
	case checks.At.After(b.Leaf.NotAfter):
		return invalid("the certificate expired on %s", nfse.Timestamp{Time: b.Leaf.NotAfter})
	}
	return nil
}

func (b *Bundle) checkUse(Checks) error {
	const signing = x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment
	purposes := b.Leaf.ExtKeyUsage
	switch {
	case b.Leaf.Version != 3:
		return invalid("the certificate is of X.509 version %d, and 3 is needed", b.Leaf.Version)
	case b.Leaf.IsCA:
		return invalid("the certificate is a certification authority's, not a company's or a person's")
	case b.Leaf.KeyUsage&signing != signing:
		return invalid("the certificate's key usage lacks digital signature or non-repudiation, " +
			"so the authority would refuse what it signs (E0716)")
	case len(purposes)+len(b.Leaf.UnknownExtKeyUsage) > 0 &&
		!slices.Contains(purposes, x509.ExtKeyUsageClientAuth) && !slices.Contains(purposes, x509.ExtKeyUsageAny):
		return invalid("the certificate is not for client authentication, so it cannot connect to the authority")
	}
	return nil
}

func (b *Bundle) checkHolder(checks Checks) error {
	id, err := b.TaxID()
	switch holder := checks.Holder; {
	case err != nil || holder.TaxID == "" || holder.Is(id):
		return err
	case fiscal.Holder{TaxID: holder.TaxID}.Is(id):
		return invalid("the certificate names another establishment of the company than the organization's fiscal " +
			"profile, and the authority wants the certificate of that very one")
	}
	return invalid("the certificate names another company or person than the organization's fiscal profile")
}

func (b *Bundle) checkChain(checks Checks) error {
	if checks.UnverifiedChain {
		return nil
	}
	return b.CheckChain(checks.Roots, checks.At)
}

// CheckChain refuses a certificate whose chain does not lead to one of the roots at a
// moment. To nil, which is none, no chain leads.
func (b *Bundle) CheckChain(roots *x509.CertPool, at time.Time) error {
	if roots == nil {
		return invalid("no root certificates are configured, so that nobody vouches for the certificate " +
			"(EMISSOR_CERTIFICATE_ROOTS)")
	}
	intermediates := x509.NewCertPool()
	for _, one := range b.Chain {
		intermediates.AddCert(one)
	}
	leaf := *b.Leaf
	// A critical extension of otherNames only is unknown to x509; here they are read.
	unhandled := slices.Clone(leaf.UnhandledCriticalExtensions)
	leaf.UnhandledCriticalExtensions = slices.DeleteFunc(unhandled, oidAlternativeNames.Equal)
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: intermediates, CurrentTime: at,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return invalid("the certificate's chain does not lead to one of the given roots (%s)", chainProblem(err))
	}
	return nil
}

// chainProblem returns what is wrong with a chain, without the names in its
// certificates.
func chainProblem(err error) string {
	switch problem := err.(type) {
	case x509.UnknownAuthorityError:
		return "an unknown or missing certification authority"
	case x509.CertificateInvalidError:
		if problem.Reason == x509.Expired {
			return "a certification authority of it is not valid at this time"
		}
	}
	return "it does not verify"
}

// invalid makes the error of a certificate that its owner must replace.
func invalid(format string, args ...any) *nfse.Error {
	return nfse.Invalid("certificate", format, args...)
}
