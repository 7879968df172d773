package renegotiation

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"crypto/tls"
	"fmt"
	"slices"
)

// scheme is a way to sign. Exactly one kind of key fits.
type scheme struct {
	id   tls.SignatureScheme
	hash crypto.Hash
	kind keyKind
}

type keyKind int

const (
	ecdsaKey keyKind = iota
	rsaPSSKey
	rsaPKCS1Key
)

// schemes are all that are known here, the preferred first.
var schemes = []scheme{
	{tls.ECDSAWithP256AndSHA256, crypto.SHA256, ecdsaKey},
	{tls.PSSWithSHA256, crypto.SHA256, rsaPSSKey},
	{tls.PKCS1WithSHA256, crypto.SHA256, rsaPKCS1Key},
	{tls.ECDSAWithP384AndSHA384, crypto.SHA384, ecdsaKey},
	{tls.PSSWithSHA384, crypto.SHA384, rsaPSSKey},
	{tls.PKCS1WithSHA384, crypto.SHA384, rsaPKCS1Key},
	{tls.ECDSAWithP521AndSHA512, crypto.SHA512, ecdsaKey},
	{tls.PSSWithSHA512, crypto.SHA512, rsaPSSKey},
	{tls.PKCS1WithSHA512, crypto.SHA512, rsaPKCS1Key},
}

// fits says whether a public key can be used with the scheme.
func (s scheme) fits(key crypto.PublicKey) bool {
	switch key.(type) {
	case *ecdsa.PublicKey:
		return s.kind == ecdsaKey
	case *rsa.PublicKey:
		return s.kind != ecdsaKey
	}
	return false
}

func (s scheme) digest(content []byte) []byte {
	hash := s.hash.New()
	hash.Write(content)
	return hash.Sum(nil)
}

func (s scheme) options() crypto.SignerOpts {
	if s.kind == rsaPSSKey {
		return &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: s.hash}
	}
	return s.hash
}

// sign returns a signature with the scheme's name before it, as messages have it: by the first scheme that fits the
// key and that the client offers.
func sign(key crypto.PrivateKey, offered []uint16, content []byte) ([]byte, error) {
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("renegotiation: a %T cannot sign: %w", key, tls.AlertError(alertInternalError))
	}
	for _, s := range schemes {
		if s.fits(signer.Public()) && slices.Contains(offered, uint16(s.id)) {
			signature, err := signer.Sign(rand.Reader, s.digest(content), s.options())
			return append(pair(s.id), vector(2, signature)...), err
		}
	}
	return nil, fmt.Errorf("renegotiation: no common way to sign: %w", tls.AlertError(alertHandshakeFailure))
}

// verified reports whether a public key verifies a signature of content.
func verified(key crypto.PublicKey, id uint16, content, signature []byte) bool {
	at := slices.IndexFunc(schemes, func(s scheme) bool { return uint16(s.id) == id && s.fits(key) })
	if at < 0 {
		return false
	}
	s := schemes[at]
	switch key := key.(type) {
	case *ecdsa.PublicKey:
		return ecdsa.VerifyASN1(key, s.digest(content), signature)
	case *rsa.PublicKey:
		if s.kind == rsaPSSKey {
			return rsa.VerifyPSS(key, s.hash, s.digest(content), signature, s.options().(*rsa.PSSOptions)) == nil
		}
		return rsa.VerifyPKCS1v15(key, s.hash, s.digest(content), signature) == nil
	}
	return false
}
