package dashboard_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// aKey probes an address with the id of a new key in it.
func aKey(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string { return "/integrations/keys/" + s.key(t).ID + after }
}

// anEndpoint probes an address with the id of a new endpoint in it, which nobody dials.
func anEndpoint(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		id, _ := s.NewEndpoint(t, "https://127.0.0.1:9/hook", false)
		return "/integrations/endpoints/" + id + after
	}
}

// aDelivery probes an address with the id of a new delivery in it.
func aDelivery(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		endpoint, _ := s.NewEndpoint(t, "https://127.0.0.1:9/hook", false)
		return "/integrations/deliveries/" + s.delivery(t, endpoint, "failed", time.Now()) + after
	}
}

func (s *site) key(t *testing.T) nfse.APIKey {
	t.Helper()
	key, err := s.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{
		Scope: nfse.Scope{OrganizationID: s.Organization.ID}, Label: "loja",
	}, nfse.NewAPIKeyText(false))
	must(t, err)
	return key
}

// delivery puts a delivery of a new note's event on record, with an attempt that
// failed, and returns its id.
func (s *site) delivery(t *testing.T, endpoint, status string, at time.Time) (id string) {
	t.Helper()
	note, event, id := s.note(t), nfse.NewID(nfse.PrefixEvent), nfse.NewID(nfse.PrefixDelivery)
	s.Exec(t, `INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
		SELECT $1, organization_id, livemode, id, 'nfse.issued', '{}', now() FROM notes WHERE id = $2`, event, note)
	s.Exec(t, `INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id, status, created_at,
		resolved_at) SELECT $1, organization_id, livemode, id, $3, $4, $5, CASE WHEN $4 <> 'pending' THEN now() END
		FROM events WHERE id = $2`, id, event, endpoint, status, at)
	s.Exec(t, `INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, status, answer, problem)
		VALUES ($1, now(), 22, 503, 'fora do ar', $2)`, id, fact.ReceiverAnswered.With("status", 503))
	return id
}

// audited expects that the newest entry of the audit log is this action of a person on
// a subject.
func (s *site) audited(t *testing.T, p *person, action, subject string) {
	t.Helper()
	if found := s.Text(t, `SELECT actor_id || ' ' || action || ' ' || subject_id FROM audit_log
		ORDER BY id DESC LIMIT 1`); found != p.id+" "+action+" "+subject {
		t.Errorf("the newest entry is %s, expected %s %s %s", found, p.id, action, subject)
	}
}

var shownSecret = regexp.MustCompile(`<p class="secret"><code>([^<]+)</code>`)

func onceShown(t *testing.T, page page) string {
	t.Helper()
	found := shownSecret.FindStringSubmatch(page.body)
	if found == nil {
		t.Fatalf("nothing is shown once\n%s", page.body)
	}
	return found[1]
}

var versionField = regexp.MustCompile(`name="version" value="([^"]+)"`)

// One key and one endpoint more than an organization may have are errors of the page,
// and of a key that is made valid again.
func TestIntegrations_TooMany(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{}) // with a key
	s := newSiteBeside(t, system, func(options *frame.Options) {
		options.Store = testkit.OpenLimitedStore(t, system.As(testkit.Roles.Dashboard),
			postgres.Limits{Keys: 2, Endpoints: 1})
	})
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	add := func(path, field, value string) page {
		return owner.post(t, s.at(path), form(field, value, "nfse.issued", "on"))
	}
	add("/integrations/keys", "label", "second").expect(t, http.StatusOK)
	add("/integrations/keys", "label", "third").expect(t, http.StatusConflict, "tantas chaves válidas", `value="third"`)
	add("/integrations/endpoints", "url", "https://hooks.example.com/a").expect(t, http.StatusOK)
	add("/integrations/endpoints", "url", "https://hooks.example.com/b").expect(t, http.StatusConflict,
		"tantos endpoints neste ambiente", "https://hooks.example.com/b")

	s.Exec(t, `UPDATE api_keys SET expires_at = now() - interval '2 days' WHERE label = 'second'`)
	id := s.Text(t, `SELECT id FROM api_keys WHERE label = 'second'`)
	add("/integrations/keys", "label", "third").expect(t, http.StatusOK)
	path := s.at("/integrations/keys/" + id)
	version := versionField.FindStringSubmatch(owner.get(t, path).body)[1]
	owner.post(t, path, form("label", "second", "expires", "", "version", version)).
		expect(t, http.StatusConflict, "tantas chaves válidas")
	if found := s.Text(t, `SELECT count(*) FILTER (WHERE expires_at IS NULL) || ' ' || count(*) || ' ' ||
		(SELECT count(*) FROM webhook_endpoints) FROM api_keys WHERE NOT livemode`); found != "2 3 1" {
		t.Errorf("keys that do not expire, keys and endpoints are %s", found)
	}
}

