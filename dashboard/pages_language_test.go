package dashboard_test

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// recordedProblems are what processes put on record, wherever a page shows it: facts, and what
// is English yet.
var recordedProblems = []struct {
	table, column string
	value         any
}{
	{"emails", "reason", "given up after 72h0m0s: connecting to the mail server failed"},
	{"emails", "last_problem",
		"connecting to the mail server failed: dial tcp 10.0.0.7:587: connect: connection refused"},
	{"deliveries", "reason", "the endpoint is disabled: disabled in the dashboard"},
	{"delivery_attempts", "problem", "the proxy for webhooks refused to connect to the receiver (403)"},
	{"fiscal_calls", "reason", fact.CallNoAnswerInTime.Fact()},
	{"fiscal_calls", "outcome", "unknown"},
	{"distributions", "problem", fact.CallNameNotResolved.Fact()},
	{"municipal_parameters", "failure", fact.CallNoConnection.Fact()},
	{"fiscal_series", "held_reason", "the number 5 of series 7 is used at the authority, and our records may be a " +
		"copy of before: it may be a note's of ours that was sent in the time that was lost"},
	{"notes", "held_reason", "no certificate is usable: none that names the issuer is on record; add one with " +
		"`emissor certificate add`"},
	{"note_steps", "what", "ALARM: the answer contradicts itself"},
	{"blocked_starts", "reason", "no tax authority is configured for live notes"},
}

// schemaMessage is a rejection by an authority's validator, which speaks English.
const schemaMessage = "E1235: Falha no esquema XML do DF-e. The element 'infDPS' in namespace 'http://x' has invalid " +
	"child element 'cLocEmi' in namespace 'http://x'. List of possible elements expected: 'finNFSe' in namespace " +
	"'http://x'."

var (
	// unread is what nobody reads as words: codes, samples, the choice of a language, and what is
	// marked as English.
	unread = regexp.MustCompile(`(?s)<(code|pre|svg|head|textarea)\b.*?</(code|pre|svg|head|textarea)>` +
		`|<p lang="en">.*?</p>|<form class="language".*?</form>`)
	tag     = regexp.MustCompile(`(?s)<[^>]*>`)
	anID    = regexp.MustCompile(`\b[a-z]{2,8}_[0-9a-z]{26}\b`)
	english = regexp.MustCompile(`(?i)(?:^|[^\p{L}_.])(the|is|are|was|were|not|has|must|which|and|with|failed|` +
		`refused|disabled|` +
		`unknown|expected|element|by|given|pending|true|false)(?:[^\p{L}_]|$)`)
)

// englishIn finds an English word, which is none where an id happens to have its letters.
func englishIn(line string) string { return english.FindString(anID.ReplaceAllString(line, " ")) }

func TestEnglishIn(t *testing.T) {
	t.Parallel()
	for line, expected := range map[string]string{"o endpoint whe_01m83n9r1dehda0tmz1jeq1by1 foi removido": "",
		"refused (by whe_01m83n9r1dehda0tmz1jeq1by1)": "refused", "x nfse_01m83n9r1dehda0tmz1jeq1by1 by y": "by"} {
		if found := strings.TrimSpace(englishIn(line)); found != expected {
			t.Errorf("in %q is %q, expected %q", line, found, expected)
		}
	}
}

// No page says in English to who reads Portuguese what happened here, whatever it was.
func TestPages_NoEnglishInPortuguese(t *testing.T) {
	t.Parallel()
	s := newRecordedSite(t)
	reader := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	s.member(t, "dona@example.com", "", "") // and an operator
	reader.get(t, s.live("/company")).expect(t, http.StatusOK, "sem conexão com a autoridade")
	reader.get(t, s.live("/emails")).expect(t, http.StatusOK, "conexão recusada por 10.0.0.7:587")
	read := 0
	for _, route := range s.pages.Routes() {
		if route.Method != http.MethodGet || slices.Contains(notPages, route.Path) ||
			strings.HasSuffix(route.Path, ".csv") {
			continue
		}
		for _, address := range s.addresses(t, route.Path) {
			page := reader.get(t, address)
			if page.status != http.StatusOK {
				continue
			}
			read++
			words := html.UnescapeString(tag.ReplaceAllString(unread.ReplaceAllString(page.body, " "), " "))
			for _, line := range strings.Split(words, "\n") {
				if found := englishIn(line); found != "" {
					t.Errorf("%s says %q: %s", address, found, strings.TrimSpace(line))
				}
			}
		}
	}
	if read < 40 {
		t.Errorf("only %d pages were read", read)
	}
}

// newRecordedSite has something of everything that processes put on record: a hostile
// site, of which nothing is hostile.
func newRecordedSite(t *testing.T) *site {
	t.Helper()
	s := newHostileSite(t, "x")
	s.email(t, s.Text(t, `SELECT min(id) FROM notes WHERE status = 'processing'`), "pending", "x")
	said, err := nfse.Marshal(nfse.Rejection{Source: nfse.RejectedByAuthority, Code: "E1235", Message: schemaMessage})
	must(t, err)
	s.Exec(t, `UPDATE notes SET rejection = $1, cancellation_refusal = $1 WHERE status = 'rejected'`, string(said))
	s.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, failure, failed_at)
		SELECT 'national', false, profile ->> 'municipality_code', '{}', now() FROM fiscal_profiles
		ON CONFLICT (authority, production, municipality_code) DO UPDATE SET failure = '{}', failed_at = now()`)
	s.Exec(t, `UPDATE certificates SET refused_reason = 'E1207'`)
	s.Exec(t, `UPDATE outbox SET failures = 3, failure = 'refused', attempts = 3 WHERE id % 2 = 0`)
	s.Exec(t, `UPDATE webhook_endpoints SET disabled_reason = 'disabled by the operator' WHERE disabled_at IS NOT NULL`)
	for _, one := range recordedProblems {
		s.Exec(t, `UPDATE `+one.table+` SET `+one.column+` = $1`, one.value)
	}
	return s
}

// A validator's sentences are said in Portuguese, with what the authority wrote beside.
func TestNote_SchemaErrorInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s := newRecordedSite(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	path := s.at("/notes/" + s.Text(t, `SELECT id FROM notes WHERE status = 'rejected'`))
	viewer.reads(t, path, "pt-BR").has(t, "E1235: Falha no esquema XML do DF-e. O elemento 'infDPS' tem o elemento "+
		"'cLocEmi', que não cabe ali. Elementos esperados: 'finNFSe'.", "Como a autoridade escreveu",
		`<p lang="en">`+schemaMessage+"</p>")
	viewer.reads(t, path, "en").hasNot(t, "Falha no esquema XML do DF-e. O elemento", "As the authority wrote it")
}

// Why an endpoint is disabled, as an operator typed it, is quoted; ours is translated.
func TestEndpoint_ReasonOfAnOperator(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	endpoint, _ := s.NewEndpoint(t, "https://hooks.example.com/nfse", false)
	delivery := s.delivery(t, endpoint, "failed", time.Now())
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	for recorded, shown := range map[string]string{
		"moving house until monday": "“moving house until monday”",
		"the endpoint was deleted":  "o endpoint foi removido",
	} {
		s.Exec(t, `UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = $1`, recorded)
		s.Exec(t, `UPDATE deliveries SET reason = $1`, recorded)
		viewer.reads(t, s.at("/integrations/endpoints/"+endpoint), "pt-BR").has(t, shown)
		viewer.reads(t, s.at("/integrations/deliveries/"+delivery), "pt-BR").has(t, shown)
	}
}
