package national

import (
	"net/http"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
)

// cancellationEvent is the type of event by which an issuer cancels.
const cancellationEvent = "101101"

// readCancel reads the answer to a request to cancel. Only the event itself
// counts as acceptance.
func (c *client) readCancel(reply reply, accessKey string) fiscal.CancelAnswer {
	answer := fiscal.CancelAnswer{Status: reply.status, RetryIn: reply.retryIn, Body: reply.kept()}
	if reply.reason != "" {
		answer.Outcome, answer.Reason = reply.unanswered(), reply.reason
		return answer
	}
	body := parseBody(reply.body)
	refusals := reply.refusals(body)
	packed, same := body.text("eventoXmlGZipB64")
	switch {
	case !same:
		return doubtfulCancel(answer, "the answer contradicts itself")
	case reply.successful() && packed != "":
		return c.readEventOf(packed, answer, accessKey)
	case len(refusals) > 0:
		rejected, treatment := reply.rejection(refusals)
		answer.Outcome, answer.Treatment = fiscal.Rejected, treatment
		explanation, action := explainRefusal(rejected.Code)
		answer.Refusal = &nfse.Refusal{Code: rejected.Code, Message: rejected.Message, Explanation: explanation, Action: action}
	case reply.turnedAway():
		answer.Outcome, answer.Reason = fiscal.NotDelivered, reply.unexpected(body)
	default:
		answer.Outcome, answer.Reason = fiscal.Unknown, reply.unexpected(body)
	}
	return answer
}

// readFindCancellation reads the answer to the question whether the event
// exists: as documented, or as a list of events, which is what really comes.
func (c *client) readFindCancellation(reply reply, accessKey string) fiscal.CancelAnswer {
	answer := fiscal.CancelAnswer{Outcome: fiscal.Unknown, Status: reply.status, RetryIn: reply.retryIn, Body: reply.kept(), Reason: reply.reason}
	if reply.reason != "" {
		return answer
	}
	body := parseBody(reply.body)
	packed, same := body.text("eventoXmlGZipB64")
	events, listed := body.objects("eventos")
	key, oneKey := body.text("chaveAcesso")
	other := reply.otherEnvironment(body)
	nothing := reply.successful() && listed && len(events) == 0 && packed == "" ||
		reply.status == http.StatusNotFound && reply.authentic(body) && saysAbsent(body)
	switch {
	case !same || !oneKey:
		return doubtfulCancel(answer, "the answer contradicts itself")
	case key != "" && key != accessKey:
		return doubtfulCancel(answer, "the answer is about another document (chaveAcesso)")
	case reply.successful() && packed != "":
		return c.readEventOf(packed, answer, accessKey)
	case reply.successful() && len(events) > 0:
		return c.readEvents(events, answer, accessKey)
	case nothing && other != "":
		return doubtfulCancel(answer, other)
	case nothing:
		answer.Outcome, answer.Body = fiscal.Absent, nil
		return answer
	}
	answer.Reason = reply.unexpected(body)
	return answer
}

// readEvents looks for the cancellation in a list of events. An event whose XML
// cannot be read exists all the same.
func (c *client) readEvents(events []members, answer fiscal.CancelAnswer, accessKey string) fiscal.CancelAnswer {
	for _, event := range events {
		key, oneKey := event.text("chaveAcesso")
		kind, oneKind := event.text("tipoEvento")
		packed, onePacked := event.text("arquivoXml")
		switch {
		case !oneKey || !oneKind || !onePacked:
			return doubtfulCancel(answer, "the answer contradicts itself")
		case key != "" && key != accessKey:
			return doubtfulCancel(answer, "the answer is about another document (chaveAcesso)")
		case kind != "" && strings.TrimPrefix(strings.ToLower(kind), "e") != cancellationEvent:
			continue
		}
		read := c.readEventOf(packed, answer, accessKey)
		if read.Outcome == fiscal.Unknown && read.Alarm == "" && key != "" && kind != "" {
			read.Outcome = fiscal.Cancelled
		}
		return read
	}
	return doubtfulCancel(answer, "the answer is about another event")
}

// readEventOf reads the event in an answer.
func (c *client) readEventOf(packed string, answer fiscal.CancelAnswer, accessKey string) fiscal.CancelAnswer {
	answer.Outcome, answer.Reason = fiscal.Unknown, ""
	document, err := unpack(packed)
	if err != nil {
		answer.Reason = "the event in the answer " + err.Error()
		return answer
	}
	facts, err := readEvent(document)
	switch {
	case err != nil:
		answer.Reason = "the event in the answer " + err.Error()
		return answer
	case facts.accessKey != accessKey || !strings.HasPrefix(facts.id, "EVT"+accessKey+cancellationEvent) || !facts.cancels:
		return doubtfulCancel(answer, "the event in the answer is another one")
	}
	answer.Outcome, answer.XML, answer.Body = fiscal.Cancelled, document, nil
	if c.options.SignerRoots != nil {
		signature, err := xmldsig.Verify(document, c.options.SignerRoots, facts.registeredAt)
		if err != nil {
			answer.Alarm = "the authority's signature is not believed: " + err.Error()
		} else if signature.ID != facts.id {
			answer.Alarm = "the authority's signature is not of the event"
		}
	}
	return answer
}

// doubtfulCancel is an answer that cannot be believed: a person should look at
// it.
func doubtfulCancel(answer fiscal.CancelAnswer, alarm string) fiscal.CancelAnswer {
	answer.Outcome, answer.Reason, answer.Alarm = fiscal.Unknown, alarm, alarm
	answer.XML = nil
	return answer
}
