package cityserver_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/test/long"
)

// Random declarations of companies of cities, and requests to cancel, are valid by the official
// schema and verify by xmlsec1, signed as each city has them.
func TestDSF_DocumentsAreValid(t *testing.T) {
	t.Parallel()
	documents := nationaltest.NewValidator(t, "DPS_v1.01.xsd")
	events := nationaltest.NewValidator(t, "pedRegEvento_v1.01.xsd")
	drawn := rapid.Custom(nationaltest.DrawDeclaration)
	access := fiscal.Access{Credentials: nationaltest.Credentials(t)}
	for name, full := range map[string]bool{"teresina": true, "campinas": false} {
		city := dsfCity(t, name, "https://city.example", nil)
		municipality := map[string]string{"teresina": "2211001", "campinas": "3509502"}[name]
		wanted, written := long.Cases(250, 40), 0
		for seed := 0; written < wanted && seed < 20*wanted; seed++ {
			declaration, possible := inCity(drawn.Example(seed), municipality)
			if !possible {
				continue
			}
			written++
			message := requestOf(t, city, declaration, access).Message()
			checkSigned(t, message, full, "<cTribMun>001</cTribMun>", "<IM>998877</IM>")
			documents.Add(message)
			digits := keyOf(municipality + "1" + "2" + "11222333000181" + "0000000000012" + "2611" + "123456789" + "0")
			cancelling := company{Bounded: city, access: access}
			cancelling.played.Municipality = municipality
			event := cancelling.cancelling(t, digits).Message()
			checkSigned(t, event, full)
			events.Add(event)
		}
		if written < wanted {
			t.Errorf("%s: only %d were drawn", name, written)
		}
	}
	documents.Validate()
	documents.Verify("infDPS")
	events.Validate()
	events.Verify("infPedReg")
}

// checkSigned checks that a message is signed with SHA-1 over inclusive canonical XML, names its
// certificate where it is to, has no prefixes, and has these words.
func checkSigned(t *testing.T, message fiscal.Message, full bool, words ...string) {
	t.Helper()
	text := string(message.XML)
	for _, want := range append(words, `Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"`,
		`Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"`, `Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"`) {
		if !strings.Contains(text, want) {
			t.Fatalf("it lacks %s\n%s", want, text)
		}
	}
	named := strings.Contains(text, "<X509SubjectName>") && strings.Contains(text, "<X509IssuerSerial>")
	if named != full || strings.Contains(text, "xmlns:") || strings.Contains(text, "sha256") ||
		strings.Contains(text, "exc-c14n") {
		t.Fatalf("it is not signed as the city has it\n%s", text)
	}
}
