package national

import (
	"net/http"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
)

// nextLayout is that of technical note NT 009.
const nextLayout = "nt009"

// readIssue reads the answer to a DPS.
func (c *client) readIssue(reply reply, documentID string) fiscal.Answer {
	answer := fiscal.Answer{Status: reply.status, RetryIn: reply.retryIn, Body: reply.kept()}
	if reply.reason != "" {
		answer.Outcome, answer.Reason = reply.unanswered(), reply.reason
		return answer
	}
	body := parseBody(reply.body)
	refusals := reply.refusals(body)
	packed, _ := body.text("nfseXmlGZipB64")
	switch key, _ := body.text("chaveAcesso"); {
	case key == "" && packed != "":
		return doubtful(answer, "the answer has a document and names no access key")
	case len(refusals) > 0 && (key == "" || !reply.successful()):
		return refused(reply, answer, refusals, key)
	case key != "":
		return c.readKey(reply, body, answer, documentID)
	case reply.turnedAway():
		answer.Outcome, answer.Reason = fiscal.NotDelivered, reply.unexpected(body)
	default:
		answer.Outcome, answer.Reason = fiscal.Unknown, reply.unexpected(body)
	}
	return answer
}

// refused is a structured rejection. One that names an access key all the same
// is believed only where it says that something exists already.
func refused(reply reply, answer fiscal.Answer, refusals []message, key string) fiscal.Answer {
	rejection, treatment := reply.rejection(refusals)
	if key != "" && treatment != fiscal.Collision {
		return doubtful(answer, "the answer both refuses ("+rejection.Code+") and names an access key")
	}
	answer.Outcome, answer.Rejection, answer.Treatment = fiscal.Rejected, rejection, treatment
	if treatment == fiscal.RenderAgain && slices.ContainsFunc(refusals, func(m message) bool { return asksForNextLayout(m.complement) }) {
		answer.Layout = nextLayout
	}
	return answer
}

// readKey reads an answer that names the access key of what a DPS became.
func (c *client) readKey(reply reply, body body, answer fiscal.Answer, documentID string) fiscal.Answer {
	key, oneKey := body.text("chaveAcesso")
	id, oneID := body.text("idDps")
	switch {
	case !oneKey || !oneID:
		return doubtful(answer, "the answer contradicts itself")
	case id != "" && id != documentID:
		return doubtful(answer, "the answer is about another document (idDps)")
	case !matches(key, documentID):
		return doubtful(answer, "the access key in the answer is not one of this issuer")
	}
	answer.Outcome = fiscal.Issued
	answer.Alarm = reply.otherEnvironment(body)
	if answer.Alarm == "" && len(body.messages) > 0 {
		answer.Alarm = "the document was issued, yet the answer has errors (" + body.messages[0].code + ")"
	}
	answer.Document = &fiscal.IssuedDocument{AccessKey: key, Authority: nfse.Authorization{AccessKey: &key}}
	return c.readXMLOf(body, answer, documentID)
}

// readFind reads the answer to the question what a DPS became.
func (c *client) readFind(reply reply, documentID string) fiscal.Answer {
	answer := fiscal.Answer{Outcome: fiscal.Unknown, Status: reply.status, RetryIn: reply.retryIn, Body: reply.kept(), Reason: reply.reason}
	if reply.reason != "" {
		return answer
	}
	body := parseBody(reply.body)
	key, _ := body.text("chaveAcesso")
	switch {
	case reply.successful() && key != "":
		return c.readKey(reply, body, answer, documentID)
	case reply.status == http.StatusNotFound && key == "":
		return readAbsent(reply, body, answer, documentID)
	}
	answer.Reason = reply.unexpected(body)
	return answer
}

// readAbsent reads a 404, which is believed only as the authority's own word
// about this very document in this very environment.
func readAbsent(reply reply, body body, answer fiscal.Answer, documentID string) fiscal.Answer {
	id, oneID := body.text("idDps")
	other := reply.otherEnvironment(body)
	switch {
	case !reply.authentic(body) || !saysAbsent(body):
		answer.Reason = reply.unexpected(body)
		return answer
	case !oneID || id != "" && id != documentID:
		return doubtful(answer, "the answer is about another document (idDps)")
	case other != "":
		return doubtful(answer, other)
	}
	answer.Outcome, answer.Body = fiscal.Absent, nil
	return answer
}

