package adn

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse/fact"
	"emissor/test/reference"
)

const (
	issuer = "11222333000181"
	ours   = "33045572211222333000181000000000000926111234567897"
	theirs = "33045572242498733000148000000000000926111234567894"
)

// trusting finds nothing wrong with any signature, or with none.
type trusting struct{ problem fact.Fact }

func (t trusting) EventSignatureProblem([]byte, string, time.Time) fact.Fact    { return t.problem }
func (t trusting) DocumentSignatureProblem([]byte, string, time.Time) fact.Fact { return t.problem }

func read(after int64, status int, body string) fiscal.Batch {
	return reader{trusting{}, issuer, false, after}.batch(mtls.Reply{Status: status, Body: []byte(body)})
}

func packed(document string) string {
	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	_, _ = writer.Write([]byte(document))
	_ = writer.Close()
	return base64.StdEncoding.EncodeToString(zipped.Bytes())
}

// eventOf is an event of a document, with what it holds after its description.
func eventOf(key, kind, sequence, details string) string {
	return `<evento xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infEvento Id="EVT` + key + kind +
		sequence + `"><nSeqEvento>` + sequence + `</nSeqEvento><dhProc>2026-11-20T10:00:02-03:00</dhProc>` +
		`<pedRegEvento versao="1.01"><infPedReg Id="PRE` + key + kind + `"><tpAmb>2</tpAmb>` +
		`<dhEvento>2026-11-20T10:00:00-03:00</dhEvento><CNPJAutor>42498733000148</CNPJAutor><chNFSe>` + key +
		`</chNFSe><e` + kind + `><xDesc>x</xDesc>` + details + `</e` + kind + `></infPedReg></pedRegEvento>` +
		`</infEvento></evento>`
}

// lot is a batch of entries, each a JSON object.
func lot(entries ...string) string {
	return `{"StatusProcessamento":"DOCUMENTOS_LOCALIZADOS","LoteDFe":[` + strings.Join(entries, ",") +
		`],"TipoAmbiente":"HOMOLOGACAO"}`
}

func entryOf(position int, key, document string) string {
	return fmt.Sprintf(`{"NSU":%d,"ChaveAcesso":%q,"TipoDocumento":"EVENTO","ArquivoXml":%q}`, position, key,
		packed(document))
}

// The stand-ins of official answers and the official events are read as they mean.
func TestPage_Reference(t *testing.T) {
	batch := read(0, 200, string(reference.ReadNational(t, "adn-samples/eventos-200.json")))
	if batch.Outcome != fiscal.BatchRead || len(batch.Items) != 10 || batch.Full {
		t.Fatalf("the batch is %+v", batch)
	}
	effects := map[string]fiscal.Effect{
		"101101": fiscal.EffectCancels, "105102": fiscal.EffectReplaces, "105104": fiscal.EffectCancels,
		"305101": fiscal.EffectCancels, "305102": fiscal.EffectBlocksCancellation,
		"305103": fiscal.EffectUnblocksCancellation, "101103": fiscal.EffectNone,
		"105105": fiscal.EffectDeniesCancellation,
		"203202": fiscal.EffectNone, "203206": fiscal.EffectNone,
	}
	at := time.Date(2026, time.November, 20, 13, 0, 0, 0, time.UTC)
	for _, item := range batch.Items {
		event := item.Event
		if event == nil || !item.Problem.None() || item.Foreign || item.AccessKey != ours || event.Sequence != 1 ||
			!event.Known || event.Effect != effects[event.Type] || !event.HappenedAt.Equal(at) {
			t.Errorf("%+v %+v", item, event)
			continue
		}
		// Only the issuer's own event gives a reason of a caller's.
		if expected := map[string]string{"101101": "2"}[event.Type]; event.ReasonCode != expected {
			t.Errorf("%s gives the reason %q", event.Type, event.ReasonCode)
		}
		delete(effects, event.Type)
	}
	if len(effects) > 0 {
		t.Errorf("not read are %v", effects)
	}
	if batch := read(0, 404, string(reference.ReadNational(t, "adn-samples/dfe-404-nenhum.json"))); batch.Outcome !=
		fiscal.BatchCaughtUp {
		t.Errorf("nothing follows: %+v", batch)
	}
	batch = read(0, 400, string(reference.ReadNational(t, "adn-samples/dfe-400-rejeicao.json")))
	if batch.Outcome != fiscal.BatchFailed || !batch.Reason.Equal(
		fact.ADNAnsweredCode.With("status", 400, "code", "E2243")) {
		t.Errorf("refused: %+v", batch)
	}
	batch = read(0, 200, string(reference.ReadNational(t, "adn-samples/dfe-200.json")))
	if positions := positionsOf(batch); !slices.Equal(positions, []int64{1003, 1006}) {
		t.Errorf("read are %v", positions)
	}
}

