package nfews

import (
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rules"
	"emissor/internal/text"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const maxWords = 4000 // characters of a rejection's message

// rejected is what errors amount to. A no that comes with the status of a server's
// error, or beside a code that is not known, may follow something that was done: it
// needs confirmation.
func rejected(answer fiscal.Answer, kind fiscal.Kind, r reply, errors []event) fiscal.Answer {
	unsure := !r.Successful() ||
		slices.ContainsFunc(errors, func(e event) bool { return !rules.Known(e.Code) })
	decisive, handling := fiscal.Decisive(errors, func(e event) fiscal.Handling {
		return rules.Handling(kind, e.Code)
	})
	if handling == fiscal.Final && unsure {
		handling = fiscal.NeedsConfirmation
	}
	answer.Outcome, answer.Reason, answer.Handling = fiscal.OutcomeRejected, fact.Fact{}, handling
	answer.Unconfirmed = handling == fiscal.NeedsPerson && unsure
	answer.Rejection = rules.Catalogue.Rejection(kind, codeOf(decisive), wordsOf(errors))
	return answer
}

func codeOf(e event) string {
	if e.Code == "" {
		return "sem_codigo"
	}
	return e.Code
}

// wordsOf joins what the city said, with the codes when they are several.
func wordsOf(errors []event) string {
	if len(errors) == 1 {
		return errors[0].words()
	}
	var said []string
	for _, one := range errors {
		said = append(said, codeOf(one)+": "+one.words())
	}
	return text.Shortened(strings.Join(said, "; "), maxWords)
}

// certificateRefused returns the city's words by which it refuses the certificate; nil
// when it says nothing about it.
func certificateRefused(r reply) *nfse.Rejection {
	answerErrors := slices.DeleteFunc(slices.Clone(r.retorno.Errors), func(e event) bool {
		return rules.Handling(fiscal.Issue, e.Code) != fiscal.CertificateRefused
	})
	if len(answerErrors) == 0 {
		return nil
	}
	return rejected(fiscal.Answer{}, fiscal.Issue, r, answerErrors).Rejection
}

// unclear is the answer to a question that the city does not answer. What it says
// is wrong with our certificate only a person can correct.
func unclear(answer fiscal.Answer, read retorno) fiscal.Answer {
	answer.Reason = fact.CityUnclear.Fact()
	if len(read.Errors) == 0 {
		return answer
	}
	answer.Reason = fact.CityAnsweredCodes.With("codes", codes(read.Errors))
	for _, one := range read.Errors {
		if rules.Handling(fiscal.Issue, one.Code) == fiscal.CertificateRefused {
			answer.NeedsPerson = fact.AddCertificateItTakes.With("why",
				fact.CityRefusesCertificate.With("code", one.Code))
		}
	}
	return answer
}
