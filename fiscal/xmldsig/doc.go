// Package xmldsig signs and verifies XML as Brazil's tax authorities want it: one
// enveloped signature (XML Signature, RSA) over one element with an Id, or over
// the whole document.
//
// Sign makes the Signature of an Element, whose text is canonical already, so that
// nothing is parsed and the bytes that are signed are the bytes that are sent. A
// Profile chooses the algorithms.
//
//	signature, digest, err := xmldsig.Sign(xmldsig.Profile{}, element, certificate)
//
// SignDocument signs a whole document instead, and SignText a text that is no XML,
// as some cities want them.
//
// Verify reads a document that came from elsewhere: it refuses everything that could be read in two ways, verifies
// the signature of the root's first element, and, with roots, that the signer's certificate leads to one of them.
//
//	signed, err := xmldsig.Verify(document, roots, time.Now())
package xmldsig
