package nfse

import "reflect"

// NoteDetails are what a person gave for one note in the form, beyond what the API can say.
// It is kept with the note and never changes; it goes before what is set for service and
// customer.
type NoteDetails struct {
	UnconditionalDiscountCents int64 `json:"unconditional_discount_cents,omitempty"` // vDescIncond
	ConditionalDiscountCents   int64 `json:"conditional_discount_cents,omitempty"`   // vDescCond

	Deduction    *Deduction     `json:"deduction,omitempty"` // from the base of the ISS
	Withholding  *Withholding   `json:"withholding,omitempty"`
	ISS          *ISSTreatment  `json:"iss,omitempty"`
	Abroad       *Abroad        `json:"abroad,omitempty"`
	Work         *Work          `json:"work,omitempty"`
	Event        *CulturalEvent `json:"event,omitempty"`
	ForeignTaker *ForeignParty  `json:"foreign_taker,omitempty"` // in place of the customer's tax id and address
	Intermediary *Intermediary  `json:"intermediary,omitempty"`
	Replaces     *Replaced      `json:"replaces,omitempty"` // the note that this one replaces (group subst)
}

// None reports whether the form gave nothing beside what the API has.
func (d NoteDetails) None() bool { return reflect.ValueOf(d).IsZero() }

// Deduction is what is taken from the base of the ISS (group vDedRed): one of its parts.
type Deduction struct {
	Percent   Percent             `json:"percent,omitempty"` // of the price (pDR)
	Cents     int64               `json:"cents,omitempty"`   // vDR
	Documents []DeductionDocument `json:"documents,omitempty"`
}

// None reports whether nothing is deducted.
func (d Deduction) None() bool { return d.Percent == 0 && d.Cents == 0 && d.Documents == nil }

// DeductionDocument is a document by which something is deducted (group docDedRed). One of the
// ways to name it is given.
type DeductionDocument struct {
	NFSe        string `json:"nfse,omitempty"`         // access key, 50 digits (chNFSe)
	NFe         string `json:"nfe,omitempty"`          // access key, 44 digits (chNFe)
	FiscalOther string `json:"fiscal_other,omitempty"` // another fiscal document (nDocFisc)
	Other       string `json:"other,omitempty"`        // any other document (nDoc)

	Kind            int    `json:"kind"`                  // 1 to 9, or 99 (tpDedRed)
	Description     string `json:"description,omitempty"` // of kind 99 (xDescOutDed)
	Issued          Day    `json:"issued"`                // dtEmiDoc
	DeductibleCents int64  `json:"deductible_cents"`      // vDedutivelRedutivel
	UsedCents       int64  `json:"used_cents"`            // of it, in this note (vDeducaoReducao)
	Supplier        *Party `json:"supplier,omitempty"`    // who issued it; not with NFSe or NFe (fornec)
}

// ForeignParty is a taker or intermediary without a Brazilian tax id.
type ForeignParty struct {
	NIF   string `json:"nif,omitempty"`    // its tax number in its country, up to 40 characters
	NoNIF int    `json:"no_nif,omitempty"` // why it has none: 1 dispensed of it, 2 its country has none (cNaoNIF)
	Name  string `json:"name"`

	Country string `json:"country"` // 2 letters (cPais)
	ForeignPlace
	Street     string `json:"street"`
	Number     string `json:"number"`
	Complement string `json:"complement,omitempty"`
	District   string `json:"district"`
}

// ForeignPlace is the part of an address that is otherwise in another country (group endExt).
type ForeignPlace struct {
	PostalCode string `json:"postal_code"` // cEndPost
	City       string `json:"city"`        // xCidade
	Region     string `json:"region"`      // state, province or region (xEstProvReg)
}

// Party is somebody beside provider and taker: an intermediary, or the supplier of what is
// deducted.
type Party struct {
	TaxID   TaxID         `json:"tax_id,omitempty"`
	Foreign *ForeignParty `json:"foreign,omitempty"` // where it has no tax id
	Name    string        `json:"name"`
	Address *PartyAddress `json:"address,omitempty"` // in Brazil
}

// Intermediary brought provider and taker together (group interm).
type Intermediary struct {
	Party
	WithholdsISS bool `json:"withholds_iss,omitempty"` // it withholds the ISS, not the taker (tpRetISSQN 3)
}

// PartyAddress is an address in Brazil with its municipality (group end, endNac).
type PartyAddress struct {
	PropertyAddress
	MunicipalityCode string `json:"municipality_code"`
}

// Replaced is the note that another one replaces.
type Replaced struct {
	NoteID     string `json:"note_id"`
	AccessKey  string `json:"access_key"`  // chSubstda
	ReasonCode string `json:"reason_code"` // 01 to 05, or 99 (cMotivo)
	ReasonText string `json:"reason_text"` // of 99 at least, 15 to 255 characters (xMotivo)

	// Original is what of the replaced note must stay (E0060, E0061).
	Original ReplacedNote `json:"original"`
}

// ReplacedNote is what of a replaced note must be the same in the one that replaces it.
type ReplacedNote struct {
	Competence       Day    `json:"competence"`
	NationalTaxCode  string `json:"national_tax_code"`
	MunicipalityCode string `json:"municipality_code"` // where the service was rendered; empty: abroad
	Country          string `json:"country,omitempty"` // where it was rendered abroad
	TaxID            TaxID  `json:"tax_id"`            // of the customer; empty: abroad
	NIF              string `json:"nif,omitempty"`     // of a customer abroad who has one
	AmountCents      int64  `json:"amount_cents"`
}
