package cityserver

import (
	"context"

	"emissor/fiscal"
	"emissor/fiscal/national/sefin"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// MaxNumbers implements fiscal.NumberFinder and fiscal.StandingFinder: a question is about one.
func (a *Authority) MaxNumbers() int { return 1 }

// FindNumbers implements fiscal.NumberFinder.
func (a *Authority) FindNumbers(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	numbers []int64) (found fiscal.Numbers) {
	row := a.today()
	issuer = row.issuer(issuer)
	for _, number := range numbers {
		asked, stop := context.WithTimeout(ctx, askTimeout(row.Row))
		answer := row.FindNumber(asked, access, issuer, number)
		stop()
		switch answer.Outcome {
		case fiscal.OutcomeNotFound:
			found.Free = append(found.Free, number)
		case fiscal.OutcomeAccepted:
			found.Used = append(found.Used, number)
		default:
			found.Reason, found.RetryAfter = fact.First(answer.NeedsPerson, answer.Reason), answer.RetryAfter
		}
	}
	return found
}

// FindDocument implements fiscal.DocumentFinder.
func (a *Authority) FindDocument(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	number int64) fiscal.FoundDocument {
	row := a.today()
	asked, stop := context.WithTimeout(ctx, askTimeout(row.Row))
	defer stop()
	return sefin.Found(row.FindNumber(asked, access, row.issuer(issuer), number))
}