// saysAbsent is false where a 404 carries a code of something else, such as a
// pause for maintenance or a fault.
func saysAbsent(body body) bool {
	for _, one := range body.messages {
		asked := treatment(one.code, one.complement)
		if asked == fiscal.TryLater || asked == fiscal.Certificate || isFault(one.code) {
			return false
		}
	}
	return true
}

// readHead reads whether a document exists that the certificate may not see.
func (c *client) readHead(head, forbidden reply) fiscal.Answer {
	answer := fiscal.Answer{
		Outcome: fiscal.Unknown, Status: forbidden.status, RetryIn: max(forbidden.retryIn, head.retryIn), Body: forbidden.kept(),
		Reason: forbidden.unexpected(parseBody(forbidden.body)),
	}
	switch {
	case head.reason != "":
		return answer
	case head.successful():
		return doubtful(answer, "a document exists, but this certificate may not see it")
	case head.status == http.StatusNotFound && head.authentic(body{}):
		return fiscal.Answer{Outcome: fiscal.Absent, Status: head.status}
	}
	return answer
}

// readDocument adds the NFS-e to an answer that knows its access key.
func (c *client) readDocument(reply reply, answer fiscal.Answer, documentID string) fiscal.Answer {
	answer.Status, answer.RetryIn, answer.Body = reply.status, reply.retryIn, reply.kept()
	body := parseBody(reply.body)
	switch {
	case reply.reason != "":
		answer.Reason = "the document could not be fetched: " + reply.reason
		return answer
	case !reply.successful():
		answer.Reason = "the document could not be fetched: " + reply.unexpected(body)
		return answer
	}
	if key, same := body.text("chaveAcesso"); !same || key != "" && key != answer.Document.AccessKey {
		return doubtful(answer, "the answer is about another document (chaveAcesso)")
	}
	return c.readXMLOf(body, answer, documentID)
}

// readXMLOf adds the NFS-e of an answer to what is known of it. What cannot be
// read stays to be fetched; what is another document makes all of it doubtful.
func (c *client) readXMLOf(body body, answer fiscal.Answer, documentID string) fiscal.Answer {
	packed, same := body.text("nfseXmlGZipB64")
	if !same {
		return doubtful(answer, "the answer contradicts itself")
	}
	answer.Reason = ""
	document, err := unpack(packed)
	if err != nil {
		answer.Reason = "the document in the answer " + err.Error()
		return answer
	}
	facts, err := readIssued(document)
	if err != nil {
		answer.Reason = "the document in the answer " + err.Error()
		return answer
	}
	issued := answer.Document
	switch {
	case facts.id != "NFS"+issued.AccessKey:
		return doubtful(answer, "the document in the answer is another one (infNFSe Id)")
	case facts.dpsID != documentID:
		return doubtful(answer, "the document in the answer was made from another DPS (infDPS Id)")
	}
	issued.ID, issued.Digest, issued.Mark, issued.XML = facts.dpsID, facts.digest, facts.mark, document
	issued.Authority.Number = &facts.number
	issued.Authority.IssuedAt = nfse.Timestamp{Time: facts.processedAt}
	if issued.SignatureProblem = c.signatureProblem(document, facts); issued.SignatureProblem != "" {
		issued.Blocks = c.options.RequireSignature
		answer.Alarm = joinDistinct("; ", answer.Alarm, issued.SignatureProblem)
	}
	if answer.Alarm == "" {
		answer.Body = nil
	}
	return answer
}

// signatureProblem says why the authority's signature is not believed. The
// certificate must have been valid when the document was made.
func (c *client) signatureProblem(document []byte, facts issuedFacts) string {
	if c.options.SignerRoots == nil {
		return ""
	}
	signature, err := xmldsig.Verify(document, c.options.SignerRoots, facts.processedAt)
	switch {
	case err != nil:
		return "the authority's signature is not believed: " + err.Error()
	case signature.ID != facts.id:
		return "the authority's signature is not of the document"
	}
	return ""
}

// doubtful is an answer that cannot be believed: a person should look at it.
func doubtful(answer fiscal.Answer, alarm string) fiscal.Answer {
	answer.Outcome, answer.Reason, answer.Alarm = fiscal.Unknown, alarm, alarm
	answer.Document, answer.Rejection, answer.Treatment, answer.Layout = nil, nil, "", ""
	return answer
}
