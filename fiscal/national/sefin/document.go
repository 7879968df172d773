package sefin

import (
	"errors"
	"net/http"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// document is the NFS-e that a DPS becomes.
type document struct {
	client  *Client
	request fiscal.Request
}

func (d document) dpsID() string { return d.request.Message().ID }

func (d document) kind() fiscal.Kind { return fiscal.Issue }

// sending is POST /nfse.
func (d document) sending() (call, string) {
	return call{name: "issue", method: http.MethodPost, path: d.client.options.Dialect.sendPath()}, "dpsXmlGZipB64"
}

// question is GET /dps/{id}.
func (d document) question() call {
	return call{name: "find", method: http.MethodGet, path: d.client.options.Dialect.findPath(d.dpsID())}
}

func (d document) named(_ reply, body body, _ bool) (bool, fact.Fact) {
	key, _ := body.accessKey()
	if packed, _ := body.text("nfseXmlGZipB64"); key == "" && packed != "" {
		return false, fact.SefinNamesNoKey.Fact()
	}
	return key != "", fact.Fact{}
}

func (d document) absent(reply reply, body body) bool { return reply.saysNothingExists(body) }

func (d document) mismatch(body body) fact.Fact {
	id, same := body.text("idDps")
	if !same || id != "" && id != d.dpsID() {
		return fact.SefinAboutAnotherDocument.With("field", "idDps")
	}
	return fact.Fact{}
}

func (d document) read(reply reply, body body, answer fiscal.Answer) fiscal.Answer {
	key, same := body.accessKey()
	mismatch := d.mismatch(body)
	switch {
	case !same:
		return answer.Ambiguous(fact.SefinContradiction.Fact())
	case !mismatch.None():
		return answer.Ambiguous(mismatch)
	case !keyFits(key, d.dpsID()):
		return answer.Ambiguous(fact.SefinKeyOfAnotherIssuer.Fact())
	}
	answer.Outcome = fiscal.OutcomeAccepted
	answer.Alarm = reply.otherEnvironment(body)
	if answer.Alarm.None() && len(body.errors) > 0 {
		answer.Alarm = fact.SefinIssuedWithErrors.With("code", body.errors[0].code)
	}
	answer.Document = &fiscal.IssuedDocument{AccessKey: key, Authorization: nfse.Authorization{AccessKey: &key}}
	return d.readXML(body, answer)
}

// keyFits reports whether an access key can be that of the document made from a
// DPS: both name the municipality and the issuer, one around the digit of the
// system that generated it, the other without.
func keyFits(accessKey, dpsID string) bool {
	return schema.ValidAccessKey(accessKey) && len(dpsID) == 45 && dpsID[:3] == "DPS" &&
		accessKey[:7] == dpsID[3:10] && accessKey[8:23] == dpsID[10:25]
}

// readFetched adds the NFS-e, which was asked for by its access key, to the
// answer that named the key.
func (d document) readFetched(reply reply, answer fiscal.Answer) fiscal.Answer {
	fetched := reply.OfQuestion()
	answer.Status, answer.RetryAfter, answer.Body = fetched.Status, fetched.RetryAfter, fetched.Body
	body := reply.body()
	switch {
	case !reply.Reason.None():
		answer.Reason = fact.SefinDocumentNotFetched.With("why", reply.Reason)
		answer.NeedsPerson = fetched.NeedsPerson
		return answer
	case !reply.Successful():
		answer.Reason = fact.SefinDocumentNotFetched.With("why", reply.unexpected(body))
		return answer
	}
	if key, same := body.accessKey(); !same || key != "" && key != answer.Document.AccessKey {
		return answer.Ambiguous(fact.SefinAboutAnotherDocument.With("field", "chaveAcesso"))
	}
	return d.readXML(body, answer)
}

// readXML adds the NFS-e of an answer to what is known of it. What cannot be read
// stays to be fetched; what is another document makes all of it ambiguous.
func (d document) readXML(body body, answer fiscal.Answer) fiscal.Answer {
	packed, same := body.text("nfseXmlGZipB64")
	if !same {
		return answer.Ambiguous(fact.SefinContradiction.Fact())
	}
	answer.Reason = fact.Fact{}
	xml, facts, err := readPacked(packed, readNFSe)
	if err != nil {
		return unread(answer, fact.SefinDocumentUnread.With("why", fact.OfError(err)), packed, err)
	}
	return d.take(xml, facts, answer)
}

// take adds to an answer an NFS-e that was read.
func (d document) take(xml []byte, facts nfseFacts, answer fiscal.Answer) fiscal.Answer {
	issued := answer.Document
	switch {
	case facts.id != "NFS"+issued.AccessKey:
		return answer.Ambiguous(fact.SefinDocumentAnother.Fact())
	case facts.dpsID != d.dpsID():
		return answer.Ambiguous(fact.SefinDocumentOfAnotherDPS.Fact())
	}
	issued.XML, issued.Digest = xml, facts.digest
	issued.Authorization.Number = &facts.number
	issued.Authorization.IssuedAt = nfse.Timestamp{Time: facts.processedAt}
	issued.Authorization.Totals, issued.ISSRate = facts.totals.OrNil(), facts.issRate
	answer.Alarm = answer.Alarm.And(facts.totalsAlarm)
	answer.Match = fiscal.MatchDocument(d.request, facts.digest, facts.correlationID)
	issued.SignatureProblem = d.client.signatureProblem(xml, facts.id, facts.processedAt,
		d.client.options.DocumentSigners)
	return d.client.signed(answer, issued.SignatureProblem)
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

// signed adds what is wrong with the authority's signature, if anything, to an
// answer that was understood. Where signatures are required nothing is settled by
// it.
func (c *Client) signed(answer fiscal.Answer, problem fact.Fact) fiscal.Answer {
	if c.options.RequireSignature {
		answer.NeedsPerson = problem
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
