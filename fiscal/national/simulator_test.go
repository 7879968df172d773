package national_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/shapes"
)

// What we write for any valid note and issuer, the simulator takes, which reads
// the schema and the rules for itself: issued with the totals that were expected, found,
// recognized when sent again, cancelled, and the cancellation found.
func TestSimulator_IssuesAndCancels(t *testing.T) {
	simulators, reached := map[bool]*sefin.Simulator{}, map[bool]*national.Authority{}
	for _, production := range []bool{false, true} {
		simulators[production], reached[production] = startSimulator(t, production)
	}
	drawn := rapid.Custom(nationaltest.DrawDeclaration)
	count, issued := long.Cases(2000, 15), 0
	for seed := range count {
		declaration := nationaltest.Existing(drawn.Example(seed))
		if slices.Contains(declaration.Issuer.InactiveMunicipalities, declaration.Issuer.MunicipalityCode) {
			continue // its own city is not on the national system: E0038
		}
		if declaration.Issuer.Production && declaration.Classification == nil {
			continue // held
		}
		issued++
		simulator := simulators[declaration.Issuer.Production]
		simulator.SetRegistry(registryOf(declaration))
		issueAndCancel(t, reached[declaration.Issuer.Production], simulator, declaration)
	}
	if issued < count/2 {
		t.Errorf("only %d of %d documents were issued", issued, count)
	}
}

// now is when these tests are.
var now = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// startSimulator returns a simulator of an environment, and the authority that reaches it.
func startSimulator(t *testing.T, production bool) (*sefin.Simulator, *national.Authority) {
	t.Helper()
	return startSimulatorWith(t, production, nil)
}

// startSimulatorWith is startSimulator with answers in these forms.
func startSimulatorWith(t *testing.T, production bool, forms *shapes.Shapes) (*sefin.Simulator, *national.Authority) {
	t.Helper()
	simulator, err := sefin.Start(sefin.Options{
		Options: server.Options{Clock: func() time.Time { return now }, Shapes: forms}, Production: production,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = simulator.Close() })
	signers, err := national.ParseSigners("CN=" + sefin.SignerName)
	if err != nil {
		t.Fatal(err)
	}
	options := national.Options{Software: "emissor-test", Connection: national.Connection{
		DocumentSigners: signers, RequireSignature: true,
		Transport: mtls.Options{ServerRoots: simulator.Roots()}, SignerRoots: simulator.SignerRoots(),
	}}
	if options.RestrictedURL = simulator.URL(); production {
		options.ProductionURL, options.RestrictedURL = simulator.URL(), ""
		options.IBSCBSRequiredFrom = required
	}
	client, err := national.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return simulator, client
}

func issueAndCancel(
	t *testing.T, client *national.Authority, simulator *sefin.Simulator, declaration fiscal.Declaration,
) {
	t.Helper()
	answer, access, request := issue(t, client, simulator, declaration)
	if answer.Document == nil {
		return
	}
	key := answer.Document.AccessKey
	found := client.Find(t.Context(), access, request)
	if found.Outcome != fiscal.OutcomeAccepted || found.Match != fiscal.MatchOurs || found.Document.AccessKey != key {
		t.Errorf("it is not found: %+v", found)
	}
	again := client.Send(t.Context(), access, request)
	if again.Outcome != fiscal.OutcomeRejected || again.Handling != fiscal.AlreadyExists {
		t.Errorf("sent again it is %s %s", again.Outcome, again.Handling)
	}
	cancel(t, client, access, declaration.Issuer, key)
}

// signed is the request to issue a declaration, by a certificate of its own.
func signed(t *testing.T, client *national.Authority, simulator *sefin.Simulator,
	declaration fiscal.Declaration) (fiscal.Access, fiscal.Request) {
	t.Helper()
	certificate, err := simulator.NewCertificate(sefin.Subject{TaxID: string(declaration.Issuer.TaxID)})
	if err != nil {
		t.Fatal(err)
	}
	credentials := &fiscal.Credentials{ID: "crt_test", Certificate: certificate}
	message, err := client.SignDeclaration(declaration, credentials, now)
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Access{Production: declaration.Issuer.Production, Credentials: credentials}, fiscal.Request{
		Kind: fiscal.Issue, Messages: []fiscal.Message{message},
		CorrelationID: fiscal.CorrelationID(declaration.Note.ID),
	}
}

