package cityserver

import (
	"context"

	"emissor/fiscal"
	"emissor/fiscal/national/dps"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// MaxNumbers implements fiscal.NumberFinder: a question is about one declaration.
func (a *Authority) MaxNumbers() int { return 1 }

// FindNumbers implements fiscal.NumberFinder.
func (a *Authority) FindNumbers(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	numbers []int64) (found fiscal.Numbers) {
	row := a.today()
	for _, number := range numbers {
		id, err := dps.ID(issuer, number)
		if err != nil {
			return fiscal.Numbers{Reason: fact.OfError(err)}
		}
		asked, stop := context.WithTimeout(ctx, askTimeout(row.Row))
		answer := row.FindNumber(asked, access, id)
		stop()
		switch answer.Outcome {
		case fiscal.OutcomeNotFound:
			found.Free = append(found.Free, number)
		case fiscal.OutcomeAccepted:
			found.Used = append(found.Used, number)
		default:
			found.Reason = answer.Reason
		}
	}
	return found
}
