package national

import (
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"

	"emissor/fiscal"
	"emissor/nfse"
)

const maxMessage = 4000 // characters of a rejection's message

// unanswered says how a request without a whole answer ended.
func (r reply) unanswered() fiscal.Outcome {
	if r.sent {
		return fiscal.Unknown
	}
	return fiscal.NotDelivered
}

func (r reply) successful() bool { return r.status >= 200 && r.status < 300 }

// turnedAway reports whether the request was refused at the door, unread.
func (r reply) turnedAway() bool {
	return slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}, r.status)
}

// authentic reports whether an answer about nothing, a 404, is plausibly the
// authority's own: JSON with what its answers carry, the problem details of its
// framework, or no body at all. The page of a proxy or the words of a gateway are
// not: they say nothing of what exists.
func (r reply) authentic(body body) bool {
	if len(r.body) == 0 {
		media, _, _ := mime.ParseMediaType(r.contentType)
		return media != "text/html"
	}
	for _, name := range []string{"tipoAmbiente", "versaoAplicativo", "dataHoraProcessamento", "idDps", "chaveAcesso"} {
		if value, _ := body.text(name); value != "" {
			return true
		}
	}
	title, _ := body.text("title")
	if status, _ := body.text("status"); title != "" && status == "404" {
		return true
	}
	return slices.ContainsFunc(body.messages, func(m message) bool { return codeForm.MatchString(m.code) })
}

// kept is what is worth keeping of a body.
func (r reply) kept() []byte { return slices.Clone(r.body[:min(len(r.body), maxKept)]) }

// unexpected is the reason when an answer says nothing that can be believed.
func (r reply) unexpected(body body) string {
	switch {
	case len(body.messages) > 0 && body.messages[0].code != "":
		return fmt.Sprintf("the authority answered %d (%s)", r.status, body.messages[0].code)
	case r.status >= 300 && r.status < 400:
		return fmt.Sprintf("the authority answered %d, which points elsewhere", r.status)
	case body.read:
		return fmt.Sprintf("the authority answered %d, in words that say neither yes nor no", r.status)
	case len(r.body) == 0:
		return fmt.Sprintf("the authority answered %d without words", r.status)
	}
	return fmt.Sprintf("the authority answered %d, and not in JSON", r.status)
}

// otherEnvironment says so when the answer is from another environment than
// the one asked.
func (r reply) otherEnvironment(body body) string {
	environment, _ := body.text("tipoAmbiente")
	if r.production && environment == "2" || !r.production && environment == "1" {
		return "the answer is from the other environment (tipoAmbiente " + environment + ")"
	}
	return ""
}

// codeForm is that of the authority's codes: E0014, RNG6110.
var codeForm = regexp.MustCompile(`^[A-Z]{1,4}[0-9]{3,5}$`)

// refusals are the messages by which the authority says no. On a bad request
// any structured message is one. On other answers, which a gateway or a fault
// can give as well, only one with a code of the authority's.
func (r reply) refusals(body body) []message {
	badRequest := r.status == http.StatusBadRequest || r.status == http.StatusUnprocessableEntity
	var refusals []message
	for _, one := range body.messages {
		switch {
		case codeForm.MatchString(one.code):
			refusals = append(refusals, one)
		case badRequest:
			if one.code == "" {
				one.code = fmt.Sprintf("HTTP%d", r.status)
			}
			refusals = append(refusals, one)
		}
	}
	return refusals
}

// precedence orders the treatments when an answer asks for several: whatever
// exists already decides, then what passes by itself, then what we can mend.
var precedence = []fiscal.Treatment{fiscal.Collision, fiscal.Barred, fiscal.TryLater, fiscal.Certificate, fiscal.RenderAgain}

// decisive picks the message that decides what happens next.
func decisive(refusals []message) (message, fiscal.Treatment) {
	for _, wanted := range precedence {
		for _, one := range refusals {
			if treatment(one.code, one.complement) == wanted {
				return one, wanted
			}
		}
	}
	return refusals[0], treatment(refusals[0].code, refusals[0].complement)
}

// wordsOf joins what the authority said, with the codes when they are several.
func wordsOf(refusals []message) string {
	if len(refusals) == 1 {
		return cut(refusals[0].words(), maxMessage)
	}
	var said []string
	for _, one := range refusals {
		said = append(said, joinDistinct(": ", one.code, one.words()))
	}
	return cut(joinDistinct("; ", said...), maxMessage)
}

// isFault is true of the codes by which the system says that it failed, not
// that it said no (RNG9999).
func isFault(code string) bool { return code == "RNG9999" }

// rejection is the answer of messages that say no. A no that comes with a fault,
// or with a status that is none of a refusal, may follow something that was
// done: it is asked about before it is believed.
func (r reply) rejection(refusals []message) (*nfse.Rejection, fiscal.Treatment) {
	one, treatment := decisive(refusals)
	if odd := r.successful() || r.status >= 500 || isFault(one.code); odd && treatment == fiscal.Final {
		treatment = fiscal.Barred
	}
	explanation, action, field := explain(one.code)
	return &nfse.Rejection{
		Source: nfse.RejectedByAuthority, Code: one.code, Message: wordsOf(refusals),
		Field: field, Explanation: explanation, Action: action,
	}, treatment
}

// matches reports whether an access key can be that of the document made from a
// DPS: both name the municipality and the issuer, one around the digit of the
// system that generated it, the other without.
func matches(accessKey, documentID string) bool {
	return validAccessKey(accessKey) && len(documentID) == 45 && documentID[:3] == "DPS" &&
		accessKey[:7] == documentID[3:10] && accessKey[8:23] == documentID[10:25]
}
