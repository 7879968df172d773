package dashboard_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/testkit"
)

var (
	progressList = regexp.MustCompile(`(?s)<ol class="timeline progress">(.*?)</ol>`)
	progressItem = regexp.MustCompile(`(?s)<li class="(\w+)"( aria-current="step")?>(.*?)</li>`)
	markup       = regexp.MustCompile(`<[^>]*>`)
)

// stepsOf reads the four steps of a note's page: each as its state, a star where the note stands, and its words
// without the time.
func stepsOf(t *testing.T, body string) (all []string) {
	t.Helper()
	list := progressList.FindStringSubmatch(body)
	if list == nil {
		t.Fatalf("the page has no steps\n%s", body)
	}
	for _, item := range progressItem.FindAllStringSubmatch(list[1], -1) {
		words := regexp.MustCompile(`(?s)<time.*?</time>`).ReplaceAllString(item[3], "@")
		here := map[bool]string{true: "*"}[item[2] != ""]
		all = append(all, item[1]+here+": "+strings.Join(strings.Fields(markup.ReplaceAllString(words, " ")), " "))
	}
	return all
}

// The four steps say in words how far a note is, when each was done, and what is missing.
func TestNote_Progress(t *testing.T) {
	t.Parallel()
	s, _, issued, rejected := newSettled(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	live := func(reference, change string, args ...any) string {
		t.Helper()
		id := s.noteOf(t, s.LiveKey, reference)
		s.Exec(t, `DELETE FROM outbox WHERE subject_id = $1`, id)
		s.Exec(t, `UPDATE notes SET `+change+` WHERE id = $1`, append([]any{id}, args...)...)
		return s.live("/notes/" + id)
	}
	called := func(path, outcome string, reason any) string {
		s.Exec(t, `INSERT INTO fiscal_calls (note_id, what, outcome, reason, ended_at) VALUES ($1, 'issue', $2, $3, now())`,
			strings.Split(strings.TrimPrefix(path, "/notes/"), "?")[0], outcome, reason)
		return path
	}
	const processing, done = `status = 'processing', processing_at = now()`, "done: Recebida @"
	const toCome, told = "to_come: Emitida depois", "to_come: Avisos entregues depois"
	sending := "current*: Enviada à autoridade em andamento Falta enviá-la: acontece sozinho."
	issuedNow := `status = 'issued', processing_at = now(), issued_at = now(), authority_issued_at = now()`
	mailed := live("com-email", issuedNow)
	unmailed := live("email-falhou", issuedNow)
	s.email(t, strings.Split(strings.TrimPrefix(mailed, "/notes/"), "?")[0], "sent", fact.Fact{})
	s.email(t, strings.Split(strings.TrimPrefix(unmailed, "/notes/"), "?")[0], "failed", fact.InWords("caixa cheia"))
	copied := live("para-o-contador", issuedNow)
	s.Exec(t, `INSERT INTO emails (id, organization_id, livemode, copy_of, address, status, resolved_at)
		SELECT $1, organization_id, livemode, id, 'contador@example.com', 'sent', now() FROM notes WHERE id = $2`,
		nfse.NewID(nfse.PrefixEmail), strings.Split(strings.TrimPrefix(copied, "/notes/"), "?")[0])
	nobody := "left_out: Avisos entregues não foi preciso Ninguém a avisar: nem webhook, nem e-mail."
	for path, steps := range map[string][]string{
		s.at("/notes/" + issued): {done, "done: Enviada à autoridade @", "done: Emitida @", nobody},
		s.at("/notes/" + rejected): {done, "done: Enviada à autoridade @",
			"failed: Rejeitada @ Veja acima o motivo e o que fazer.", nobody},
		live("andando", processing): {done, sending, toCome, told},
		live("parada", processing+`, held_since = now(), held_reason = $2`, fact.NoFiscalProfile.Fact()): {done,
			"waiting*: Enviada à autoridade aguarda A empresa não tem perfil fiscal: " +
				"preencha-o em Empresa › Perfil fiscal.", toCome, told},
		called(live("na-autoridade", processing), "unknown", fact.NoAnswerInTime.Fact()): {done,
			"done: Enviada à autoridade @", "current*: Emitida em andamento Falta a resposta da autoridade.", told},
		called(live("sem-rede", processing), "not_delivered", fact.CallNoConnection.Fact()): {done, sending, toCome, told},
		live("cancelada-antes", `status = 'cancelled', cancelled_at = now(), cancellation_status = 'accepted',
			cancellation_requested_at = now(), cancellation_resolved_at = now()`): {done,
			"left_out: Enviada à autoridade não foi preciso Não chegou a ser enviada.",
			"left_out: Emitida não foi preciso Não foi emitida: foi cancelada antes.", nobody},
		mailed: {done, "done: Enviada à autoridade feito", "done: Emitida @",
			"done: Avisos entregues @ E-mail enviado."},
		copied: {done, "done: Enviada à autoridade feito", "done: Emitida @", // and not to the taker
			"done: Avisos entregues @ E-mail enviado."},
		unmailed: {done, "done: Enviada à autoridade feito", "done: Emitida @",
			"failed: Avisos entregues falhou Um e-mail falhou."},
	} {
		shown := stepsOf(t, viewer.get(t, path).expect(t, http.StatusOK).body)
		if strings.Join(shown, "\n") != strings.Join(steps, "\n") {
			t.Errorf("%s: the steps are\n%s\nexpected\n%s", path, strings.Join(shown, "\n"), strings.Join(steps, "\n"))
		}
	}
	viewer.reads(t, s.at("/notes/"+issued), "en").has(t, "Sent to the authority", "Nobody to tell")
}

// A webhook that was not taken is said in words, and can be sent again from the page.
func TestNote_ProgressOfDeliveries(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	endpoint, _ := s.NewEndpoint(t, "https://hooks.example.com/nfse", false)
	id := s.note(t)
	s.Exec(t, `UPDATE notes SET status = 'issued', processing_at = now(), issued_at = now(), authority_issued_at = now()
		WHERE id = $1`, id)
	s.Exec(t, `INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
		VALUES ('evt_0', $1, false, $2, 'nfse.issued', '{}', now())`, s.Organization.ID, id)
	s.Exec(t, `INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id, status, resolved_at)
		VALUES ('dlv_0', $1, false, 'evt_0', $2, 'delivered', now())`, s.Organization.ID, endpoint)
	for status, says := range map[string]string{
		"delivered": "done: Avisos entregues @ Seu sistema recebeu o aviso (webhook).",
		"pending":   "current*: Avisos entregues em andamento Um aviso a caminho do seu sistema (webhook).",
		"failed":    "failed: Avisos entregues falhou Seu sistema não recebeu um aviso (webhook). Entregas de webhook",
		"skipped":   "left_out: Avisos entregues não foi preciso Um aviso não foi enviado (webhook).",
	} {
		s.Exec(t, `UPDATE deliveries SET status = $1, resolved_at = CASE WHEN $1 <> 'pending' THEN now() END`, status)
		page := editor.get(t, s.at("/notes/"+id)).expect(t, http.StatusOK)
		if steps := stepsOf(t, page.body); steps[3] != says {
			t.Errorf("%s: the last step is %q", status, steps[3])
		}
		if sendsAgain := strings.Contains(page.body, "/deliveries/dlv_0/retry"); sendsAgain != (status != "delivered") {
			t.Errorf("%s: that it can be sent again is %t", status, sendsAgain)
		}
	}
}

// The page shows the document of the authority, or else what is declared, and says which.
func TestNote_Document(t *testing.T) {
	t.Parallel()
	s, _, issued, rejected := newSettled(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	number := s.Text(t, `SELECT authority_number FROM notes WHERE id = $1`, issued)
	viewer.get(t, s.at("/notes/"+issued)).expect(t, http.StatusOK, "<h1>NFS-e nº "+number+" · <bdi>Maria da Silva</bdi>",
		`data-mark="SEM VALOR FISCAL"`, "SIMULAÇÃO - SEM VALOR FISCAL", `<path d="M`, "<dd class=\"strong\">"+number)
	s.Exec(t, `UPDATE notes SET status = 'cancelled', cancelled_at = now(), cancellation_status = 'accepted',
		cancellation_requested_at = now(), cancellation_resolved_at = now() WHERE id = $1`, issued)
	viewer.get(t, s.at("/notes/"+issued)).expect(t, http.StatusOK, `data-mark="CANCELADA - SEM VALOR FISCAL"`,
		"Cancelada em ")
	none := viewer.get(t, s.at("/notes/"+rejected)).expect(t, http.StatusOK, "<h1>Nota rejeitada · ",
		"É isto que foi recusado: não existe NFS-e.", "Não é uma NFS-e", "<dd>529.982.247-25</dd>",
		"<dd class=\"strong\">R$ 150,00</dd>")
	if strings.Contains(none.body, `<path d="M`) || strings.Contains(none.body, "/danfse") {
		t.Error("a rejected note has a code or a DANFSe")
	}

	xml, err := os.ReadFile("../fiscal/danfse/testdata/full.xml")
	must(t, err)
	live := s.Call(t, http.MethodPost, "/v1/nfse", s.LiveKey, testkit.Issuance(s.NewService(t, s.LiveKey), "viva")).
		Text("id")
	viewer.get(t, s.live("/notes/"+live)).expect(t, http.StatusOK, "<h1>Nota em emissão · ",
		"É isto que será declarado. Ainda não é uma NFS-e.")
	s.IssuedNationally(t, live)
	s.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, $2)`, live, string(xml))
	shown := viewer.get(t, s.live("/notes/"+live)).expect(t, http.StatusOK, "CLÍNICA EXEMPLO DE CONSULTORIA LTDA",
		"33045572211222333000181000000000004226110123456781", "<dd class=\"strong\">R$ 10.930,76</dd>", `<path d="M`)
	if strings.Contains(shown.body, "data-mark") || strings.Contains(shown.body, "É isto que") {
		t.Error("the document of a note that stands is marked")
	}
	s.Exec(t, `UPDATE note_documents SET xml = '<NFSe/>' WHERE note_id = $1`, live)
	viewer.get(t, s.live("/notes/"+live)).expect(t, http.StatusOK,
		"É isto que foi declarado: o documento da nota não pode ser desenhado aqui.")
	viewer.reads(t, s.live("/notes/"+live), "en").has(t, "This is what was declared")
}