// A key opens the API from its creation until it is revoked, and its text is nowhere
// but on the page that made it.
func TestKeys_Life(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	at := func(path string) string { return s.of(path, s.Organization.ID, "live") }
	shown := owner.post(t, at("/integrations/keys"), form("env", "live", "label", "Loja virtual",
		"register_ledger", "on", "expires", time.Now().AddDate(0, 1, 0).Format(time.DateOnly),
		"networks", "127.0.0.0/8, ::1")).
		expect(t, http.StatusOK, "Aparece só agora", `download="emissor-key_`, "data:text/plain;base64,")
	text := onceShown(t, shown)
	if !nfse.IsAPIKeyText(text) || !strings.HasPrefix(text, "svc_live_") {
		t.Fatalf("the key is %q", text)
	}
	s.Call(t, http.MethodGet, "/v1/services", text, nil).Expect(t, http.StatusOK)
	id := s.Text(t, `SELECT id FROM api_keys WHERE label = 'Loja virtual'`)
	s.audited(t, owner, "key.create", id)
	path := at("/integrations/keys/" + id)
	list := owner.get(t, at("/integrations")).expect(t, http.StatusOK, "Loja virtual", "svc_live_…"+text[len(text)-4:],
		"Registro em Lançamentos", "Válida")
	page := owner.get(t, path).expect(t, http.StatusOK, "127.0.0.0/8, ::1/128", "Loja virtual",
		"svc_live_…"+text[len(text)-4:])
	if strings.Contains(list.body, text) || strings.Contains(page.body, text) {
		t.Error("the key is shown again")
	}
	// Nothing typed, nothing changed: also not the second in which it ends.
	expires := s.Text(t, `SELECT expires_at::text FROM api_keys WHERE id = $1`, id)
	version := versionField.FindStringSubmatch(page.body)[1]
	day := regexp.MustCompile(`type="date" value="([^"]+)"`).FindStringSubmatch(page.body)[1]
	owner.post(t, path, form("env", "live", "label", "Loja nova", "expires", day, "email_customer", "on", "version",
		version)).
		expect(t, http.StatusSeeOther)
	owner.get(t, path).expect(t, http.StatusOK, "Chave alterada", "Loja nova")
	s.audited(t, owner, "key.set", id)
	if found := s.Text(t, `SELECT concat_ws(' ', expires_at, email_customer, register_ledger, allowed_networks)
		FROM api_keys WHERE id = $1`, id); found != expires+" t f {}" {
		t.Errorf("the key is %s, expected %s", found, expires)
	}
	owner.confirms(t, at("/integrations/keys/"+id+"/revoke"), form("env", "live")).expect(t, http.StatusSeeOther)
	s.Call(t, http.MethodGet, "/v1/services", text, nil).Expect(t, http.StatusUnauthorized)
	s.audited(t, owner, "key.revoke", id)
	owner.get(t, path).expect(t, http.StatusOK, "Revogada", "Chave revogada")
	owner.post(t, path, form("env", "live", "label", "x", "version", version)).expect(t, http.StatusConflict)
}

// An older key has no last characters on record, which its page says; test keys are not asked about what only live
// notes have, and keep what they have of it; editors are told who creates keys.
func TestKeys_Test(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(options *frame.Options) {
		options.APIURL = &url.URL{Scheme: "https", Host: "api.notas.example.com"}
	})
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	id := s.key(t).ID
	s.Exec(t, `UPDATE api_keys SET last_four = NULL, email_customer = true WHERE id = $1`, id)
	path := s.at("/integrations/keys/" + id)
	page := owner.get(t, path).expect(t, http.StatusOK, "antes de guardarmos", "https://api.notas.example.com")
	list := owner.get(t, s.at("/integrations")).expect(t, http.StatusOK, "https://api.notas.example.com")
	for _, body := range []string{page.body, list.body} {
		if strings.Contains(body, `name="email_customer"`) {
			t.Error("a test key is asked about live notes")
		}
	}
	version := versionField.FindStringSubmatch(page.body)[1]
	owner.post(t, path, form("label", "nova", "version", version)).expect(t, http.StatusSeeOther)
	found := s.Text(t, `SELECT concat_ws(' ', label, email_customer) FROM api_keys WHERE id = $1`, id)
	if found != "nova t" {
		t.Errorf("the key is %s", found)
	}
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.get(t, s.at("/integrations")).expect(t, http.StatusOK, "cria e revoga chaves")
}