func positionsOf(batch fiscal.Batch) (positions []int64) {
	for _, item := range batch.Items {
		positions = append(positions, item.Position)
	}
	return positions
}

// What is not the ADN's word that something follows, or nothing does, is a failure.
func TestPage_Outcomes(t *testing.T) {
	const none = `{"StatusProcessamento":"NENHUM_DOCUMENTO_LOCALIZADO","LoteDFe":[],"TipoAmbiente":"HOMOLOGACAO"}`
	found := lot(entryOf(5, ours, eventOf(ours, "305101", "001", "")))
	for name, c := range map[string]struct {
		status  int
		body    string
		outcome fiscal.BatchOutcome
		reason  fact.Code // of a failure
	}{
		"found":                {200, found, fiscal.BatchRead, ""},
		"found, as plain text": {200, "\ufeff" + found, fiscal.BatchRead, ""},
		"found, by a 404":      {404, found, fiscal.BatchFailed, fact.ADNAnswered},
		"found, of production": {200, strings.Replace(found, "HOMOLOGACAO", "PRODUCAO", 1), fiscal.BatchFailed,
			fact.ADNOtherEnvironment},
		"caught up":           {404, none, fiscal.BatchCaughtUp, ""},
		"caught up, by a 200": {200, none, fiscal.BatchCaughtUp, ""},
		"caught up, by a 500": {500, none, fiscal.BatchFailed, fact.ADNAnswered},
		"caught up elsewhere": {404, strings.Replace(none, "HOMOLOGACAO", "PRODUCAO", 1), fiscal.BatchFailed,
			fact.ADNOtherEnvironment},
		"refused": {400, strings.Replace(none, notLocated, "REJEICAO", 1), fiscal.BatchFailed,
			fact.ADNAnswered},
		"refused, with documents": {200, strings.Replace(found, located, "REJEICAO", 1), fiscal.BatchFailed,
			fact.ADNAnswered},
		"nothing":           {404, "", fiscal.BatchFailed, fact.ADNAnsweredNoBatch},
		"a page of a proxy": {200, "<html></html>", fiscal.BatchFailed, fact.ADNAnsweredNoBatch},
		"a list":            {200, "[" + found + "]", fiscal.BatchFailed, fact.ADNAnsweredNoBatch},
		"nothing in it":     {200, lot(), fiscal.BatchFailed, fact.ADNEmptyBatch},
		"caught up, in words": {404, strings.Replace(none, `[]`, `"nada"`, 1), fiscal.BatchFailed,
			fact.ADNAnsweredNoBatch},
		"caught up, by null": {404, strings.Replace(none, `[]`, `null`, 1), fiscal.BatchCaughtUp, ""},
		"found, an environment nobody knows": {200, strings.Replace(found, "HOMOLOGACAO", "RESTRITA", 1),
			fiscal.BatchRead, ""},
		"found, an environment in numbers": {200, strings.Replace(found, `"HOMOLOGACAO"`, "2", 1), fiscal.BatchRead, ""},
		"found, errors in words": {200, strings.Replace(found, `"LoteDFe"`, `"Erros":"nenhum","LoteDFe"`, 1),
			fiscal.BatchRead, ""},
		"found, one entry for a list": {200, strings.NewReplacer(`[`, ``, `]`, ``).Replace(found), fiscal.BatchRead, ""},
		"not let in":                  {496, "<html>nginx</html>", fiscal.BatchFailed, fact.CertificateShutOut},
		"a pause":                     {429, "", fiscal.BatchThrottled, fact.ADNAsksForPause},
		"no position":                 {200, lot(entryOf(0, ours, "<a/>")), fiscal.BatchRead, fact.ADNNothingFollows},
		"no position at all":          {200, lot(`{}`, `null`, `7`), fiscal.BatchRead, fact.ADNNothingFollows},
		"too many": {200, lot(slices.Repeat([]string{`{"NSU":9}`}, 101)...), fiscal.BatchFailed,
			fact.ADNTooManyDocuments},
	} {
		batch := read(0, c.status, c.body)
		if batch.Outcome != c.outcome || batch.Alarm != (c.reason == fact.ADNOtherEnvironment) ||
			batch.Reason.Code != c.reason {
			t.Errorf("%s: %+v", name, batch)
		}
	}
}

