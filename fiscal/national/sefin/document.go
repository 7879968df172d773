package sefin

import (
	"errors"
	"net/http"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// document is the NFS-e that a DPS becomes.
type document struct {
	client  *Client
	request fiscal.Request
	anyCity bool // its access key may name another city than the DPS
}

func (d document) dpsID() string { return d.request.Message().ID }

func (d document) paths() Paths { return d.client.options.Dialect.paths() }

func (d document) kind() fiscal.Kind { return fiscal.Issue }

// sending is POST /nfse.
func (d document) sending() (call, string) {
	return call{name: "issue", method: http.MethodPost, path: pathOf(d.paths().Issue, "")}, "dpsXmlGZipB64"
}

// question is GET /dps/{id}.
func (d document) question() call {
	return call{name: "find", method: http.MethodGet, path: pathOf(d.paths().Find, d.dpsID())}
}

func (d document) named(_ reply, body body, _ bool) bool {
	return len(body.keys()) > 0 || len(body.texts(documentMember)) > 0
}

// documentMember has the NFS-e, as base64 of gzip.
const documentMember = "nfseXmlGZipB64"

func (d document) absent(reply reply, body body) bool { return reply.saysNothingExists(body) }

func (d document) mismatch(body body) fact.Fact {
	if member := body.namesAnother(d.dpsID(), ""); member != "" {
		return fact.SefinAboutAnotherDocument.With("field", member)
	}
	return fact.Fact{}
}

// read reads the NFS-e of an answer. Without one that can be read the key that the answer names is where it
// is to be fetched.
func (d document) read(reply reply, body body, answer fiscal.Answer) fiscal.Answer {
	switch packed := body.texts(documentMember); len(packed) {
	case 0:
	case 1:
		read, isRead := d.readPacked(reply, body, answer)
		if answer = read; isRead {
			return answer
		}
	default:
		return answer.Ambiguous(fact.SefinContradiction.Fact())
	}
	keys := body.keys()
	switch {
	case len(keys) == 0:
		return answer
	case len(keys) > 1:
		return answer.Ambiguous(fact.SefinContradiction.Fact())
	case body.namesAnother(d.dpsID(), keys[0]) != "":
		return answer.Ambiguous(fact.SefinAboutAnotherDocument.With("field", body.namesAnother(d.dpsID(), keys[0])))
	case !d.fits(keys[0]):
		return answer.Ambiguous(fact.SefinKeyOfAnotherIssuer.Fact())
	}
	return d.toFetch(keys[0], answer)
}

// toFetch is an answer that names the key of the document, which could not be read.
func (d document) toFetch(key string, answer fiscal.Answer) fiscal.Answer {
	if answer.Reason.None() {
		answer.Reason = fact.SefinDocumentToFetch.Fact()
	}
	answer.Outcome = fiscal.OutcomeAccepted
	answer.Document = &fiscal.IssuedDocument{AccessKey: key, Authorization: nfse.Authorization{AccessKey: &key}}
	return answer
}

// readPacked reads the one NFS-e of an answer; isRead is false where it cannot be read.
func (d document) readPacked(reply reply, body body, answer fiscal.Answer) (read fiscal.Answer, isRead bool) {
	packed := body.text(documentMember)
	xml, facts, err := readPacked(packed, readNFSe)
	if err != nil {
		return unread(answer, fact.SefinDocumentUnread.With("why", fact.OfError(err)), packed, err), false
	}
	if read = d.matchToRequest(xml, facts, answer); read.Match != fiscal.MatchOurs {
		return read, true
	}
	return reply.contradicted(body, read, body.namesAnother(d.dpsID(), read.Document.AccessKey)), true
}

// readFetched reads the NFS-e that was asked for by an access key. Only the document itself counts: what
// named the key may have meant another one.
func (d document) readFetched(reply reply, key string) fiscal.Answer {
	answer, body := reply.OfQuestion(), reply.body()
	switch packed := body.texts(documentMember); {
	case !reply.Reason.None():
		answer.Reason = fact.SefinDocumentNotFetched.With("why", reply.Reason)
		return answer
	case len(packed) == 0 && reply.shutsOut(body):
		return mtls.RefusesCertificate(answer, reply.ShutOutReason())
	case len(packed) == 0:
		answer.Reason = fact.SefinDocumentNotFetched.With("why", reply.unexpected(body))
		return answer
	case len(packed) > 1:
		return answer.Ambiguous(fact.SefinContradiction.Fact())
	}
	read, _ := d.readPacked(reply, body, answer)
	if read.Document != nil && read.Document.AccessKey != key {
		return answer.Ambiguous(fact.SefinDocumentAnother.Fact())
	}
	return read
}

// unread is an answer whose document or event cannot be read: not now, or, where it
// is beyond what is read of any, not at all.
func unread(answer fiscal.Answer, reason fact.Fact, packed string, err error) fiscal.Answer {
	answer.Reason, answer.Unreadable = reason, packed != ""
	if errors.Is(err, xmlread.ErrExceeded) {
		answer.NeedsPerson = answer.Reason
	}
	return answer
}

// signed adds what is wrong with the authority's signature, if anything, to an answer that was understood.
// Where signatures are required nothing is settled by it. Elsewhere a signature of somebody who is not
// known is a warning on record: the certificates of hosts last months, and the document proves itself.
func (c *Client) signed(answer fiscal.Answer, problem fact.Fact) fiscal.Answer {
	switch {
	case c.options.RequireSignature:
		answer.NeedsPerson = problem
	case problem.Is(fact.SignatureOfNoSigner), problem.Is(fact.SignatureNotTrusted):
		answer.Reason = answer.Reason.And(problem)
		return withAlarm(answer, fact.Fact{})
	}
	return withAlarm(answer, problem)
}

// withAlarm adds an alarm, if any, to an answer that was understood; its body is
// kept only where a person has to look.
func withAlarm(answer fiscal.Answer, alarm fact.Fact) fiscal.Answer {
	answer.Alarm = answer.Alarm.And(alarm)
	if answer.Alarm.None() {
		answer.Body = nil
	}
	return answer
}