func TestKeys_TwoChangeOne(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	path := s.at("/integrations/keys/" + s.key(t).ID)
	version := versionField.FindStringSubmatch(owner.get(t, path).body)[1]
	owner.post(t, path, form("label", "primeira", "version", version)).expect(t, http.StatusSeeOther)
	conflict := owner.post(t, path, form("label", "segunda", "version", version)).
		expect(t, http.StatusConflict, "Outra pessoa mudou", "primeira", `value="segunda"`)
	if label := s.Text(t, `SELECT label FROM api_keys WHERE label IN ('primeira', 'segunda')`); label != "primeira" {
		t.Errorf("the key is called %s", label)
	}
	version = versionField.FindStringSubmatch(conflict.body)[1]
	owner.post(t, path, form("label", "segunda", "version", version)).expect(t, http.StatusSeeOther)
}

func TestKeys_Problems(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	before := s.Count(t, `SELECT count(*) FROM api_keys`)
	for field, wrong := range map[string][]string{
		"label": {strings.Repeat("a", 101), "a\x00b", "\xff"}, "expires": {"2020-01-01", "amanhã"},
		"networks": {"10.0.0.1/8", "casa"},
	} {
		for _, value := range wrong {
			owner.post(t, s.at("/integrations/keys"), form("label", "loja", field, value)).
				expect(t, http.StatusUnprocessableEntity, `href="#`+field+`"`, `aria-describedby="`+field+`-problem"`,
					`<details class="new" open>`)
		}
	}
	path := s.at("/integrations/keys/" + s.key(t).ID)
	owner.post(t, path, form("label", "loja", "networks", "casa")).
		expect(t, http.StatusUnprocessableEntity, `value="casa"`, `href="#networks"`)
	live := url.Values{"env": {"live"}, "label": {"de verdade"}}
	owner.post(t, s.at("/integrations/keys"), live).expect(t, http.StatusConflict)
	if made := s.Count(t, `SELECT count(*) FROM api_keys`) - before; made != 1 {
		t.Errorf("%d keys were made", made)
	}
	shown := owner.post(t, s.of("/integrations/keys", s.Organization.ID, "live"), live).expect(t, http.StatusOK)
	if text := onceShown(t, shown); !strings.HasPrefix(text, "svc_live_") {
		t.Errorf("the live key is %s", text)
	}
}

func TestKeys_Pages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	s.Exec(t, `INSERT INTO api_keys (id, organization_id, livemode, label, hash, email_customer, register_ledger,
		confirm_municipal_operation) SELECT 'key_' || lpad(i::text, 26, '0'), $1, false, 'antiga-' || i,
		sha256(i::text::bytea), false, false, false FROM generate_series(1, 60) i`, s.Organization.ID)
	first := viewer.get(t, s.at("/integrations")).expect(t, http.StatusOK, "antiga-60<", "antiga-12<")
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(first.body)
	older := viewer.get(t, strings.ReplaceAll(next[1], "&amp;", "&")).
		expect(t, http.StatusOK, "antiga-1<", `rel="prev"`)
	if strings.Contains(older.body, "antiga-60<") || strings.Contains(older.body, `rel="next"`) {
		t.Error("the last page has what is not on it")
	}
	if strings.Contains(first.body, "Criar chave") {
		t.Error("who only reads is offered a new key")
	}
}

// hooksHere lets webhooks go to this machine, as the development switch does.
func hooksHere(options *frame.Options) { options.Webhooks = webhook.Options{AllowLoopback: true} }

