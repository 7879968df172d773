package adn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/rules"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	// fullBatch is how many entries a batch has when more may follow.
	fullBatch = 50
	// maxEntries is how many are read of one batch: no batch of the ADN has more than 50.
	maxEntries = 100
	// lastPosition is the highest NSU: fifteen digits.
	lastPosition = 999_999_999_999_999
	// maxRaw are the bytes that are kept of what could not be read.
	maxRaw = 256 << 10
)

// The results that a batch names (StatusProcessamento).
const (
	located    = "DOCUMENTOS_LOCALIZADOS"
	notLocated = "NENHUM_DOCUMENTO_LOCALIZADO"
)

// reader reads the answer to a question about an issuer.
type reader struct {
	verifier   verifier
	issuer     nfse.TaxID
	production bool
	after      int64 // the position asked for
}

// answer is the body of a batch. Its members may be null or of another kind, one thing may stand for a list
// of it, and of a member that occurs twice the last counts.
type answer struct {
	Result      word            `json:"StatusProcessamento"`
	Entries     json.RawMessage `json:"LoteDFe"`
	Errors      errorList       `json:"Erros"`
	Environment word            `json:"TipoAmbiente"`
}

type answerError struct {
	Code word `json:"Codigo"`
}

// batch reads an answer. Only the ADN's own words count: a refusal, an empty answer
// or the page of a proxy say nothing of what follows.
func (r reader) batch(reply mtls.Reply) fiscal.Batch {
	failed := func(reason fact.Fact) fiscal.Batch {
		return fiscal.Batch{Outcome: fiscal.BatchFailed, Reason: reason, RetryAfter: reply.RetryAfter,
			ShutOut: reply.ShutOut()}
	}
	switch {
	case !reply.Reason.None():
		return failed(reply.Reason)
	case reply.Status == http.StatusTooManyRequests:
		batch := failed(fact.ADNAsksForPause.Fact())
		batch.Outcome = fiscal.BatchThrottled
		return batch
	}
	var said answer
	if err := json.Unmarshal(bytes.TrimPrefix(reply.Body, []byte("\ufeff")), &said); err != nil {
		if reply.ShutOut() {
			return failed(reply.ShutOutReason())
		}
		return failed(fact.ADNAnsweredNoBatch.With("status", reply.Status))
	}
	if r.otherEnvironment(said) {
		batch := failed(fact.ADNOtherEnvironment.Fact())
		batch.Alarm = true
		return batch
	}
	entries, isList := readEntries(said.Entries)
	switch result := string(said.Result); {
	case !isList:
		return failed(fact.ADNAnsweredNoBatch.With("status", reply.Status))
	case result == notLocated && (reply.Status == http.StatusNotFound || reply.Status == http.StatusOK) &&
		len(entries) == 0:
		return fiscal.Batch{Outcome: fiscal.BatchCaughtUp}
	case result != located || reply.Status != http.StatusOK:
		return failed(said.failure(reply.Status))
	case len(entries) == 0:
		return failed(fact.ADNEmptyBatch.Fact())
	case len(entries) > maxEntries:
		return failed(fact.ADNTooManyDocuments.With("count", len(entries)))
	}
	items, last := r.entries(entries)
	switch {
	case len(items) == 0:
		return failed(fact.ADNNothingFollows.Fact())
	case last == r.after: // the same would be answered again at once
		return fiscal.Batch{Outcome: fiscal.BatchRead, Items: items, Reason: fact.ADNNothingFollows.Fact()}
	}
	return fiscal.Batch{Outcome: fiscal.BatchRead, Items: items, Full: len(entries) >= fullBatch}
}

// otherEnvironment reports whether the answer is of the environment that was not asked. Another word, which
// nobody knows, says nothing: the documents say themselves where they are from.
func (r reader) otherEnvironment(said answer) bool {
	other := []word{"PRODUCAO", "1"}
	if r.production {
		other = []word{"HOMOLOGACAO", "2"}
	}
	return slices.Contains(other, word(strings.ToUpper(string(said.Environment))))
}

// failure is what an answer without a batch says: the code of its first error, where it has
// one.
func (a answer) failure(status int) fact.Fact {
	for _, one := range a.Errors {
		if code := string(one.Code); rules.IsCode(code) {
			return fact.ADNAnsweredCode.With("status", status, "code", code)
		}
	}
	return fact.ADNAnswered.With("status", status)
}

// entry is one document of a batch. Of its labels only the access key counts, where
// the document itself cannot be read.
type entry struct {
	Position  json.RawMessage `json:"NSU"`
	AccessKey word            `json:"ChaveAcesso"`
	Kind      word            `json:"TipoDocumento"`
	EventKind word            `json:"TipoEvento"`
	Packed    word            `json:"ArquivoXml"`
}

// entries reads the entries of a batch in order, without those that are known. One without a position of
// its own (0 was recorded as NSU) counts as any other, at the position of the batch's last.
func (r reader) entries(all []json.RawMessage) (items []fiscal.Distributed, last int64) {
	items = make([]fiscal.Distributed, 0, len(all))
	var astray []fiscal.Distributed
	last = r.after
	for _, raw := range all {
		var one entry
		if json.Unmarshal(raw, &one) != nil {
			one = entry{}
		}
		item := r.read(one, raw)
		if item.Position = position(one.Position); item.Position == 0 {
			astray = append(astray, item)
		} else if item.Position > r.after {
			items, last = append(items, item), max(last, item.Position)
		}
	}
	for _, item := range astray {
		item.Position = last
		items = append(items, item)
	}
	slices.SortStableFunc(items, func(x, y fiscal.Distributed) int { return cmp.Compare(x.Position, y.Position) })
	return items, last
}

// position reads an NSU: a number, or a text of digits; 0 where it is neither.
func position(raw json.RawMessage) int64 {
	digits := strings.Trim(string(raw), `"`)
	if len(digits) > 15 || strings.TrimLeft(digits, "0123456789") != "" {
		return 0
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > lastPosition {
		return 0
	}
	return n
}

// word is a text or a number; anything else is none.
type word string

// UnmarshalJSON never fails.
func (w *word) UnmarshalJSON(value []byte) error {
	var text string
	var number json.Number
	switch {
	case json.Unmarshal(value, &text) == nil:
		*w = word(strings.TrimSpace(text))
	case json.Unmarshal(value, &number) == nil:
		*w = word(number)
	default:
		*w = ""
	}
	return nil
}

// readEntries reads a list, or the one entry in the place of one; isList is false for anything else but nothing.
func readEntries(value json.RawMessage) (entries []json.RawMessage, isList bool) {
	if bytes.HasPrefix(value, []byte("{")) {
		return []json.RawMessage{value}, true
	}
	return entries, len(value) == 0 || json.Unmarshal(value, &entries) == nil
}

// errorList is a list of errors, or the one in the place of one; anything else is none.
type errorList []answerError

// UnmarshalJSON never fails.
func (l *errorList) UnmarshalJSON(value []byte) error {
	entries, _ := readEntries(value)
	for _, one := range entries {
		var read answerError
		if json.Unmarshal(one, &read) == nil {
			*l = append(*l, read)
		}
	}
	return nil
}
