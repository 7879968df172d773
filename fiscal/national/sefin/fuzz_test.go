package sefin

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"emissor/fiscal"
)

// Nothing panics on any answer, and nothing is issued without an access key that is the document's.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		successfully(accessKey, dpsID), issuedWith(`"erro":[]`), `{"erros":[{"codigo":"E0014"}]}`, `[{"Codigo":"E1"}]`,
		`{"eventos":[{"chaveAcesso":"` + accessKey + `","tipoEvento":101101,"arquivoXml":"x"}]}`,
		`{"eventoXmlGZipB64":"` + packed(eventOf(accessKey, "101101")) + `"}`, "\ufeff{}", "<html>", "",
	} {
		for _, status := range []int{200, 201, 400, 403, 404, 500} {
			f.Add(status, body)
		}
	}
	client := newClient(f)
	issued, cancelled := document{client: client, request: issuing}, client.eventOf(cancelling)
	f.Fuzz(func(t *testing.T, status int, body string) {
		reply := answered(status, body)
		for _, answer := range []fiscal.Answer{
			interpretSent(reply, issued), interpretAsked(reply, issued),
			interpretHead(answered(status, ""), answered(403, body)),
		} {
			checkAnswer(t, answer)
			switch answer.Outcome {
			case accepted:
				if answer.Document == nil || !issued.fits(answer.Document.AccessKey) {
					t.Errorf("issued: %+v", answer.Document)
				}
				checkAnswer(t, issued.readFetched(reply, accessKey))
			case notFound:
				if status != 404 {
					t.Errorf("not found by a %d", status)
				}
			}
		}
		for _, answer := range []fiscal.Answer{interpretSent(reply, cancelled), interpretAsked(reply, cancelled)} {
			checkAnswer(t, answer)
			names := strings.Contains(body, "ivo") || strings.Contains(strings.ToLower(body), "evento")
			if answer.Outcome == accepted &&
				(answer.EventXML == nil && (status < 200 || status > 299) || !names || answer.Match != fiscal.MatchOurs) {
				t.Errorf("cancelled by %d %q", status, body)
			}
		}
	})
}

func checkAnswer(t *testing.T, answer fiscal.Answer) {
	t.Helper()
	switch answer.Outcome {
	case accepted, notFound:
	case rejected:
		rejection := answer.Rejection
		if rejection == nil || rejection.Code == "" || !utf8.ValidString(rejection.Message) ||
			strings.ContainsRune(rejection.Message, 0) {
			t.Errorf("rejected: %+v", rejection)
		}
	case unknown, notDelivered:
		if answer.Reason.None() || answer.Document != nil || answer.EventXML != nil {
			t.Errorf("%+v", answer)
		}
	default:
		t.Errorf("the outcome is %q", answer.Outcome)
	}
}

// Anything packed in an answer comes out as a document within the bounds, the same whenever it is packed again.
func FuzzUnpack(f *testing.F) {
	once := packed(nfseOf(accessKey, dpsID))
	for _, text := range []string{once, base64.StdEncoding.EncodeToString([]byte(once)), once[:len(once)/2], "", "H4sI",
		packed(strings.Repeat("a", 2<<20))} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		document, err := unpack(text)
		if err != nil || len(document) == 0 {
			return
		}
		if again, err := unpack(packed(string(document))); err != nil || !bytes.Equal(again, document) ||
			len(document) > maxDocument {
			t.Errorf("%d bytes, %v", len(document), err)
		}
	})
}

// Any document is read whole or not at all.
func FuzzDocument(f *testing.F) {
	f.Add([]byte(nfseOf(accessKey, dpsID)))
	f.Add([]byte(eventOf(accessKey, "101101")))
	f.Fuzz(func(t *testing.T, document []byte) {
		if facts, err := readNFSe(document); err == nil && (facts.number == "" || facts.processedAt.IsZero()) {
			t.Errorf("%+v", facts)
		}
		if facts, err := readEvent(document); err != nil && facts != (eventFacts{}) {
			t.Errorf("%+v, %v", facts, err)
		}
	})
}