func TestEndpoints_Life(t *testing.T) {
	t.Parallel()
	s := newSite(t, hooksHere)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, _ int) {
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, "<script>alert(1)</script> bule")
	})
	shown := owner.post(t, s.at("/integrations/endpoints"), form("url", receiver.URL, "nfse.issued", "on")).
		expect(t, http.StatusOK, "Aparece só agora", "O segredo do endpoint", "receiver.php")
	secret := onceShown(t, shown)
	id := s.Text(t, `SELECT id FROM webhook_endpoints`)
	s.audited(t, owner, "webhook.add", id)
	page := func(suffix string) string { return s.at("/integrations/endpoints/" + id + suffix) }
	owner.get(t, s.at("/integrations")).expect(t, http.StatusOK, receiver.URL, "Ativo")

	tested := owner.post(t, page("/test"), form()).expect(t, http.StatusOK, "A chamada de teste", "418",
		"o receptor respondeu 418", "&lt;script&gt;alert(1)&lt;/script&gt; bule")
	if strings.Contains(tested.body, secret) {
		t.Error("the secret is shown again")
	}
	call := receiver.Calls()[0]
	signed := func(header string, secrets ...string) bool {
		for _, one := range secrets {
			var at int64
			if _, err := fmt.Sscanf(header, "t=%d", &at); err != nil {
				return false
			}
			_, signature, _ := strings.Cut(webhook.Sign([]string{one}, time.Unix(at, 0), call.Body), ",")
			if !strings.Contains(header, signature) {
				return false
			}
		}
		return true
	}
	if !strings.Contains(string(call.Body), "webhook.test") || !signed(call.Header.Get("service-signature"), secret) {
		t.Errorf("the call is %s %v", call.Body, call.Header)
	}

	rotated := onceShown(t, owner.confirms(t, page("/rotate"), form()).
		expect(t, http.StatusOK, "Os dois segredos assinam até"))
	s.audited(t, owner, "webhook.rotate", id)
	receiver.Answer(nil)
	owner.post(t, page("/test"), form()).expect(t, http.StatusOK, "Aceita")
	if call = receiver.Calls()[1]; rotated == secret || !signed(call.Header.Get("service-signature"), secret, rotated) {
		t.Errorf("both secrets do not sign: %v", call.Header)
	}
	owner.confirms(t, page("/rotate"), form()).expect(t, http.StatusConflict, `href="#force"`,
		"marque que quer gerar outro já")
	onceShown(t, owner.confirms(t, page("/rotate"), form("force", "on")).expect(t, http.StatusOK))

	owner.confirms(t, page("/disable"), form()).expect(t, http.StatusSeeOther)
	s.audited(t, owner, "webhook.disable", id)
	owner.get(t, page("")).expect(t, http.StatusOK, "Desativado", "desativado no painel", "Endpoint desativado")
	owner.post(t, page("/enable"), form()).expect(t, http.StatusSeeOther)
	s.audited(t, owner, "webhook.enable", id)
	owner.confirms(t, page("/remove"), form()).expect(t, http.StatusSeeOther)
	s.audited(t, owner, "webhook.remove", id)
	if strings.Contains(owner.get(t, s.at("/integrations")).body, receiver.URL) {
		t.Error("a removed endpoint is listed")
	}
	removed := owner.get(t, page("")).expect(t, http.StatusOK, "Removido")
	if strings.Contains(removed.body, page("/test")) {
		t.Error("a removed endpoint is offered a call")
	}
	for _, act := range []string{"/test", "/rotate", "/disable", "/enable", "/remove", "/retry"} {
		owner.post(t, page(act), form()).expect(t, http.StatusConflict, "foi removido")
	}
	if calls := len(receiver.Calls()); calls != 2 {
		t.Errorf("the receiver got %d calls", calls)
	}
}

