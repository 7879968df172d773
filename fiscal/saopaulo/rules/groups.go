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

// siteHold says that a service refers to a work or an event that is closed: its note waits until
// another one is named.
func siteHold(declaration fiscal.Declaration) fact.Fact {
	service := declaration.Taxation.Service
	switch {
	case service == nil:
	case service.WorkID != "" && WorkOf(declaration) == nil:
		return fact.WorkClosed.With("work", declaration.WorkID())
	case service.EventID != "" && EventOf(declaration) == nil:
		return fact.EventClosed.With("event", service.EventID)
	}
	return fact.Fact{}
}
