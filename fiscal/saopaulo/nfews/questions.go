package nfews

import (
	"context"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rps"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// FindNumbers asks which numbers of an issuer's series are in use, at most
// rps.MaxKeys at once.
func (c *Client) FindNumbers(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	numbers []int64) fiscal.Numbers {
	var keys []rps.Key
	for _, number := range numbers {
		key, err := rps.KeyOf(issuer, number)
		if err != nil {
			return fiscal.Numbers{Reason: fact.OfError(err)}
		}
		keys = append(keys, key)
	}
	question, err := c.signer.SignQuestion(issuer.TaxID, keys, access.Credentials)
	if err != nil {
		return fiscal.Numbers{Reason: fact.QuestionNotSigned.Fact()}
	}
	return interpretNumbers(c.call(ctx, access, findNFe, question), keys)
}

// interpretNumbers reads which of the numbers exist. A number is free where the
// city says so of it, or of all that was asked.
func interpretNumbers(r reply, keys []rps.Key) fiscal.Numbers {
	if r.document == nil {
		answer := r.unanswered()
		return fiscal.Numbers{Reason: fact.First(answer.NeedsPerson, answer.Reason), RetryAfter: answer.RetryAfter}
	}
	if refused := certificateRefused(r); refused != nil {
		return fiscal.Numbers{Reason: unclear(fiscal.Answer{}, r.retorno).Reason, CertificateRefused: refused}
	}
	read, found := r.retorno, fiscal.Numbers{}
	for _, one := range read.Notes {
		if len(one.RPS) != 1 {
			return fiscal.Numbers{Reason: fact.CityOneNoteWrong.With("why", fact.CityNamesNoRPS.Fact())}
		}
		key, ok := one.RPS[0].key()
		if !ok || !slices.Contains(keys, key) {
			return fiscal.Numbers{Reason: fact.CityAboutAnotherRPS.Fact()}
		}
		found.Used = append(found.Used, key.Number)
		if len(one.Key) == 1 {
			if found.Documents == nil {
				found.Documents = map[int64]string{}
			}
			found.Documents[key.Number] = bareNumber(one.Key[0].Number)
		}
	}
	onlyNotFound := !slices.ContainsFunc(read.Errors, func(e event) bool { return e.Code != "1106" })
	if !onlyNotFound {
		found.Reason = unclear(fiscal.Answer{}, read).Reason
		return found
	}
	// Without a note, "not found" is about everything that was asked.
	all := len(read.Notes) == 0 && len(read.Errors) > 0 && read.success() < 0 &&
		!slices.ContainsFunc(read.Errors, func(e event) bool { return len(e.RPS) > 0 })
	for _, key := range keys {
		named := slices.ContainsFunc(read.Errors, func(e event) bool { return e.about(key) })
		switch {
		case slices.Contains(found.Used, key.Number):
		case all || named:
			found.Free = append(found.Free, key.Number)
		default:
			found.Reason = fact.CityNotOfEveryNumber.Fact()
		}
	}
	return found
}

// Test has the city validate an RPS without making a note of it. The outcome is
// accepted, without a document, or as that of a sending.
func (c *Client) Test(ctx context.Context, access fiscal.Access, message fiscal.Message) fiscal.Answer {
	r := c.call(ctx, access, testLot, message.XML)
	if r.document == nil {
		return r.unanswered()
	}
	answer, read := r.answer(), r.retorno
	switch {
	case len(read.Errors) > 0:
		return rejected(answer, fiscal.Issue, r, read.Errors)
	case read.success() > 0:
		answer.Outcome, answer.Reason = fiscal.OutcomeAccepted, fact.Fact{}
		if len(read.Alerts) > 0 {
			answer.Reason = fact.InWords(wordsOf(read.Alerts))
		}
		return answer
	}
	return unclear(answer, read)
}

// Registrations asks under which registrations the city knows an issuer. reason says
// why nothing is known; none when it is, also that there is none.
func (c *Client) Registrations(ctx context.Context, access fiscal.Access, issuer nfse.TaxID) (
	list []fiscal.Registration, reason fact.Fact) {
	question, err := c.signer.SignRegistrationQuestion(issuer, issuer, access.Credentials)
	if err != nil {
		return nil, fact.QuestionNotSigned.Fact()
	}
	r := c.call(ctx, access, findCNPJ, question)
	switch read := r.retorno; {
	case r.document == nil:
		return nil, r.unanswered().Reason
	case len(read.Details) == 0 && read.alert("1405") != nil:
		return nil, fact.Fact{}
	case len(read.Errors) > 0 || read.success() <= 0:
		return nil, unclear(fiscal.Answer{}, read).Reason
	}
	for _, detail := range r.retorno.Details {
		number, _ := once(detail.Registration)
		issues, _ := once(detail.Issues)
		list = append(list, fiscal.Registration{
			Number: bareNumber(number), Issues: strings.EqualFold(issues, "true") || issues == "1",
		})
	}
	return list, fact.Fact{}
}