// What has no position of its own counts nevertheless; where nothing has one, nothing moves and nothing is
// asked for at once.
func TestPage_NoPosition(t *testing.T) {
	masked := entryOf(0, ours, eventOf(ours, "305101", "001", ""))
	for after, batch := range map[int64]fiscal.Batch{
		41: read(41, 200, lot(masked)),
		42: read(41, 200, lot(masked, entryOf(42, theirs, eventOf(theirs, "305101", "001", "")))),
		43: read(43, 200, lot(slices.Repeat([]string{masked}, 50)...)),
	} {
		item := batch.Items[len(batch.Items)-1]
		if batch.Outcome != fiscal.BatchRead || batch.Full || item.Position != after || item.Event == nil ||
			!item.Problem.None() || item.AccessKey != ours {
			t.Errorf("%d: %+v", after, batch)
		}
	}
	if known := read(41, 200, lot(entryOf(41, ours, "<a/>"))); !known.Reason.Is(fact.ADNNothingFollows) ||
		known.Outcome != fiscal.BatchFailed {
		t.Errorf("what is known: %+v", known)
	}
}

// What cannot be read is kept as it came, in its place, and costs nothing else.
func TestPage_Unreadable(t *testing.T) {
	good := eventOf(ours, "305101", "002", "<xProcAdm>Processo  administrativo</xProcAdm>")
	batch := read(10, 200, lot(
		entryOf(14, ours, good),
		`{"NSU":11,"ChaveAcesso":"`+ours+`","TipoDocumento":"EVENTO","ArquivoXml":"bm90IGd6aXA="}`,
		`{"NSU":12,"ArquivoXml":null}`, `{"NSU":"000000000000013","ArquivoXml":"%%"}`,
		`{"NSU":3,"ArquivoXml":"%%"}`, `{"NSU":-1}`, `{"NSU":1e300}`, `"what"`,
		entryOf(15, ours, strings.Repeat("<a>", 70)), entryOf(16, ours, strings.Repeat(" ", 2<<20)),
		entryOf(17, ours, good+good), entryOf(18, theirs, "no XML"),
		entryOf(19, theirs, eventOf(theirs, "305101", "001", "")),
	))
	expected := []int64{11, 12, 13, 14, 15, 16, 17, 18, 19, 19, 19, 19}
	if positions := positionsOf(batch); !slices.Equal(positions, expected) {
		t.Fatalf("read are %v of %+v", positions, batch)
	}
	if content := string(batch.Items[0].Content); content != "bm90IGd6aXA=" {
		t.Errorf("kept is %q", content)
	}
	event := batch.Items[3]
	if !event.Problem.None() || event.Event.Sequence != 2 || event.Event.ReasonText != "Processo administrativo" ||
		string(event.Content) != good {
		t.Errorf("%+v %+v", event, event.Event)
	}
	for i, item := range batch.Items {
		unread := i != 3 && i != 8
		if item.Problem.None() == unread || unread && (item.Event != nil || item.Document != nil) {
			t.Errorf("%d: %+v", i, item)
		}
		if item.Foreign != (item.AccessKey == theirs) {
			t.Errorf("%d is foreign: %t", i, item.Foreign)
		}
	}
}