// The URL of an endpoint and the events that it wants are changed, with its secret as it was: the new
// URL is checked, gets a test call, and what is on its way; an event that is not wanted makes no
// delivery.
func TestEndpoints_Change(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, hooksHere)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	old, moved := testkit.NewReceiver(t, nil), testkit.NewReceiver(t, nil)
	id, secret := s.NewEndpoint(t, old.URL, false)
	path := s.at("/integrations/endpoints/" + id)
	version := func() string { return versionField.FindStringSubmatch(owner.get(t, path).body)[1] }
	all := func(more ...string) url.Values {
		return form(append([]string{"nfse.issued", "on", "nfse.rejected", "on", "nfse.cancelled", "on"}, more...)...)
	}
	first := version()
	owner.post(t, path, form("url", moved.URL, "version", first)).expect(t, http.StatusUnprocessableEntity,
		"pelo menos um evento", moved.URL)
	owner.post(t, path, all("url", "ftp://x", "version", first)).
		expect(t, http.StatusUnprocessableEntity, `href="#url"`)
	owner.post(t, path, all("url", moved.URL, "version", first)).
		expect(t, http.StatusOK, "Endereço alterado", "Aceita")
	s.audited(t, owner, "webhook.set", id)
	owner.post(t, path, all("url", old.URL, "version", first)).
		expect(t, http.StatusConflict, "Outra pessoa alterou")
	if calls := moved.Calls(); len(calls) != 1 || len(old.Calls()) != 0 ||
		!strings.Contains(string(calls[0].Body), "webhook.test") {
		t.Errorf("the new URL got %v", calls)
	}
	owner.post(t, path, form("url", moved.URL, "nfse.rejected", "on", "version", version())).
		expect(t, http.StatusSeeOther)
	owner.get(t, path).expect(t, http.StatusOK, "Endpoint alterado", "<code>nfse.rejected</code>")

	service := s.NewService(t, s.TestKey)
	issued := s.Issue(t, s.TestKey, testkit.Issuance(service, "emitida"))
	s.Await(t, s.TestKey, issued, nfse.StatusIssued)
	body := testkit.Issuance(service, "recusada")
	body["sandbox_scenario"] = "rejected"
	rejected := s.Issue(t, s.TestKey, body)
	s.Await(t, s.TestKey, rejected, nfse.StatusRejected)
	made := s.Text(t, `SELECT string_agg(e.note_id, ' ') FROM deliveries d JOIN events e ON e.id = d.event_id`)
	if made != rejected {
		t.Errorf("deliveries are of %s, expected %s only", made, rejected)
	}

	// What was sent is on the delivery's page, byte for byte, and the signature as what it is made of.
	delivery := s.Text(t, `SELECT id FROM deliveries`)
	payload := s.Plain(t, `SELECT payload FROM events WHERE note_id = $1`, rejected)
	testkit.Eventually(t, "the first attempt", func() bool {
		return s.Count(t, `SELECT count(*) FROM delivery_attempts`) == 1
	})
	shown := owner.get(t, s.at("/integrations/deliveries/"+delivery)).expect(t, http.StatusOK, "Conteúdo enviado",
		html.EscapeString(payload), "HMAC-SHA256(secret", "emissor-webhook")
	if strings.Contains(shown.body, secret) {
		t.Error("the secret is shown")
	}

	s.Exec(t, `UPDATE deliveries SET status = 'pending', resolved_at = NULL, next_attempt_at = '2030-01-01 12:30+00'`)
	s.Exec(t, `INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, answer)
		VALUES ($1, now(), 1, '')`, delivery)
	for _, page := range []string{"/integrations/deliveries", "/integrations/deliveries/" + delivery} {
		owner.get(t, s.at(page)).expect(t, http.StatusOK, "Nova tentativa às", "delivery-retrying")
	}
}

// Where endpoints may be is decided as for deliveries: by the check of the command, and
// by the dialer once more.
func TestEndpoints_GuardedAddresses(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	for address, why := range map[string]string{
		"": "A URL deve ser como", "exemplo.com": "A URL deve ser como", "http://example.com/": "https://",
		"https://127.0.0.1/": "não é público", "https://[::1]/": "não é público", "https://10.1.2.3/": "não é público",
		"https://maria:senha@example.com/": "usuário nem senha", "https://example.com/#a": "fragmento",
		"https://example.com/" + strings.Repeat("a", 2000): "2000",
	} {
		owner.post(t, s.at("/integrations/endpoints"), form("url", address, "nfse.issued", "on")).
			expect(t, http.StatusUnprocessableEntity, `href="#url"`, why)
	}
	if made := s.Count(t, `SELECT count(*) FROM webhook_endpoints`); made != 0 {
		t.Errorf("%d endpoints were made", made)
	}
	receiver := testkit.NewReceiver(t, nil)
	port := regexp.MustCompile(`:\d+`).FindString(strings.TrimPrefix(receiver.URL, "http:"))
	for address, why := range map[string]string{
		receiver.URL: "https://", "https://localhost" + port + "/": "não tem endereço público",
	} {
		id, _ := s.NewEndpoint(t, address, false)
		owner.post(t, s.at("/integrations/endpoints/"+id+"/test"), form()).expect(t, http.StatusOK, why)
	}
	if calls := receiver.Calls(); len(calls) != 0 {
		t.Errorf("the receiver got %v", calls)
	}
}

