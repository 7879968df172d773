package national

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/simulators/sefin"
)

// What we write for any valid note and issuer, the simulator accepts, which reads
// the schema and the rules for itself: issued, found, recognized when sent again,
// cancelled, and the cancellation found.
func TestSimulator_AcceptsWhatWeWrite(t *testing.T) {
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	simulators := map[bool]*sefin.Simulator{}
	for _, production := range []bool{false, true} {
		simulator, err := sefin.Start(sefin.Options{Production: production, Clock: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = simulator.Close() })
		simulators[production] = simulator
	}
	reached := map[bool]*Authority{}
	for production, simulator := range simulators {
		options := Options{
			ServerRoots: simulator.Roots(), SignerRoots: simulator.SignerRoots(), RequireSignature: true,
			Software: "emissor-test",
		}
		if options.RestrictedURL = simulator.URL(); production {
			options.ProductionURL, options.RestrictedURL = simulator.URL(), ""
		}
		national, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		reached[production] = national
	}
	drawn := rapid.Custom(drawDocument)
	issued := 0
	for seed := range 60 {
		document := existing(drawn.Example(seed))
		if slices.Contains(document.Issuer.InactiveMunicipalities, document.Issuer.MunicipalityCode) {
			continue // its own city is not on the national system: E0038
		}
		issued++
		simulator := simulators[document.Issuer.Production]
		simulator.SetRegistry(registryOf(document))
		issueAndCancel(t, reached[document.Issuer.Production], simulator, document, now)
	}
	if issued < 40 {
		t.Errorf("only %d documents were issued", issued)
	}
}

func issueAndCancel(
	t *testing.T, national *Authority, simulator *sefin.Simulator, document fiscal.Document, now time.Time,
) {
	t.Helper()
	if rejection := national.Check(document, now); rejection != nil {
		t.Errorf("it is refused before it is sent: %s %s", rejection.Code, rejection.Message)
		return
	}
	certificate, err := simulator.NewCertificate(sefin.Subject{TaxID: string(document.Issuer.TaxID)})
	if err != nil {
		t.Fatal(err)
	}
	credentials := &fiscal.Credentials{ID: "crt_test", Certificate: certificate}
	session := fiscal.Session{
		Production: document.Issuer.Production, Credentials: credentials, Issuer: document.Issuer.TaxID,
	}
	rendering, err := national.Render(document, credentials, now)
	if err != nil {
		t.Fatal(err)
	}
	answer := national.Issue(t.Context(), session, rendering)
	if answer.Outcome != fiscal.Issued || answer.Document.Digest != rendering.Digest ||
		answer.Document.SignatureProblem != "" || answer.Alarm != "" {
		t.Errorf("%s %s %s\n%s\n%s", answer.Outcome, answer.Reason, answer.Alarm, answer.Body, rendering.XML)
		return
	}
	key := answer.Document.AccessKey
	found := national.Find(t.Context(), session, rendering.ID)
	if found.Outcome != fiscal.Issued || found.Document.AccessKey != key {
		t.Errorf("it is not found: %+v", found)
	}
	again := national.Issue(t.Context(), session, rendering)
	if again.Outcome != fiscal.Rejected || again.Treatment != fiscal.Collision {
		t.Errorf("sent again it is %s %s", again.Outcome, again.Treatment)
	}
	request, err := national.RenderCancellation(fiscal.Cancellation{
		AccessKey: key, Issuer: document.Issuer, ReasonCode: "1", ReasonText: "emitida com o valor errado",
	}, credentials, now)
	if err != nil {
		t.Fatal(err)
	}
	cancelled := national.Cancel(t.Context(), session, key, request)
	if refusedBySchema(key) {
		if cancelled.Outcome != fiscal.Rejected || cancelled.Refusal.Code != "E1235" {
			t.Errorf("the key %s, which the official schema has no place for, is %s", key, cancelled.Outcome)
		}
		return
	}
	if cancelled.Outcome != fiscal.Cancelled {
		t.Errorf("the cancellation is %s %s\n%s", cancelled.Outcome, cancelled.Reason, cancelled.Body)
	}
	if found := national.FindCancellation(t.Context(), session, key); found.Outcome != fiscal.Cancelled {
		t.Errorf("the cancellation is not found: %+v", found)
	}
}

// refusedBySchema: the official schema's key has a letter's place one too far to
// the left (TSChaveNFSe), so that a CNPJ with one in its twelfth does not fit.
func refusedBySchema(key string) bool {
	return strings.ContainsAny(key[20:21], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// registryOf agrees with what the profile says of municipalities, and accepts
// every zip code.
func registryOf(document fiscal.Document) sefin.Registry {
	municipalities := map[string]sefin.Agreement{"3550308": {}}
	for _, code := range document.Issuer.InactiveMunicipalities {
		municipalities[code] = sefin.Agreement{Inactive: true}
	}
	return sefin.Registry{Municipalities: municipalities, PostalCodeOf: func(string, string) bool { return true }}
}

// existing gives the municipalities of a drawn document right check digits: to
// the simulator others do not exist.
func existing(document fiscal.Document) fiscal.Document {
	document.Issuer.MunicipalityCode = existingMunicipality(document.Issuer.MunicipalityCode)
	document.Note.Municipality.Code = existingMunicipality(document.Note.Municipality.Code)
	document.Note.Service.MunicipalityCode = existingMunicipality(document.Note.Service.MunicipalityCode)
	document.Issuer.InactiveMunicipalities = slices.Clone(document.Issuer.InactiveMunicipalities)
	for i, code := range document.Issuer.InactiveMunicipalities {
		document.Issuer.InactiveMunicipalities[i] = existingMunicipality(code)
	}
	return document
}

func existingMunicipality(code string) string {
	if code == "" || code == "0000000" {
		return code
	}
	states := "11 12 13 14 15 16 17 21 22 23 24 25 26 27 28 29 31 32 33 35 41 42 43 50 51 52 53"
	if !strings.Contains(states, code[:2]) {
		code = "33" + code[2:]
	}
	sum := 0
	for i, digit := range code[:6] {
		product := int(digit-'0') * (1 + i%2)
		sum += product/10 + product%10
	}
	return code[:6] + string(rune('0'+(10-sum%10)%10))
}