// What an event says is believed only where it can be read in one way, and is of the
// environment that was asked.
func TestEvent_Refused(t *testing.T) {
	good := eventOf(ours, "305101", "001", "")
	if _, problem := readEvent([]byte(good)); !problem.None() {
		t.Fatal(problem)
	}
	for name, change := range map[string][2]string{
		"two types":          {"</e305101>", "</e305101><e305102/>"},
		"no type":            {"e305101>", "e30510>"},
		"two keys":           {"</chNFSe>", "</chNFSe><chNFSe>" + theirs + "</chNFSe>"},
		"named as another":   {`Id="EVT` + ours, `Id="EVT` + theirs},
		"another type":       {`Id="EVT` + ours + "305101", `Id="EVT` + ours + "101101"},
		"no key":             {"<chNFSe>" + ours, "<chNFSe>" + ours[:49]},
		"no date":            {"<dhEvento>2026-11-20", "<dhEvento>2026-13-20"},
		"a date of nobody":   {"<dhProc>2026", "<dhProc>9999"},
		"two moments":        {"</dhProc>", "</dhProc><dhProc>2026-11-20T10:00:02-03:00</dhProc>"},
		"a sequence of none": {"<nSeqEvento>001", "<nSeqEvento>000"},
		"a large sequence":   {"<nSeqEvento>001", "<nSeqEvento>1000"},
		"another namespace":  {"http://www.sped.fazenda.gov.br/nfse", "urn:x"},
	} {
		changed := strings.Replace(good, change[0], change[1], 1)
		if facts, problem := readEvent([]byte(changed)); changed == good || problem.None() {
			t.Errorf("%s: %+v", name, facts)
		}
	}
	production := strings.Replace(good, "<tpAmb>2", "<tpAmb>1", 1)
	batch := read(0, 200, lot(entryOf(1, ours, production)))
	if !batch.Items[0].Problem.Is(fact.ExternalOfOtherEnvironment) {
		t.Errorf("%+v", batch.Items[0])
	}
	batch = reader{trusting{fact.SignatureOfNoSigner.Fact()}, issuer, false, 0}.
		batch(mtls.Reply{Status: 200, Body: []byte(lot(entryOf(1, ours, good)))})
	if !batch.Items[0].Problem.Is(fact.SignatureOfNoSigner) || batch.Items[0].Event == nil {
		t.Errorf("%+v", batch.Items[0])
	}
}

// Of a block only one of the issuer's cancellation concerns a caller. A type that
// nobody knows is on record.
func TestEvent_Effects(t *testing.T) {
	for _, c := range []struct {
		kind, details string
		effect        fiscal.Effect
		known         bool
	}{
		{"305102", "<codEvento>e101101</codEvento>", fiscal.EffectBlocksCancellation, true},
		{"305102", "<codEvento>e105102</codEvento>", fiscal.EffectNone, true},
		{"305102", "", fiscal.EffectNone, true},
		{"467201", "", fiscal.EffectNone, true},
		{"555555", "<cMotivo>1</cMotivo>", fiscal.EffectNone, false},
	} {
		item := read(0, 200, lot(entryOf(1, ours, eventOf(ours, c.kind, "001", c.details)))).Items[0]
		if item.Event.Effect != c.effect || item.Event.Known != c.known || item.Title.None() ||
			item.Event.ReasonCode != "" {
			t.Errorf("%+v: %+v %+v", c, item, item.Event)
		}
	}
}

// The items of any batch are in order, beyond the position asked for or with the reason that nothing moves it, and
// whole; and read again from there nothing comes back but what has no position.
func TestPage_Property(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		after := rapid.Int64Range(0, 100).Draw(t, "after")
		entries := rapid.SliceOfN(rapid.Custom(drawEntry), 0, 60).Draw(t, "entries")
		batch := read(after, 200, lot(entries...))
		checkPage(t, after, batch)
		if batch.Outcome != fiscal.BatchRead {
			return
		}
		again := read(batch.Items[len(batch.Items)-1].Position, 200, lot(entries...))
		if again.Outcome == fiscal.BatchRead && (again.Full || !again.Reason.Is(fact.ADNNothingFollows)) {
			t.Fatalf("there is more: %+v", again)
		}
	})
}

