package xmldsig

import (
	"crypto"
	_ "crypto/sha1"   // of the profiles for older servers
	_ "crypto/sha256" // of the others
	"fmt"
)

// Profile is a choice of algorithms. The zero Profile is the default: inclusive
// canonical XML 1.0, RSA-SHA256 and SHA-256.
type Profile struct {
	Exclusive bool // exclusive canonical XML 1.0 instead of inclusive
	SHA1      bool // RSA-SHA1 and SHA-1: some authorities' servers take nothing newer
	// NamesCertificate has a signature name its certificate by subject, issuer and serial number
	// beside the certificate itself. It is no part of the profile's word.
	NamesCertificate bool
}

var profileWords = map[string]Profile{
	"inclusive-sha256": {},
	"inclusive-sha1":   {SHA1: true},
	"exclusive-sha256": {Exclusive: true},
	"exclusive-sha1":   {Exclusive: true, SHA1: true},
}

// ParseProfile reads the word for a profile: inclusive-sha256, inclusive-sha1,
// exclusive-sha256 or exclusive-sha1.
func ParseProfile(word string) (Profile, error) {
	profile, known := profileWords[word]
	if !known {
		return Profile{}, fmt.Errorf("unknown signature profile %q: "+
			"must be inclusive-sha256, inclusive-sha1, exclusive-sha256 or exclusive-sha1", word)
	}
	return profile, nil
}

// String returns the word that ParseProfile reads.
func (p Profile) String() string {
	p.NamesCertificate = false
	for word, profile := range profileWords {
		if profile == p {
			return word
		}
	}
	panic("unreachable: every profile has a word")
}

func (p Profile) canonicalization() string {
	if p.Exclusive {
		return "http://www.w3.org/2001/10/xml-exc-c14n#"
	}
	return "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
}

func (p Profile) signatureMethod() string {
	if p.SHA1 {
		return "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
	}
	return "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
}

func (p Profile) digestMethod() string {
	if p.SHA1 {
		return "http://www.w3.org/2000/09/xmldsig#sha1"
	}
	return "http://www.w3.org/2001/04/xmlenc#sha256"
}

func (p Profile) hash() crypto.Hash {
	if p.SHA1 {
		return crypto.SHA1
	}
	return crypto.SHA256
}
