package dps

import (
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// readGroups are the groups beyond the API, read back.
type readGroups struct {
	Replaced      *string     `xml:"subst>chSubstda"`
	ReplacedWhy   string      `xml:"subst>cMotivo"`
	Intermediary  *readParty  `xml:"interm"`
	Place         string      `xml:"serv>locPrest>cLocPrestacao"`
	Country       string      `xml:"serv>locPrest>cPaisPrestacao"`
	Currency      *string     `xml:"serv>comExt>tpMoeda"`
	CurrencyCents string      `xml:"serv>comExt>vServMoeda"`
	Work          *readSite   `xml:"serv>obra"`
	Event         *readSite   `xml:"serv>atvEvento"`
	Technical     *string     `xml:"serv>infoCompl>idDocTec"`
	Unconditional *string     `xml:"valores>vDescCondIncond>vDescIncond"`
	Conditional   *string     `xml:"valores>vDescCondIncond>vDescCond"`
	DeductedPart  *string     `xml:"valores>vDedRed>pDR"`
	DeductedCents *string     `xml:"valores>vDedRed>vDR"`
	Deducted      []readPaper `xml:"valores>vDedRed>documentos>docDedRed"`
	Taxed         int         `xml:"valores>trib>tribMun>tribISSQN"`
	ResultCountry *string     `xml:"valores>trib>tribMun>cPaisResult"`
	Immunity      *int        `xml:"valores>trib>tribMun>tpImunidade"`
	Process       *string     `xml:"valores>trib>tribMun>exigSusp>nProcesso"`
	Benefit       *string     `xml:"valores>trib>tribMun>BM>nBM"`
}

type readSite struct {
	Registration   string  `xml:"cObra"`
	CIB            string  `xml:"cCIB"`
	Identification string  `xml:"idAtvEvt"`
	Through        string  `xml:"dtFim"`
	ZipCode        string  `xml:"end>CEP"`
	City           string  `xml:"end>endExt>xCidade"`
	District       *string `xml:"end>xBairro"`
}

type readPaper struct {
	Kind     int        `xml:"tpDedRed"`
	Used     string     `xml:"vDeducaoReducao"`
	Supplier *readParty `xml:"fornec"`
}

// compareGroups holds the groups of a message against those of its declaration.
func compareGroups(t *testing.T, declaration fiscal.Declaration, read readGroups) {
	t.Helper()
	same := func(element string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %#v, want %#v", element, got, want)
		}
	}
	details, place := declaration.Details, taxation.PlaceOf(declaration)
	same("cLocPrestacao", read.Place, place.Municipality)
	same("cPaisPrestacao", read.Country, place.Country)
	same("subst is sent", read.Replaced != nil, details.Replaces != nil)
	if read.Replaced != nil {
		same("chSubstda", *read.Replaced, details.Replaces.AccessKey)
		same("cMotivo", read.ReplacedWhy, details.Replaces.ReasonCode)
	}
	same("interm is sent", read.Intermediary != nil, details.Intermediary != nil)
	if read.Intermediary != nil {
		compareParty(t, details.Intermediary.Party, *read.Intermediary)
	}
	export, abroad := taxation.ExportOfDeclaration(declaration), declaration.Abroad()
	same("comExt is sent", read.Currency != nil, export.ForeignTrade)
	if read.Currency != nil {
		amount := abroad.AmountCents
		if amount == 0 {
			amount = declaration.Note.AmountCents
		}
		same("tpMoeda", *read.Currency, taxation.CurrencyOf(abroad))
		same("vServMoeda", cents(t, read.CurrencyCents), amount)
	}
	compareSites(t, declaration, read)
	compareAmounts(t, declaration, read)
	iss := declaration.ISS()
	same("tribISSQN", read.Taxed, int(taxation.ISSOf(declaration)))
	same("cPaisResult is sent", read.ResultCountry != nil, export.ResultCountry)
	same("tpImunidade is sent", read.Immunity != nil, iss.Kind == nfse.ISSImmune)
	same("exigSusp is sent", read.Process != nil, iss.Kind == nfse.ISSSuspended)
	same("BM is sent", read.Benefit != nil, iss.Kind == nfse.ISSBenefit)
	same("nBM", deref(read.Benefit), iss.Benefit)
	same("nProcesso", deref(read.Process), iss.Process)
}