func drawEntry(t *rapid.T) string {
	position := rapid.Int64Range(-1, 120).Draw(t, "position")
	key := rapid.SampledFrom([]string{ours, theirs, "", "x"}).Draw(t, "key")
	kind := rapid.SampledFrom([]string{"305101", "101101", "203206", "000000"}).Draw(t, "kind")
	document := rapid.OneOf(rapid.Just(eventOf(ours, kind, "001", "")), rapid.Just(eventOf(theirs, kind, "003", "")),
		rapid.String()).Draw(t, "document")
	archive := rapid.OneOf(rapid.Just(packed(document)), rapid.String()).Draw(t, "archive")
	encoded, err := json.Marshal(map[string]any{"NSU": position, "ChaveAcesso": key, "ArquivoXml": archive})
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

type failing interface {
	Errorf(format string, args ...any)
}

func checkPage(t failing, after int64, batch fiscal.Batch) {
	switch batch.Outcome {
	case fiscal.BatchRead:
		if len(batch.Items) == 0 {
			t.Errorf("nothing was read")
		}
		last := after
		for _, item := range batch.Items {
			stays := item.Position == after && batch.Reason.Is(fact.ADNNothingFollows)
			if item.Position <= after && !stays || item.Position < last || item.Position > lastPosition {
				t.Errorf("%d comes after %d", item.Position, last)
			}
			last = item.Position
			switch {
			case item.Problem.None() && (item.Event == nil) == (item.Document == nil) && item.Event != nil:
				t.Errorf("it is both: %+v", item)
			case item.Event != nil && (len(item.AccessKey) != 50 || item.Event.Type == "" || item.Event.Sequence < 1 ||
				item.Event.Effect == "" || item.Event.HappenedAt.IsZero() || len(item.Content) == 0):
				t.Errorf("the event is %+v %+v", item, item.Event)
			}
		}
	case fiscal.BatchFailed, fiscal.BatchThrottled:
		if batch.Reason.None() || len(batch.Items) > 0 {
			t.Errorf("the batch is %+v", batch)
		}
	case fiscal.BatchCaughtUp:
		if len(batch.Items) > 0 {
			t.Errorf("the batch is %+v", batch)
		}
	default:
		t.Errorf("the outcome is %q", batch.Outcome)
	}
}

// Nothing panics on any answer, and what is no answer never moves the position.
func FuzzPage(f *testing.F) {
	for _, body := range []string{
		lot(entryOf(5, ours, eventOf(ours, "305101", "001", ""))), lot(`{"NSU":1}`), lot(`{"NSU":"1"}`), lot("null"),
		`{"StatusProcessamento":"NENHUM_DOCUMENTO_LOCALIZADO"}`, `{"LoteDFe":{}}`, `[]`, "", "<html>", "\ufeff{}",
	} {
		for _, status := range []int{200, 400, 404, 429, 500} {
			f.Add(status, int64(3), body)
		}
	}
	f.Fuzz(func(t *testing.T, status int, after int64, body string) {
		if after < 0 || after > lastPosition {
			return
		}
		checkPage(t, after, read(after, status, body))
	})
}

// Nothing panics on any event, and what is read of it can be kept.
func FuzzEvent(f *testing.F) {
	f.Add([]byte(eventOf(ours, "305102", "001", "<codEvento>e101101</codEvento><xMotivo>x</xMotivo>")))
	f.Add([]byte(eventOf(ours, "101101", "001", "<cMotivo>1</cMotivo><cMotivo>2</cMotivo>")))
	f.Add([]byte("<evento/>"))
	f.Fuzz(func(t *testing.T, document []byte) {
		batch := read(0, 200, lot(entryOf(1, ours, string(document))))
		checkPage(t, 0, batch)
		for _, item := range batch.Items {
			if strings.ContainsRune(item.Title.English(), 0) || item.Event != nil &&
				(len(item.Event.Digest) > maxDigest || len([]rune(item.Event.ReasonText)) > maxReason) {
				t.Errorf("%+v %+v", item, item.Event)
			}
		}
	})
}

// That a certificate is not let in says nothing of others; no other refusal is one of the
// certificate.
func TestPage_ShutOut(t *testing.T) {
	for _, body := range []string{"", "<html>", `{"Erros":[{"Codigo":"E1203"}]}`} {
		for status, shutOut := range map[int]bool{
			401: true, 403: true, 400: false, 404: false, 429: false, 500: false,
		} {
			if batch := read(0, status, body); batch.ShutOut != shutOut || batch.Outcome == fiscal.BatchRead {
				t.Errorf("%d %q is read as %+v", status, body, batch)
			}
		}
	}
}
