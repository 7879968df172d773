package sefin

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"emissor/fiscal"
)

// bombs are answers whose documents would cost gigabytes as trees; what the
// compressed ones come to is in the words of each.
func bombs() map[string]string {
	empty := "<infNFSe/>"
	packedOf := func(document string) string { return `"nfseXmlGZipB64":"` + packed(document) + `"` }
	return map[string]string{
		"132 KiB of empty elements":  packedOf(strings.Repeat(empty, 50<<20/len(empty))),
		"66 KiB of nested elements":  packedOf(strings.Repeat("<a>", 25<<20/3)),
		"elements within the bytes":  packedOf(`<NFSe>` + strings.Repeat(empty, 100_000) + `</NFSe>`),
		"nested within the bytes":    packedOf(strings.Repeat("<a>", 300_000)),
		"attributes":                 packedOf("<NFSe" + strings.Repeat(` a="b"`, 150_000) + "/>"),
		"namespaces in each element": packedOf("<NFSe>" + manyNamespaces() + "</NFSe>"),
	}
}

func manyNamespaces() string {
	var text strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&text, `<a xmlns:n%d=""/>`, i)
	}
	return text.String()
}

// allocated is how many bytes were allocated by do.
func allocated(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// A document that is beyond what is read of any costs little, no matter what it would come to, and is for a person to
// look at.
func TestBomb_CostsLittle(t *testing.T) {
	for name, member := range bombs() {
		b := newBench(t)
		c := b.serve(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"chaveAcesso":"`+accessKey+`",`+member+`}`)
		})
		c.options.SignerRoots, c.options.DocumentSigners = b.servers.pool, mustSigners(t, "CN=a")
		var sent, found fiscal.Answer
		cost := allocated(func() {
			sent = c.Send(t.Context(), b.access, issuing)
			found = c.Find(t.Context(), b.access, issuing)
		})
		if cost > 128<<20 { // by all of both calls, the server's part included
			t.Errorf("%s: %d MiB were allocated", name, cost>>20)
		}
		// The answer to the message says where the document is to be fetched, before a person is asked.
		if sent.Outcome != accepted || sent.Document.XML != nil || found.Outcome != accepted ||
			found.Document.XML != nil {
			t.Errorf("%s: %s, then %s", name, sent.Outcome, found.Outcome)
		}
		for _, answer := range []fiscal.Answer{sent, found} {
			if answer.NeedsPerson.None() ||
				!answer.NeedsPerson.Equal(answer.Reason) || len(answer.Body) > 16<<10 {
				t.Errorf("%s: %s, %q, %q", name, answer.Outcome, answer.Reason, answer.NeedsPerson)
			}
		}
	}
}

// An event that is a bomb exists where a list says so, and is for a person where
// signatures are required.
func TestBomb_Event(t *testing.T) {
	bomb := packed(strings.Repeat("<a>", 1<<20))
	asked := func(body string, require bool) fiscal.Answer {
		client := newClient(t)
		client.options.RequireSignature = require
		return interpretAsked(answered(200, body), client.subjectOf(cancelling))
	}
	listed := `{"eventos":[{"chaveAcesso":"` + accessKey + `","tipoEvento":"101101","arquivoXml":"` + bomb + `"}]}`
	if answer := asked(listed, false); answer.Outcome != accepted || !answer.NeedsPerson.None() {
		t.Errorf("%+v", answer)
	}
	if answer := asked(listed, true); answer.Outcome != accepted || answer.NeedsPerson.None() {
		t.Errorf("%+v", answer)
	}
	answer := asked(`{"eventoXmlGZipB64":"`+bomb+`"}`, false)
	if answer.Outcome != unknown || answer.NeedsPerson.None() {
		t.Errorf("%+v", answer)
	}
}

// Lists of nothing but errors, or of nothing, are looked at as far as is any use.
func TestBomb_JSON(t *testing.T) {
	var errors strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&errors, `,{"codigo":"E%05d","descricao":"%d"}`, i, i)
	}
	sent(t, answered(400, `{}`)) // what is made once is made
	for name, body := range map[string]string{
		"errors":           `{"erros":[` + errors.String()[1:] + `]}`,
		"nothing":          `[` + strings.Repeat(`{},`, maxBody/4) + `{}]`,
		"lists of nothing": `{"eventos":[` + strings.Repeat(`[],`, maxBody/4) + `{}]}`,
		"nested lists":     strings.Repeat("[", maxBody),
		"repeated members": `{` + strings.Repeat(`"erro":{},`, maxBody/11) + `"a":1}`,
	} {
		if cost := allocated(func() { sent(t, answered(400, body)) }); cost > 64<<20 {
			t.Errorf("%s: %d MiB were allocated", name, cost>>20)
		}
	}
}
