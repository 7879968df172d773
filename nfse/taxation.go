package nfse

// Taxation is what is set beside the API for a note, as it was when the note was accepted: of
// its service, of its customer, and the work or event that one of them refers to. The API has
// no fields for it. A note that has none of it is taxed by its service's ISS rate and
// classification alone.
type Taxation struct {
	Service  *ServiceTaxation  `json:"service,omitempty"`
	Customer *CustomerTaxation `json:"customer,omitempty"`
	Work     *Work             `json:"work,omitempty"`
	Event    *CulturalEvent    `json:"event,omitempty"`
}

// ServiceTaxation is how a service is taxed beyond its ISS rate and its classification. The
// zero value is a service from which nothing is withheld and whose ISS is due in full.
type ServiceTaxation struct {
	Withholding *Withholding  `json:"withholding,omitempty"` // by company takers; nil is none
	ISS         *ISSTreatment `json:"iss,omitempty"`         // nil: taxed
	Deduction   Percent       `json:"deduction,omitempty"`   // of the price, from the base of the ISS (pDR)
	Abroad      *Abroad       `json:"abroad,omitempty"`      // nil: nothing of it is abroad
	WorkID      string        `json:"work_id,omitempty"`     // where neither customer nor form names one
	EventID     string        `json:"event_id,omitempty"`    // of the register, where the form names none
	// MunicipalCode is the code of the service in the table of the city that issues by a server of
	// its own (cTribMun).
	MunicipalCode string `json:"municipal_code,omitempty"`
}

// CustomerTaxation is what a customer withholds, where it is not what the service says.
type CustomerTaxation struct {
	Withholds   WithholdingRule `json:"withholds,omitempty"`
	Withholding *Withholding    `json:"withholding,omitempty"` // where Withholds is WithholdsItsOwn
	Simples     bool            `json:"simples,omitempty"`     // it is in Simples Nacional: it withholds no CSRF
	WorkID      string          `json:"work_id,omitempty"`     // of the register: the work its notes are usually for
}

// WithholdingRule says by what a customer withholds federal taxes.
type WithholdingRule string

// The rules.
const (
	WithholdsByService WithholdingRule = ""      // what the service says
	WithholdsNothing   WithholdingRule = "never" // as it is exempt of the duty
	WithholdsItsOwn    WithholdingRule = "own"   // a set of its own, as public bodies have
)

// Withholding is the federal taxes that a taker withholds of a price. A rate of 0 is not
// withheld. Which service falls under the law is the company's to say.
type Withholding struct {
	IRRF     Percent `json:"irrf,omitempty"`      // income tax: 1.5 or 1 % (RIR/2018, art. 714, 716)
	PIS      Percent `json:"pis,omitempty"`       // 0.65 % (Lei 10.833, art. 31)
	COFINS   Percent `json:"cofins,omitempty"`    // 3 %
	CSLL     Percent `json:"csll,omitempty"`      // 1 %
	INSS     Percent `json:"inss,omitempty"`      // social security: 11 % (Lei 8.212, art. 31)
	INSSBase Percent `json:"inss_base,omitempty"` // of the price; 0 is all of it
}

// OwnContributions are PIS and COFINS that the issuer owes on a note itself, and declares there
// (vPis, vCofins). They are not withheld.
type OwnContributions struct {
	CST    string  `json:"cst"` // 2 digits
	PIS    Percent `json:"pis"`
	COFINS Percent `json:"cofins"`
}

// ISSKind is how the ISS of a service is not simply due.
type ISSKind string

// The kinds.
const (
	ISSImmune    ISSKind = "immune"    // tribISSQN 2
	ISSNotTaxed  ISSKind = "not_taxed" // tribISSQN 4
	ISSSuspended ISSKind = "suspended" // exigSusp
	ISSBenefit   ISSKind = "benefit"   // BM: a benefit that the city grants
)

// ISSTreatment is why the ISS of a service is not due, or not in full.
type ISSTreatment struct {
	Kind ISSKind `json:"kind"`

	Immunity int `json:"immunity,omitempty"` // of ISSImmune: 1 to 5 (tpImunidade)

	Suspension int    `json:"suspension,omitempty"` // of ISSSuspended: 1 by a court, 2 by the administration (tpSusp)
	Process    string `json:"process,omitempty"`    // its process, 30 digits (nProcesso)

	Benefit        string  `json:"benefit,omitempty"`         // of ISSBenefit: its number, 14 digits (nBM)
	BenefitPercent Percent `json:"benefit_percent,omitempty"` // of the base (pRedBCBM); neither: an exemption or a rate
	BenefitCents   int64   `json:"benefit_cents,omitempty"`   // of the base (vRedBCBM)
}

// Abroad is what a service has to do with another country (group comExt, cPaisPrestacao,
// cPaisResult).
type Abroad struct {
	Export        bool   `json:"export,omitempty"`         // not taxed here (tribISSQN 3); else taxed all the same
	Country       string `json:"country,omitempty"`        // where it is rendered, 2 letters; empty: in Brazil
	ResultCountry string `json:"result_country,omitempty"` // of an export that is rendered in Brazil (cPaisResult)
	Mode          int    `json:"mode,omitempty"`           // 1 across the border, 2 consumed in Brazil (mdPrestacao)
	Relationship  int    `json:"relationship,omitempty"`   // of the parties: 0 to 6, or 9 (vincPrest)
	Currency      string `json:"currency,omitempty"`       // 3 digits of the central bank (tpMoeda); empty: the real
	AmountCents   int64  `json:"amount_cents,omitempty"`   // in it (vServMoeda); 0: the price of the note

	ProviderMechanism string `json:"provider_mechanism,omitempty"` // 01 to 08 (mecAFComexP)
	TakerMechanism    string `json:"taker_mechanism,omitempty"`    // 01 to 26 (mecAFComexT)
	Goods             int    `json:"goods,omitempty"`              // goods that move for a time: 1 to 3 (movTempBens)
	ImportDeclaration string `json:"import_declaration,omitempty"` // nDI
	ExportRecord      string `json:"export_record,omitempty"`      // nRE
	ToMinistry        bool   `json:"to_ministry,omitempty"`        // shared with the ministry of trade (mdic)

	// NoForeignCurrency says that what a taker abroad pays for an export brings in none: PIS and COFINS
	// are due on it.
	NoForeignCurrency bool `json:"no_foreign_currency,omitempty"`
}
