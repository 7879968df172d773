package saopaulotest

import (
	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/internal/text"
	"emissor/nfse"
)

// Intermediary returns a company that withholds nothing.
func Intermediary() *nfse.Intermediary {
	return &nfse.Intermediary{Party: nfse.Party{TaxID: "33444555000181", Name: "Plataforma"}}
}

// ForeignTaker returns a taker abroad.
func ForeignTaker() *nfse.ForeignParty {
	return &nfse.ForeignParty{
		NIF: "US-77", Name: "Example Inc", Country: "US",
		ForeignPlace: nfse.ForeignPlace{PostalCode: "10001", City: "New York", Region: "NY"},
		Street:       "5th Avenue", Number: "1", District: "Manhattan",
	}
}

// Event returns one in the city.
func Event() *nfse.CulturalEvent {
	return &nfse.CulturalEvent{
		Name: "Festival", From: "2026-11-20", Through: "2026-11-21",
		Address: &nfse.PropertyAddress{
			ZipCode: "01310100", Street: "Avenida Paulista", Number: "1", District: "Centro",
		},
	}
}

// drawGroups adds what the layout has of the form and of settings.
func drawGroups(t *rapid.T, d *fiscal.Declaration) {
	if rapid.IntRange(0, 2).Draw(t, "groups") > 0 {
		return
	}
	if rapid.Bool().Draw(t, "deducts") && d.Note.AmountCents > 1 {
		d.Details.Deduction = &nfse.Deduction{Cents: rapid.Int64Range(1, d.Note.AmountCents-1).Draw(t, "deducted")}
	}
	if rapid.Bool().Draw(t, "work") {
		d.Details.Work = &nfse.Work{Registration: "900012345678", MunicipalityCode: d.Note.Service.MunicipalityCode}
	}
	if rapid.Bool().Draw(t, "event") {
		d.Details.Event = Event()
		d.Details.Event.Name = nationaltest.DrawText(t, "event's name", 400, text.Line)
	}
	if !d.Note.ISSWithheld && rapid.Bool().Draw(t, "intermediary") {
		d.Details.Intermediary = Intermediary()
		letters := d.Issuer.TaxationInside + d.Issuer.TaxationOutside
		d.Details.Intermediary.WithholdsISS = letters == "" && rapid.Bool().Draw(t, "it withholds")
	}
	byIntermediary := d.Details.Intermediary != nil && d.Details.Intermediary.WithholdsISS
	if !d.Note.ISSWithheld && !byIntermediary && rapid.Bool().Draw(t, "exported") {
		d.Details.Abroad = &nfse.Abroad{Export: true, Mode: 1}
		if d.Details.Work == nil && d.Details.Event == nil && rapid.Bool().Draw(t, "rendered abroad") {
			d.Details.Abroad.Country = "PT"
		}
	}
	if !d.Note.ISSWithheld && d.Classification.TpEnteGov == nil && rapid.Bool().Draw(t, "taker abroad") {
		d.Details.ForeignTaker = ForeignTaker()
		d.Details.ForeignTaker.City = nationaltest.DrawText(t, "city abroad", 90, text.Line)
		if rapid.Bool().Draw(t, "without a number") {
			d.Details.ForeignTaker.NIF, d.Details.ForeignTaker.NoNIF = "", rapid.IntRange(1, 2).Draw(t, "why")
		}
	}
}
