package fiscal

import (
	"context"

	"emissor/nfse"
)

// DocumentFinder is an Authority that shows the document under a number of a series, no matter which program had it
// issued. By it a database that was restored, and lacks what was committed last, learns what was issued since.
type DocumentFinder interface {
	Authority
	// FindDocument asks about one number of an issuer's series: OutcomeAccepted, OutcomeNotFound or
	// OutcomeUnknown.
	FindDocument(ctx context.Context, access Access, issuer nfse.FiscalProfile, number int64) FoundDocument
}

// FoundDocument is what an authority has under a number. Where the outcome is OutcomeAccepted and
// Read is false, the document exists and could not be read.
type FoundDocument struct {
	Answer
	Read          bool
	CorrelationID string  // of the note, see CorrelationID; empty where the document names none
	Message       Message // the declaration that it embeds, as it was signed, without a certificate
	Taker         string  // name
	TakerTaxID    string  // CNPJ or CPF; empty where it has none
	AmountCents   int64   // of the service
	Competence    nfse.Day
}
