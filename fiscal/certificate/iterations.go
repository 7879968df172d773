package certificate

import (
	"encoding/asn1"

	"emissor/nfse/fact"
)

const (
	// maxIterations bounds the work of trying a password, over all keys that a file
	// has derived from it: 2,000,000 take seconds, and common files ask for three
	// times 2,000 to 600,000.
	maxIterations = 2_000_000
	// maxPFX bounds a file, in bytes; one with a chain has some 10,000.
	maxPFX = 1 << 20
	// maxNesting bounds how deep the values of a file are nested; a PFX has some 15.
	maxNesting = 40
)

// checkCost refuses a file whose password would take too long to try. The counts of
// iterations stand where no password is needed to read them: in the MAC, in the
// parameters of what is encrypted and in those of its keys. (Only the count of a key
// within what is encrypted cannot be read before; no common program writes one.
// ReadPFXApart ends the work on such a file.)
func checkCost(pfx []byte) error {
	if len(pfx) > maxPFX {
		return invalid(fact.PFXTooLarge.With("mib", maxPFX>>20))
	}
	counter := iterationCounter{}
	counter.mac(pfx)
	counter.walk(pfx, 0)
	switch {
	case counter.tooDeep:
		return errNotPFX
	case counter.total > maxIterations:
		return invalid(fact.PFXTooManyIterations.With("most", maxIterations))
	}
	return nil
}

// iterationCounter adds up the iterations of every key derivation in a file.
type iterationCounter struct {
	total   int64
	tooDeep bool
}

// The algorithms whose parameters are a salt and a count: PBKDF2, which PBES2 and
// PBMAC1 contain, and those of PKCS#12 itself, which differ in the last number.
var (
	oidPBKDF2   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
	oidPKCS12By = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1}
)

func derivesKeys(algorithm asn1.ObjectIdentifier) bool {
	return algorithm.Equal(oidPBKDF2) ||
		len(algorithm) == len(oidPKCS12By)+1 && algorithm[:len(oidPKCS12By)].Equal(oidPKCS12By)
}

// mac counts those of a PFX's MAC (RFC 7292, 4): version, content and, third, a
// digest, a salt and the count.
func (c *iterationCounter) mac(pfx []byte) {
	if parts := children(pfx); len(parts) == 1 {
		if parts = children(parts[0].Bytes); len(parts) == 3 {
			c.count(children(parts[2].Bytes), 2)
		}
	}
}

// walk looks at every value in DER, and at what octet strings hold in it: a PFX is
// DER within octet strings within DER.
func (c *iterationCounter) walk(der []byte, depth int) {
	if depth > maxNesting {
		c.tooDeep = true
		return
	}
	values := children(der)
	if len(values) == 2 && values[0].Tag == asn1.TagOID {
		var algorithm asn1.ObjectIdentifier
		if _, err := asn1.Unmarshal(values[0].FullBytes, &algorithm); err == nil && derivesKeys(algorithm) {
			c.count(children(values[1].Bytes), 1)
		}
	}
	for _, value := range values {
		if value.IsCompound || value.Class == asn1.ClassUniversal && value.Tag == asn1.TagOctetString {
			c.walk(value.Bytes, depth+1)
		}
	}
}

// count adds the number that stands at a place; what is absent or no number is
// none, and refused by who reads the file.
func (c *iterationCounter) count(values []asn1.RawValue, place int) {
	if place >= len(values) || values[place].Tag != asn1.TagInteger {
		return
	}
	var iterations int64
	if _, err := asn1.Unmarshal(values[place].FullBytes, &iterations); err != nil {
		iterations = maxIterations + 1 // it does not fit
	}
	c.total += min(max(iterations, 0), maxIterations+1)
}

// children reads the values that stand one after the other; none if any of them is
// no DER.
func children(der []byte) (values []asn1.RawValue) {
	for len(der) > 0 {
		var value asn1.RawValue
		rest, err := asn1.Unmarshal(der, &value)
		if err != nil {
			return nil
		}
		values, der = append(values, value), rest
	}
	return values
}