// issue sends a declaration, whose document must be issued with the totals that are expected;
// answer is empty where it was not.
func issue(t *testing.T, client *national.Authority, simulator *sefin.Simulator,
	declaration fiscal.Declaration) (answer fiscal.Answer, access fiscal.Access, request fiscal.Request) {
	t.Helper()
	if objection := client.Check(declaration, now); objection != nil {
		t.Errorf("it is not sent: %+v", objection)
		return answer, access, request
	}
	access, request = signed(t, client, simulator, declaration)
	answer = client.Send(t.Context(), access, request)
	if answer.Outcome != fiscal.OutcomeAccepted || answer.Match != fiscal.MatchOurs ||
		!answer.Document.SignatureProblem.None() || !answer.Alarm.None() {
		t.Errorf("%s %s %s\n%s\n%s", answer.Outcome, answer.Reason, answer.Alarm, answer.Body, request.Message().XML)
		return fiscal.Answer{}, access, request
	}
	if alarm := client.CompareTotals(declaration, *answer.Document); !alarm.None() {
		t.Errorf("%s\n%s", alarm, answer.Document.XML)
	}
	return answer, access, request
}

func cancel(
	t *testing.T, client *national.Authority, access fiscal.Access,
	issuer nfse.FiscalProfile, key string,
) {
	t.Helper()
	message, err := client.SignCancellation(fiscal.CancellationRequest{
		AccessKey: key, Issuer: issuer, ReasonCode: "1", ReasonText: "emitida com o valor errado",
	}, access.Credentials, now)
	if err != nil {
		t.Fatal(err)
	}
	request := fiscal.Request{Kind: fiscal.Cancel, Messages: []fiscal.Message{message}, AccessKey: key}
	answer := client.Send(t.Context(), access, request)
	if refusedBySchema(key) {
		if answer.Outcome != fiscal.OutcomeRejected || answer.Rejection.Code != "E1235" {
			t.Errorf("the key %s, which the official schema has no place for, is %s", key, answer.Outcome)
		}
		return
	}
	if answer.Outcome != fiscal.OutcomeAccepted || answer.EventXML == nil {
		t.Errorf("the cancellation is %s %s\n%s", answer.Outcome, answer.Reason, answer.Body)
	}
	if found := client.Find(t.Context(), access, request); found.Outcome != fiscal.OutcomeAccepted {
		t.Errorf("the cancellation is not found: %+v", found)
	}
}

// refusedBySchema reports whether the official schema refuses a right key: see
// package schema on access keys.
func refusedBySchema(key string) bool {
	return strings.ContainsAny(key[20:21], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// registryOf agrees with what the profile says of municipalities, and takes
// every zip code.
func registryOf(declaration fiscal.Declaration) sefin.Registry {
	municipalities := map[string]sefin.Agreement{"3550308": {}}
	for _, code := range declaration.Issuer.InactiveMunicipalities {
		municipalities[code] = sefin.Agreement{Inactive: true}
	}
	registry := sefin.Registry{
		Municipalities: municipalities, PostalCodeOf: func(string, string) bool { return true },
		ISSRate: int64(nfse.MaxRate), // so that what may be reduced depends on nothing that we do not know
	}
	if declaration.Issuer.Production {
		registry.IBSCBSRequiredFrom = required
	}
	return registry
}

// required is the day from which the production of these tests wants the group
// IBSCBS of everybody.
const required = "2026-11-21"

func TestSimulator_Capabilities(t *testing.T) {
	for configured, want := range map[time.Duration]time.Duration{0: time.Minute, time.Second: time.Second} {
		options := national.Options{GracePeriod: configured,
			Connection: national.Connection{RestrictedURL: "https://sefin.example"}}
		simulator, err := national.New(options)
		if err != nil {
			t.Fatal(err)
		}
		expected := fiscal.Capabilities{Queryable: true, Cancels: true, GracePeriod: want, NotFounds: 1,
			GreatestNumber: 999_999_999_999_999}
		if got := simulator.Capabilities(); got != expected || simulator.Name() != national.Name {
			t.Errorf("%+v", got)
		}
		if simulator.Serves(true) || !simulator.Serves(false) {
			t.Error("it serves another environment than the one it has an address of")
		}
	}
}
