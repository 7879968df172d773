package clients

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"emissor/test/long"
	"emissor/test/testkit"
)

// The programs of every page run as they stand there, against the service: a charge is issued once, no matter what
// happens to the answers, webhooks come, and what is forged is refused.
func TestGuides_Run(t *testing.T) {
	long.Only(t, "runs the programs of docs/integrating")
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	for _, language := range languages {
		t.Run(language.name, func(t *testing.T) {
			t.Parallel()
			need(t, language.needs...)
			g := newGuide(t, s, language)
			g.issuesOnce(t)
			g.reportsRejection(t)
			g.reportsRefusal(t)
			g.followsNoRedirect(t)
			g.receiver.awaitEvent(t, "nfse.issued")
			g.receiver.awaitEvent(t, "nfse.rejected")
			g.receiver.outlivesCut(t)
			g.receiver.refuses(t, g.secret)
		})
	}
}

// guide is a page whose programs run, for an organization of its own.
type guide struct {
	system      *testkit.System
	key, secret string
	service     string
	orders      string // folder
	command     []string
	between     *standIn
	receiver    *receiver
}

func newGuide(t *testing.T, s *testkit.System, language language) *guide {
	t.Helper()
	code := programs(page(t, language.name))[language.issue]
	g := &guide{system: s, orders: t.TempDir(), command: language.program(t, language.issue, []byte(code)),
		between: newStandIn(t, s.URL)}
	organization, key, _ := s.NewOrganization(t, "Padaria Exemplo")
	g.key, g.service = key, s.NewService(t, key)
	g.receiver, g.secret = receiverOf(t, s, &language, organization)
	return g
}

// run runs the program that issues, and returns what it wrote and whether it succeeded.
func (g *guide) run(t *testing.T, service string, arguments ...string) (output, errors string, good bool) {
	t.Helper()
	command := exec.CommandContext(t.Context(), g.command[0], append(g.command[1:len(g.command):len(g.command)],
		arguments...)...)
	command.Dir = g.orders
	command.Env = append(os.Environ(), "EMISSOR_API_URL="+g.between.URL, "EMISSOR_API_KEY="+g.key,
		"EMISSOR_SERVICE_ID="+service, "ORDERS="+g.orders)
	var out, err bytes.Buffer
	command.Stdout, command.Stderr = &out, &err
	good = command.Run() == nil
	if strings.Contains(out.String()+err.String(), g.key) {
		t.Errorf("the program writes its key:\n%s%s", out.String(), err.String())
	}
	return out.String(), err.String(), good
}

var issued = regexp.MustCompile(`^(nfse_[0-9a-z]{26}) issued\r?\n$`)

// issuesOnce issues a charge while answers are lost, and the same charge again as after a crash.
func (g *guide) issuesOnce(t *testing.T) {
	t.Helper()
	output, errors, good := g.run(t, g.service, "order-1001")
	found := issued.FindStringSubmatch(output)
	if !good || found == nil {
		t.Fatalf("the program wrote %q and %q", output, errors)
	}
	// Without Retry-After the first pause would be of a second. A date there does not have it repeat at once.
	lines := strings.Split(errors, "\n")
	for i, after := range []string{"Retry-After: 2", "a date"} {
		if i >= len(lines) || !regexp.MustCompile(`again in 2(\.0)? ?s`).MatchString(lines[i]) {
			t.Errorf("after %s the program wrote %q", after, errors)
		}
	}
	if again, errors, good := g.run(t, g.service, "order-1001"); !good || again != output {
		t.Errorf("the second time the program wrote %q and %q", again, errors)
	}
	sent := g.between.Issuances()
	if len(sent) < disturbed+2 {
		t.Errorf("the program sent only %d issuances", len(sent))
	}
	for _, body := range sent {
		if !bytes.Equal(body, sent[0]) {
			t.Errorf("it sent\n%s\nand then\n%s", sent[0], body)
		}
	}
	page := g.system.Call(t, http.MethodGet, "/v1/nfse", g.key, nil).Expect(t, http.StatusOK)
	notes, _ := page.At("data").([]any)
	if len(notes) != 1 {
		t.Fatalf("of one charge there are %d notes", len(notes))
	}
	note, _ := notes[0].(map[string]any)
	if note["id"] != found[1] || note["reference"] != "order-1001" || note["status"] != "issued" {
		t.Errorf("the program says %s of\n%v", output, note)
	}
}

// reportsRejection issues a note that is rejected: the program says by which code, and what to do.
func (g *guide) reportsRejection(t *testing.T) {
	t.Helper()
	output, errors, _ := g.run(t, g.service, "order-1002", "rejected")
	id, _, _ := strings.Cut(output, " ")
	note := g.system.Call(t, http.MethodGet, "/v1/nfse/"+id, g.key, nil).Expect(t, http.StatusOK)
	for _, expected := range []string{" rejected", note.Text("rejection", "code"), note.Text("rejection", "action")} {
		if expected == "" || !strings.Contains(output, expected) {
			t.Errorf("the program wrote %q and %q without %q", output, errors, expected)
		}
	}
}

var refused = regexp.MustCompile(`refused: service_not_found service_id: .+ \(req_[0-9a-z]{26}\)`)

// reportsRefusal asks for what cannot be: the program ends with the code, the field and the request's id.
func (g *guide) reportsRefusal(t *testing.T) {
	t.Helper()
	before := len(g.between.Issuances())
	output, errors, good := g.run(t, "srv_00000000000000000000000000", "order-1003")
	if good || !refused.MatchString(errors) {
		t.Errorf("the program wrote %q and %q", output, errors)
	}
	if sent := len(g.between.Issuances()) - before; sent != 1 {
		t.Errorf("what cannot succeed was sent %d times", sent)
	}
}

// followsNoRedirect asks a server that sends it elsewhere: the key stays.
func (g *guide) followsNoRedirect(t *testing.T) {
	t.Helper()
	redirecting, elsewhere := newRedirecting(t)
	redirected := *g
	redirected.between = redirecting
	output, errors, good := redirected.run(t, g.service, "order-1004")
	if good || !strings.Contains(errors, "refused: 302") {
		t.Errorf("after a redirect the program wrote %q and %q", output, errors)
	}
	if came := elsewhere.Load(); came != 0 {
		t.Errorf("a redirect was followed: %d requests came elsewhere", came)
	}
}