func TestDeliveries_SentAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	endpoint, _ := s.NewEndpoint(t, "https://hooks.example.com/nfse", false)
	other, _ := s.NewEndpoint(t, "https://other.example.com/nfse", false)
	now := time.Now()
	failed, elsewhere := s.delivery(t, endpoint, "failed", now), s.delivery(t, other, "failed", now)
	old := s.delivery(t, endpoint, "failed", now.Add(-48*time.Hour))
	delivered := s.delivery(t, endpoint, "delivered", now)

	const failing = `<span aria-hidden="true">▲</span> Ativo, com falhas</span> `
	viewer.get(t, s.at("/integrations")).expect(t, http.StatusOK, failing+"2 entregas falharam",
		failing+"1 entrega falhou")
	viewer.get(t, s.at("/integrations/endpoints/"+endpoint)).expect(t, http.StatusOK, failing+"2 entregas falharam")
	well, _ := s.NewEndpoint(t, "https://well.example.com/nfse", false)
	viewer.get(t, s.at("/integrations/endpoints/"+well)).expect(t, http.StatusOK, "●</span> Ativo</span>")

	path := s.at("/integrations/deliveries/" + failed)
	viewer.get(t, path).expect(t, http.StatusOK, "nfse.issued", "Falhou", "503", "22 ms", "fora do ar",
		"o receptor respondeu 503", "Quem tem o papel Edição")
	editor.post(t, s.at("/integrations/deliveries/"+failed+"/retry"), form()).expect(t, http.StatusSeeOther)
	s.audited(t, editor, "delivery.retry", failed)
	editor.get(t, path).expect(t, http.StatusOK, "Nova tentativa em breve", "outra vez")
	editor.post(t, s.at("/integrations/deliveries/"+delivered+"/retry"), form()).
		expect(t, http.StatusConflict, "não há o que reenviar")

	many := s.at("/integrations/endpoints/" + endpoint + "/retry")
	editor.post(t, many, form("since", "ontem")).
		expect(t, http.StatusUnprocessableEntity, `href="#since"`, `value="ontem"`)
	editor.post(t, many, form("since", now.AddDate(0, 0, 2).Format("2006-01-02T15:04"))).
		expect(t, http.StatusUnprocessableEntity)
	dayAgo := now.Add(-27 * time.Hour).Format("2006-01-02T15:04")
	editor.post(t, many, form("since", dayAgo)).expect(t, http.StatusOK, "0 entregas a caminho")
	s.Exec(t, `UPDATE deliveries SET status = 'failed', resolved_at = now() WHERE id = $1`, failed)
	editor.post(t, many, form("since", dayAgo)).expect(t, http.StatusOK, "1 entrega a caminho")
	s.audited(t, editor, "delivery.retry", failed)
	for id, status := range map[string]string{failed: "pending", elsewhere: "failed", old: "failed",
		delivered: "delivered"} {
		if found := s.Text(t, `SELECT status FROM deliveries WHERE id = $1`, id); found != status {
			t.Errorf("a delivery is %s, expected %s", found, status)
		}
	}
	s.Exec(t, `UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = $1`,
		fact.EndpointDisabledByOperator.Fact())
	editor.post(t, many, form("since", dayAgo)).expect(t, http.StatusConflict, "Nada mudou: ative-o antes")
	editor.post(t, s.at("/integrations/deliveries/"+old+"/retry"), form()).expect(t, http.StatusConflict,
		"ative-o antes")
	s.Exec(t, `UPDATE events SET payload = ''`)
	editor.get(t, s.at("/integrations/deliveries/"+old)).expect(t, http.StatusOK, "não é mais guardado")
}

