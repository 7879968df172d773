package dashboard_test

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/fiscal/national/rules"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// recordedProblems are what processes put on record, wherever a page shows it.
var recordedProblems = []struct {
	table, column string
	recorded      any
}{
	{"emails", "reason", fact.GivenUp.With("window", mail.Window, "why",
		fact.MailStepBroke.With("step", "connect"))},
	{"emails", "last_problem", fact.MailStepFailed.With("step", "connect", "why",
		fact.NetworkRefused.With("address", "10.0.0.7:587"))},
	{"deliveries", "reason", fact.DeliveryEndpointDisabled.With("why", fact.EndpointDisabledInDashboard.Fact())},
	{"delivery_attempts", "problem", fact.WebhookProxyRefused.With("status", 403)},
	{"fiscal_calls", "reason", fact.NoAnswerInTime.Fact()},
	{"fiscal_calls", "outcome", "unknown"},
	{"distributions", "problem", fact.CallNameNotResolved.Fact()},
	{"municipal_parameters", "failure", fact.CallNoConnection.Fact()},
	{"fiscal_series", "held_reason", fact.NumberUsedInLostTime.With("number", 5, "series", 7)},
	{"notes", "held_reason", fact.NoUsableCertificate.With("why", fact.CertificateMissing.Fact())},
	{"note_steps", "fact", fact.Alarm.With("what", fact.ExternalNotApplied.With("title", fact.ExternalBlocked.Fact(),
		"why", fact.ExternalUnread.With("why", fact.UnreadAmbiguous.Fact())))},
	{"external_events", "title", fact.ExternalFoundCancelled.Fact()},
	{"external_events", "problem", fact.ExternalNotStored.With("why", fact.RefusedByProgram.Fact())},
	{"external_events", "outcome", fact.EffectTooLate.With("status", "rejected")},
	{"paused_backlogs", "reason", fact.NoAuthority.Fact()},
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

// No page says in English to a reader of Portuguese what happened here, no matter what it was.
func TestPages_NoEnglishInPortuguese(t *testing.T) {
	t.Parallel()
	s := newRecordedSite(t)
	reader := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	s.member(t, "dona@example.com", "", "") // and an operator
	reader.get(t, s.live("/company")).expect(t, http.StatusOK, "sem conexão com a autoridade")
	reader.get(t, s.live("/emails")).expect(t, http.StatusOK, "conexão recusada por 10.0.0.7:587")
	read := 0
	for _, route := range dashboard.Routes(s.pages) {
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
	s.Exec(t, `UPDATE api_keys SET last_four = '0000'`) // a word by chance
	s.email(t, s.Text(t, `SELECT min(id) FROM notes WHERE status = 'processing'`), "pending", fact.InWords("x"))
	s.Exec(t, `UPDATE notes SET rejection = $1, cancellation_refusal = $1 WHERE status = 'rejected'`,
		nfse.Rejection{Source: nfse.RejectedByAuthority, Code: "E1235", Message: schemaMessage,
			Wording: nfse.Wording{Catalogue: rules.Name}})
	s.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, failure, failed_at)
		SELECT 'national', false, profile ->> 'municipality_code', '{}', now() FROM fiscal_profiles
		ON CONFLICT (authority, production, municipality_code) DO UPDATE SET failure = '{}', failed_at = now()`)
	s.Exec(t, `UPDATE certificates SET refused_reason = 'E1207'`)
	s.Exec(t, `UPDATE outbox SET failures = 3, failure = 'refused', attempts = 3 WHERE id % 2 = 0`)
	s.Exec(t, `UPDATE webhook_endpoints SET disabled_reason = $1 WHERE disabled_at IS NOT NULL`,
		fact.EndpointDisabledByOperator.Fact())
	for _, one := range recordedProblems {
		s.Exec(t, `UPDATE `+one.table+` SET `+one.column+` = $1`, one.recorded)
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
	for shown, recorded := range map[string]fact.Fact{
		"“moving house until monday”": fact.InWords("moving house until monday"),
		"desativado no painel":        fact.EndpointDisabledInDashboard.Fact(),
	} {
		s.Exec(t, `UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = $1`, recorded)
		s.Exec(t, `UPDATE deliveries SET reason = $1`, fact.DeliveryEndpointDisabled.With("why", recorded))
		viewer.reads(t, s.at("/integrations/endpoints/"+endpoint), "pt-BR").has(t, shown)
		viewer.reads(t, s.at("/integrations/deliveries/"+delivery), "pt-BR").has(t, shown)
	}
}