func compareSites(t *testing.T, declaration fiscal.Declaration, read readGroups) {
	t.Helper()
	work, event := taxation.WorkOf(declaration), taxation.EventOf(declaration)
	if (read.Work != nil) != (work != nil) || (read.Event != nil) != (event != nil) {
		t.Errorf("obra %+v of %+v, atvEvento %+v of %+v", read.Work, work, read.Event, event)
		return
	}
	if work != nil {
		site := *read.Work
		if site.Registration != work.Registration || site.CIB != work.CIB ||
			(site.District == nil) != (work.Address == nil) ||
			(site.City != "") != (work.Foreign != nil) || deref(read.Technical) != work.TechnicalDocument {
			t.Errorf("obra %+v, want %+v", site, *work)
		}
	}
	if event != nil {
		site := *read.Event
		if site.Identification != event.Identification || site.Through != string(event.Through) ||
			(site.District == nil) != (event.Address == nil) || (site.City != "") != (event.Foreign != nil) {
			t.Errorf("atvEvento %+v, want %+v", site, *event)
		}
	}
}

func compareAmounts(t *testing.T, declaration fiscal.Declaration, read readGroups) {
	t.Helper()
	optional := func(element string, got *string, want int64) {
		t.Helper()
		if (got != nil) != (want != 0) || got != nil && cents(t, *got) != want {
			t.Errorf("%s is %q, want %d", element, deref(got), want)
		}
	}
	deduction := declaration.Deduction()
	optional("vDescIncond", read.Unconditional, declaration.Details.UnconditionalDiscountCents)
	optional("vDescCond", read.Conditional, declaration.Details.ConditionalDiscountCents)
	optional("pDR", read.DeductedPart, int64(deduction.Percent))
	optional("vDR", read.DeductedCents, deduction.Cents)
	if len(read.Deducted) != len(deduction.Documents) {
		t.Fatalf("%d documents are deducted, want %d", len(read.Deducted), len(deduction.Documents))
	}
	for i, document := range deduction.Documents {
		got := read.Deducted[i]
		if got.Kind != document.Kind || cents(t, got.Used) != document.UsedCents ||
			(got.Supplier != nil) != (document.Supplier != nil) {
			t.Errorf("docDedRed %+v, want %+v", got, document)
		} else if got.Supplier != nil {
			compareParty(t, *document.Supplier, *got.Supplier)
		}
	}
}

// compareTaker holds a taker with a Brazilian tax id against the customer.
func compareTaker(t *testing.T, declaration fiscal.Declaration, sent readParty) {
	t.Helper()
	customer := declaration.Note.Customer
	want := nfse.Party{TaxID: customer.TaxID, Name: customer.Name}
	if address := customer.Address; rules.MissingAddressField(address) == "" {
		want.Address = &nfse.PartyAddress{MunicipalityCode: declaration.Note.Municipality.Code,
			PropertyAddress: nfse.PropertyAddress{
				ZipCode: *address.ZipCode, Street: schema.StreetLine(address), Number: *address.Number,
				Complement: address.Complement, District: *address.District,
			}}
	}
	compareParty(t, want, sent)
}

func compareParty(t *testing.T, want nfse.Party, sent readParty) {
	t.Helper()
	if want.Foreign != nil {
		compareForeign(t, *want.Foreign, sent)
		return
	}
	if sent.CNPJ+sent.CPF != string(want.TaxID) || (sent.CNPJ != "") != want.TaxID.IsCNPJ() ||
		deref(sent.Name) != schema.Line(want.Name) || (sent.Address != nil) != (want.Address != nil) {
		t.Errorf("party %+v, want %+v", sent, want)
		return
	}
	if got, address := sent.Address, want.Address; got != nil {
		if got.Municipality != address.MunicipalityCode || got.ZipCode != address.ZipCode ||
			got.Street != schema.Line(address.Street) || got.Number != schema.Line(address.Number) ||
			got.District != schema.Line(address.District) || got.Country != "" ||
			deref(got.Complement) != schema.Line(deref(address.Complement)) {
			t.Errorf("address %+v, want %+v", *got, *address)
		}
	}
}

func compareForeign(t *testing.T, want nfse.ForeignParty, sent readParty) {
	t.Helper()
	if sent.CNPJ+sent.CPF != "" || sent.NIF != want.NIF || sent.NoNIF != want.NoNIF ||
		deref(sent.Name) != schema.Line(want.Name) || sent.Address == nil {
		t.Errorf("party abroad %+v, want %+v", sent, want)
		return
	}
	if got := *sent.Address; got.Country != want.Country || got.PostalCode != schema.Line(want.PostalCode) ||
		got.City != schema.Line(want.City) || got.Region != schema.Line(want.Region) ||
		got.Street != schema.Line(want.Street) || got.Number != schema.Line(want.Number) ||
		got.District != schema.Line(want.District) || got.ZipCode+got.Municipality != "" {
		t.Errorf("address abroad %+v, want %+v", got, want)
	}
}
