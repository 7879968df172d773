package adn

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/sefin"
	"emissor/internal/text"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// item reads one entry by what it holds, regardless of its labels.
func (r reader) item(one entry, raw json.RawMessage) fiscal.Distributed {
	item := fiscal.Distributed{Title: fact.InWords(line(string(one.Kind)+" "+string(one.EventKind), maxLabel))}
	if item.Title.None() {
		item.Title = fact.ExternalEntry.Fact()
	}
	if key := string(one.AccessKey); schema.AccessKeyForm(key) {
		item.AccessKey, item.Foreign = key, r.foreign(key)
	}
	if packed := string(one.Packed); packed != "" {
		raw = []byte(packed) // what the same document holds under any position
	}
	content, err := sefin.Unpack(string(one.Packed))
	if err != nil {
		return unread(item, raw, fact.OfError(err))
	}
	item.Content = content
	event, problem := readEvent(content)
	if problem.None() {
		return r.event(item, event)
	}
	document, err := sefin.ReadDocument(content)
	if err == nil {
		return r.document(item, document)
	}
	if string(one.Kind) != "EVENTO" {
		problem = fact.OfError(err)
	}
	return unread(item, raw, problem)
}

// unread is an entry that cannot be read. It is kept as it came.
func unread(item fiscal.Distributed, raw []byte, why fact.Fact) fiscal.Distributed {
	item.Content = raw[:min(len(raw), maxRaw)]
	item.Event, item.Document, item.Received = nil, nil, nil
	item.Problem = fact.ExternalUnread.With("why", why)
	return item
}

func (r reader) event(item fiscal.Distributed, read eventFacts) fiscal.Distributed {
	item.AccessKey, item.Foreign = read.accessKey, r.foreign(read.accessKey)
	kind, known := kinds[read.kind]
	if known {
		item.Title = kind.title.Fact()
	} else {
		item.Title = fact.ExternalOther.With("type", read.kind, "label", item.Title)
	}
	event := &fiscal.ExternalEvent{
		Type: read.kind, Sequence: read.sequence, Known: known, Effect: kind.effectOf(read),
		HappenedAt: read.happenedAt, Digest: read.digest, ReasonText: line(read.reasonText, maxReason),
	}
	if event.Effect == fiscal.EffectReplaces {
		event.Replacement = read.replacement
	}
	if read.kind == cancelled && reasonCodes[read.reasonCode] {
		event.ReasonCode = read.reasonCode
	}
	item.Event = event
	item.Problem = r.verifier.EventSignatureProblem(item.Content, read.id, read.registeredAt)
	if read.production != r.production {
		item.Problem = fact.ExternalOfOtherEnvironment.Fact()
	}
	return item
}

func (r reader) document(item fiscal.Distributed, read sefin.DocumentFacts) fiscal.Distributed {
	item.AccessKey = read.AccessKey
	id := read.MessageID
	if !schema.AccessKeyForm(read.AccessKey) || !messageForm.MatchString(id) {
		if item.Foreign = r.foreign(read.AccessKey); item.Foreign && schema.AccessKeyForm(read.AccessKey) {
			item.Received = r.received(item, read)
		}
		return item // of a city that has issued without a DPS of the national layout: no series of ours
	}
	if item.Foreign = !isTaxID(r.issuer, id[11:25]); item.Foreign {
		item.Received = r.received(item, read)
		return item
	}
	series, _ := strconv.Atoi(id[25:30])
	number, _ := strconv.ParseInt(id[30:], 10, 64)
	item.Document = &fiscal.ExternalDocument{
		MessageID: id, MunicipalityCode: id[3:10], Series: series, Number: number,
		Digest: read.Digest, CorrelationID: line(read.CorrelationID, maxLabel),
		SignatureProblem: checked(func() fact.Fact {
			return r.verifier.DocumentSignatureProblem(item.Content, "NFS"+read.AccessKey, read.ProcessedAt)
		}),
	}
	return item
}

// messageForm is the form of the id of a DPS: municipality 7, kind of tax id 1, tax id 14, series 5, number 15.
var messageForm = regexp.MustCompile(`^DPS[0-9]{7}[12][0-9A-Z]{14}[0-9]{20}$`)

// foreign reports whether the document of an access key was issued by somebody
// else: the asker is its taker or intermediary.
func (r reader) foreign(key string) bool { return len(key) != 50 || !isTaxID(r.issuer, key[9:23]) }

// isTaxID reports whether 14 characters are a tax id, a CPF with zeros before it.
func isTaxID(id nfse.TaxID, padded string) bool {
	return strings.Repeat("0", max(0, 14-len(id)))+string(id) == padded
}

const (
	maxLabel  = 80
	maxReason = 255 // characters of a reason
)

// line is a text of one line, of at most so many characters.
func line(s string, most int) string { return text.Shortened(text.Shown(s), most) }
