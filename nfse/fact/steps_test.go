package fact

import "testing"

// The steps are said as a whole, and by what pages show below their names.
func TestSteps_Said(t *testing.T) {
	why := NoteBlocked.Fact()
	for _, c := range []struct {
		step                        Fact
		english, portuguese, detail string
	}{
		{NoteAccepted.Fact(), "accepted (queued)", "aceita, na fila", ""},
		{NoteRejected.With("source", "authority", "code", "E0190"),
			"rejected by the authority: E0190", "rejeitada pela autoridade: E0190", "pela autoridade: E0190"},
		{NoteRejected.With("source", "service", "code", "municipality_conflict"),
			"rejected by the service: municipality_conflict", "rejeitada antes do envio: municipality_conflict",
			"antes do envio: municipality_conflict"},
		{CancellationRefused.With("code", "E0822"), "cancellation refused: E0822", "cancelamento recusado: E0822",
			"E0822"},
		{Waits.With("why", []Fact{why, InWords("x")}),
			"waits: the note is blocked by the city; “x”", "aguarda: a nota está bloqueada pelo município; “x”",
			"a nota está bloqueada pelo município; “x”"},
		{Alarm.With("what", why), "ALARM: the note is blocked by the city",
			"ALERTA: a nota está bloqueada pelo município", ""},
		{NumberTaken.With("number", 12, "series", 3, "authority", "national", "environment", "restricted"),
			"took the DPS number 12 of series 3 (national, restricted)",
			"tomou a DPS nº 12, série 3 (national, produção restrita)",
			"DPS nº 12, série 3 (national, produção restrita)"},
		{NumberEnded.With("number", 12, "series", 3, "state", "number_conflict"),
			"the DPS number 12 of series 3 is in use by another system",
			"o número da DPS 12 da série 3 é usado por outro sistema", "12 da série 3 é usado por outro sistema"},
		{MessageSigned.With("message", "DPS1", "certificate", "crt_1"),
			"signed DPS1 with crt_1", "assinado: DPS1, com o certificado crt_1", "DPS1, com o certificado crt_1"},
		{AuthorityCalled.With("operation", "issue", "outcome", "accepted", "duration_ms", 22),
			"authority: issue: accepted (22 ms)", "autoridade: emissão: aceito (22 ms)", "emissão: aceito (22 ms)"},
		{AuthorityCalledInVain.With("operation", "find", "outcome", "unknown", "duration_ms", 22, "why", why),
			"authority: find: unknown, the note is blocked by the city (22 ms)",
			"autoridade: consulta: resultado desconhecido, a nota está bloqueada pelo município (22 ms)",
			"consulta: resultado desconhecido, a nota está bloqueada pelo município (22 ms)"},
		{AuthorityCallCutOff.With("operation", "issue"), "authority: issue, cut off",
			"autoridade: emissão, interrompida", "emissão, interrompida"},
		{DeliverySkipped.With("delivery", "dlv_1", "why", why),
			"delivery dlv_1 skipped: the note is blocked by the city",
			"entrega dlv_1 não enviada: a nota está bloqueada pelo município",
			"dlv_1 não enviada: a nota está bloqueada pelo município"},
		{LedgerEntered.With("kind", "reversed"), "ledger: reversed", "lançamento: estorno", "estorno"},
		{ExternalHappened.With("at", "2026-11-22T10:00:00Z", "title", ExternalBlocked.Fact(), "type", "305102",
			"event", 7, "effect", EffectToCome.Fact()),
			"outside, at 2026-11-22T10:00:00Z: blocked by the city (event 305102, 7): to be applied",
			"evento externo: bloqueada pelo município (305102, nº 7), em 2026-11-22T10:00:00Z: a aplicar",
			"bloqueada pelo município (305102, nº 7), em 2026-11-22T10:00:00Z: a aplicar"},
		{ExternalDocumentFound.With("access_key", "33", "number", 1, "series", 2, "proof", "digest"),
			"outside: document 33, number 1 of series 2, linked by its digest",
			"documento externo: documento 33, número 1 da série 2, ligado pelo resumo criptográfico",
			"documento 33, número 1 da série 2, ligado pelo resumo criptográfico"},
		{EffectTooLate.With("status", "rejected"), "no effect: the note is rejected already",
			"sem efeito: a nota já estava rejeitada", ""},
	} {
		if c.step.English() != c.english || c.step.Portuguese() != c.portuguese {
			t.Errorf("%s is said as %q, %q", c.step.Code, c.step.English(), c.step.Portuguese())
		}
		if found := c.step.PortugueseDetail(); found != c.detail {
			t.Errorf("below the name of %s is %q", c.step.Code, found)
		}
	}
}