func TestDeliveries_FiltersAndPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	list := s.at("/integrations/deliveries")
	viewer.get(t, list).expect(t, http.StatusOK, "Nenhuma entrega ainda")
	endpoint, _ := s.NewEndpoint(t, "https://hooks.example.com/nfse", false)
	other, _ := s.NewEndpoint(t, "https://other.example.com/nfse", false)
	failed := s.delivery(t, endpoint, "failed", time.Now())
	delivered := s.delivery(t, other, "delivered", time.Now())
	for filter, expected := range map[string][2]bool{
		"": {true, true}, "&state=failed": {true, false}, "&state=delivered": {false, true}, "&state=skipped": {},
		"&endpoint=" + endpoint: {true, false}, "&endpoint=" + other + "&state=failed": {},
		"&since=" + time.Now().AddDate(0, 0, -1).Format(time.DateOnly): {true, true}, "&since=2099-01-01": {},
	} {
		page := viewer.get(t, list+filter).expect(t, http.StatusOK)
		found := [2]bool{strings.Contains(page.body, failed), strings.Contains(page.body, delivered)}
		if found != expected {
			t.Errorf("%s finds %v, expected %v", filter, found, expected)
		}
	}
	viewer.get(t, list+"&state=lost&since=x&endpoint=x").expect(t, http.StatusUnprocessableEntity, `href="#state"`,
		`href="#since"`, `href="#endpoint"`)

	for range 55 {
		s.delivery(t, endpoint, "skipped", time.Now())
	}
	first := viewer.get(t, list+"&state=skipped").expect(t, http.StatusOK)
	if rows := strings.Count(first.body, `class="row"`); rows != 50 || strings.Contains(first.body, `rel="prev"`) {
		t.Errorf("the first page has %d rows", rows)
	}
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(first.body)[1]
	older := viewer.get(t, strings.ReplaceAll(next, "&amp;", "&")).expect(t, http.StatusOK)
	if rows := strings.Count(older.body, `class="row"`); rows != 5 || strings.Contains(older.body, `rel="next"`) {
		t.Errorf("the last page has %d rows", rows)
	}
	back := regexp.MustCompile(`rel="prev" href="([^"]+)"`).FindStringSubmatch(older.body)[1]
	if rows := strings.Count(viewer.get(t, strings.ReplaceAll(back, "&amp;", "&")).body, `class="row"`); rows != 50 {
		t.Errorf("back again there are %d rows", rows)
	}
}

// What is another organization's, or of the other environment, is not found, and
// nothing happens to it.
func TestIntegrations_AnothersIds(t *testing.T) {
	t.Parallel()
	s := newSite(t, hooksHere)
	receiver := testkit.NewReceiver(t, nil)
	key := s.key(t).ID
	endpoint, _ := s.NewEndpoint(t, receiver.URL, false)
	delivery := s.delivery(t, endpoint, "failed", time.Now())
	other, _, _ := s.NewOrganization(t, "Escola")
	neighbour := s.signedIn(t, "neighbour@example.com", other.ID, nfse.RoleOwner)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	before := s.Count(t, `SELECT count(*) FROM audit_log`)
	for _, path := range []string{"/integrations/keys/" + key, "/integrations/endpoints/" + endpoint,
		"/integrations/deliveries/" + delivery} {
		neighbour.get(t, s.of(path, other.ID, "test")).expect(t, http.StatusNotFound, "não leva a nada")
		owner.get(t, s.of(path, s.Organization.ID, "live")).expect(t, http.StatusNotFound, "não leva a nada")
	}
	for _, path := range []string{"/keys/" + key, "/keys/" + key + "/revoke", "/endpoints/" + endpoint + "/test",
		"/endpoints/" + endpoint + "/rotate", "/endpoints/" + endpoint + "/disable",
		"/endpoints/" + endpoint + "/enable", "/endpoints/" + endpoint + "/remove",
		"/endpoints/" + endpoint + "/retry", "/deliveries/" + delivery + "/retry"} {
		neighbour.post(t, s.of("/integrations"+path, other.ID, "test"), form("since", "2020-01-01T00:00")).
			expect(t, http.StatusNotFound)
		owner.post(t, s.of("/integrations"+path, s.Organization.ID, "live"),
			url.Values{"env": {"live"}, "since": {"2020-01-01T00:00"}}).expect(t, http.StatusNotFound)
	}
	for _, path := range []string{"/integrations", "/integrations/deliveries"} {
		page := neighbour.get(t, s.of(path, other.ID, "test")+"&endpoint="+endpoint).expect(t, http.StatusOK)
		for _, theirs := range []string{receiver.URL, delivery, key} {
			if strings.Contains(page.body, theirs) {
				t.Errorf("%s shows %s of another organization", path, theirs)
			}
		}
	}
	if after := s.Count(t, `SELECT count(*) FROM audit_log`); after != before {
		t.Errorf("%d changes were made", after-before)
	}
	if calls := receiver.Calls(); len(calls) != 0 {
		t.Errorf("the receiver got %v", calls)
	}
}
