package sefin

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/beevik/etree"
)

// sign puts the authority's signature beside the element with an Id that a
// document holds, and returns the whole document.
func (g *signer) sign(opening, signed, closing string) ([]byte, error) {
	tree := etree.NewDocument()
	if err := tree.ReadFromString(opening + signed + closing); err != nil {
		return nil, err
	}
	element := tree.Root().ChildElements()[0]
	canonical, err := canonicalize(element, exclusiveWithComments)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(canonical)
	info := `<SignedInfo xmlns="` + signatureNamespace + `">` +
		`<CanonicalizationMethod Algorithm="` + exclusiveWithComments + `"></CanonicalizationMethod>` +
		`<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"></SignatureMethod>` +
		`<Reference URI="#` + element.SelectAttrValue("Id", "") + `"><Transforms>` +
		`<Transform Algorithm="` + enveloped + `"></Transform>` +
		`<Transform Algorithm="` + exclusiveWithComments + `"></Transform></Transforms>` +
		`<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></DigestMethod>` +
		`<DigestValue>` + base64.StdEncoding.EncodeToString(digest[:]) + `</DigestValue></Reference></SignedInfo>`
	hashed := sha256.Sum256([]byte(info))
	value, err := g.Key.Sign(rand.Reader, hashed[:], crypto.SHA256)
	if err != nil {
		return nil, err
	}
	signature := `<Signature xmlns="` + signatureNamespace + `">` +
		strings.Replace(info, ` xmlns="`+signatureNamespace+`"`, "", 1) +
		`<SignatureValue>` + base64.StdEncoding.EncodeToString(value) + `</SignatureValue>` +
		`<KeyInfo><X509Data><X509Certificate>` + base64.StdEncoding.EncodeToString(g.Certificate.Raw) +
		`</X509Certificate></X509Data></KeyInfo></Signature>`
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>` + opening + signed + signature + closing), nil
}
