package nfews

import (
	"strings"
	"testing"
)

// A fault is known by its words as they are seen, in any case; every one has a source.
func TestRefusesEnvelope(t *testing.T) {
	for _, known := range envelopeRefusals {
		if known.source == "" || known.words != strings.ToLower(known.words) {
			t.Errorf("%q is of %q", known.words, known.source)
		}
		if !refusesEnvelope("System.Web.Services: " + strings.ToUpper(known.words) + ": x ") {
			t.Errorf("%q is not known", known.words)
		}
	}
	for _, other := range []string{"", "Server was unable to process request. ", "SOAPAction "} {
		if refusesEnvelope(other) {
			t.Errorf("%q is taken for one", other)
		}
	}
}
