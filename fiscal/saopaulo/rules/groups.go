package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// WorkOf returns the construction work that an RPS names (CodigoCEI): the one of the form, or
// where the service is for works, the one that is set for customer or service. nil is none.
func WorkOf(declaration fiscal.Declaration) *nfse.Work {
	if work := taxation.WorkOf(declaration); work != nil {
		return work
	}
	if service := declaration.Taxation.Service; service != nil && service.WorkID != "" {
		return declaration.Taxation.Work
	}
	return nil
}

// EventOf returns the event that an RPS names (atvEvento): the one of the form, or of the service.
// nil is none.
func EventOf(declaration fiscal.Declaration) *nfse.CulturalEvent {
	if declaration.Details.Event != nil {
		return declaration.Details.Event
	}
	return declaration.Taxation.Event
}

// siteHold says that the work or the event that is set for a note is closed: it waits until another
// one is named. A customer's work counts where WorkOf takes it.
func siteHold(declaration fiscal.Declaration) fact.Fact {
	code, service := declaration.Note.Service.NationalTaxCode, declaration.Taxation.Service
	forWorks := code != nil && taxation.NeedsWorks(*code) || service != nil && service.WorkID != ""
	switch {
	case forWorks && declaration.WorkID() != "" && WorkOf(declaration) == nil:
		return fact.WorkClosed.With("work", declaration.WorkID())
	case declaration.EventID() != "" && EventOf(declaration) == nil:
		return fact.EventClosed.With("event", declaration.EventID())
	}
	return fact.Fact{}
}
