package fiscal

import (
	"cmp"

	"emissor/nfse"
)

// For what a note has beyond the API, the form decides before what is set for its service. A group that the form
// gives empty is none, regardless of what is set.

// ISS returns how the ISS is not simply due; of no kind where it is.
func (d Declaration) ISS() nfse.ISSTreatment {
	switch service := d.Taxation.Service; {
	case d.Details.ISS != nil:
		return *d.Details.ISS
	case service != nil && service.ISS != nil:
		return *service.ISS
	}
	return nfse.ISSTreatment{}
}

// Deduction returns what is taken from the base of the ISS.
func (d Declaration) Deduction() nfse.Deduction {
	switch service := d.Taxation.Service; {
	case d.Details.Deduction != nil:
		return *d.Details.Deduction
	case service != nil:
		return nfse.Deduction{Percent: service.Deduction}
	}
	return nfse.Deduction{}
}

// Abroad returns what the service has to do with another country.
func (d Declaration) Abroad() nfse.Abroad {
	switch service := d.Taxation.Service; {
	case d.Details.Abroad != nil:
		return *d.Details.Abroad
	case service != nil && service.Abroad != nil:
		return *service.Abroad
	}
	return nfse.Abroad{}
}

// WorkID is the work that is set for the customer or else the service; empty where none is.
func (d Declaration) WorkID() string {
	id := ""
	if d.Taxation.Service != nil {
		id = d.Taxation.Service.WorkID
	}
	if d.Taxation.Customer != nil {
		id = cmp.Or(d.Taxation.Customer.WorkID, id)
	}
	return id
}

// EventID is the event that is set for the service; empty where none is.
func (d Declaration) EventID() string {
	if d.Taxation.Service == nil {
		return ""
	}
	return d.Taxation.Service.EventID
}

// Withholder is who withholds the ISS of a note and pays it to the city.
type Withholder int

// The withholders, with the numbers of the national layout (tpRetISSQN).
const (
	WithheldByNobody       Withholder = 1
	WithheldByTaker        Withholder = 2
	WithheldByIntermediary Withholder = 3
)

// ISSWithheldBy returns who withholds the ISS: an intermediary does in place of the taker.
func (d Declaration) ISSWithheldBy() Withholder {
	switch {
	case d.Details.Intermediary != nil && d.Details.Intermediary.WithholdsISS:
		return WithheldByIntermediary
	case d.Note.ISSWithheld:
		return WithheldByTaker
	}
	return WithheldByNobody
}

// MunicipalCode returns the code of the service in the table of the city that issues by a server
// of its own; empty where none is set.
func (d Declaration) MunicipalCode() string {
	if service := d.Taxation.Service; service != nil {
		return service.MunicipalCode
	}
	return ""
}
