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
	"emissor/nfse/fact"
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
	key, ok := b.Key.Public().(*rsa.PublicKey)
	switch {
	case !ok:
		return invalid(fact.KeyNotRSA.Fact())
	case key.N.BitLen() < minimumBits:
		return invalid(fact.KeyTooShort.With("bits", key.N.BitLen(), "least", minimumBits))
	case !isKeyOf(b.Key, b.Leaf):
		return invalid(fact.KeyOfAnotherCertificate.Fact())
	}
	return nil
}

// checkNames refuses names that cannot be kept.
func (b *Bundle) checkNames(Checks) error {
	for _, name := range []string{b.Leaf.Subject.CommonName, b.Leaf.Issuer.CommonName} {
		if strings.ContainsRune(name, 0) || !utf8.ValidString(name) {
			return invalid(fact.CertificateNamesUnreadable.Fact())
		}
	}
	return nil
}

func (b *Bundle) checkDates(checks Checks) error {
	switch {
	case checks.At.Before(b.Leaf.NotBefore):
		return invalid(fact.CertificateBegins.With("from", nfse.Timestamp{Time: b.Leaf.NotBefore}))
	case checks.At.After(b.Leaf.NotAfter):
		return invalid(fact.CertificateEnded.With("on", nfse.Timestamp{Time: b.Leaf.NotAfter}))
	}
	return nil
}

func (b *Bundle) checkUse(Checks) error {
	const signing = x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment
	purposes := b.Leaf.ExtKeyUsage
	switch {
	case b.Leaf.Version != 3:
		return invalid(fact.CertificateVersion.With("version", b.Leaf.Version))
	case b.Leaf.IsCA:
		return invalid(fact.CertificateOfCA.Fact())
	case b.Leaf.KeyUsage&signing != signing:
		return invalid(fact.CertificateNotToSign.Fact())
	case len(purposes)+len(b.Leaf.UnknownExtKeyUsage) > 0 &&
		!slices.Contains(purposes, x509.ExtKeyUsageClientAuth) && !slices.Contains(purposes, x509.ExtKeyUsageAny):
		return invalid(fact.CertificateNotToConnect.Fact())
	}
	return nil
}

func (b *Bundle) checkHolder(checks Checks) error {
	id, err := b.TaxID()
	switch holder := checks.Holder; {
	case err != nil || holder.TaxID == "" || holder.Is(id):
		return err
	case fiscal.Holder{TaxID: holder.TaxID}.Is(id):
		return invalid(fact.CertificateOfAnotherBranch.Fact())
	}
	return invalid(fact.CertificateOfAnotherHolder.Fact())
}

func (b *Bundle) checkChain(checks Checks) error {
	if checks.UnverifiedChain {
		return nil
	}
	return b.CheckChain(checks.Roots, checks.At)
}

// CheckChain refuses a certificate whose chain does not lead to one of the roots at a
// moment. With nil roots every chain is refused.
func (b *Bundle) CheckChain(roots *x509.CertPool, at time.Time) error {
	if roots == nil {
		return invalid(fact.CertificateRootsMissing.Fact())
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
		return invalid(fact.CertificateChainAstray.With("why", chainProblem(err)))
	}
	return nil
}

// chainProblem returns what is wrong with a chain, without the names in its
// certificates.
func chainProblem(err error) fact.Fact {
	switch problem := err.(type) {
	case x509.UnknownAuthorityError:
		return fact.ChainAuthorityUnknown.Fact()
	case x509.CertificateInvalidError:
		if problem.Reason == x509.Expired {
			return fact.ChainAuthorityOutOfTime.Fact()
		}
	}
	return fact.ChainUnverified.Fact()
}

// invalid makes the error of a certificate that its owner must replace.
func invalid(reason fact.Fact) *nfse.Error { return nfse.InvalidBecause("certificate", reason) }
