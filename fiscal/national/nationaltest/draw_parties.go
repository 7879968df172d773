package nationaltest

import (
	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

func drawCountry(t *rapid.T) string {
	return rapid.SampledFrom([]string{"US", "PT", "AR", "ZW", "AD"}).Draw(t, "country")
}

func drawForeignParty(t *rapid.T) nfse.ForeignParty {
	party := nfse.ForeignParty{
		Name: DrawText(t, "name abroad", schema.MaxName, schema.Line), Country: drawCountry(t),
		ForeignPlace: drawForeignPlace(t), Street: DrawText(t, "street abroad", schema.MaxStreet, schema.Line),
		Number:   DrawText(t, "number abroad", schema.MaxAddressNumber, schema.Line),
		District: DrawText(t, "district abroad", schema.MaxDistrict, schema.Line),
	}
	if rapid.Bool().Draw(t, "has a NIF") {
		party.NIF = rapid.StringMatching(`[0-9A-Z./-]{1,40}`).Draw(t, "NIF")
	} else {
		party.NoNIF = rapid.IntRange(1, 2).Draw(t, "why no NIF")
	}
	if rapid.Bool().Draw(t, "has a complement abroad") {
		party.Complement = DrawText(t, "complement abroad", schema.MaxComplement, schema.Line)
	}
	return party
}

func drawForeignPlace(t *rapid.T) nfse.ForeignPlace {
	return nfse.ForeignPlace{
		PostalCode: DrawText(t, "postal code", schema.MaxPostalCode, schema.Line),
		City:       DrawText(t, "city abroad", schema.MaxCity, schema.Line),
		Region:     DrawText(t, "region", schema.MaxRegion, schema.Line),
	}
}

// drawParty draws one in Brazil, with or without an address, or abroad.
func drawParty(t *rapid.T) nfse.Party {
	if sometimes(t, "party abroad", 3) {
		return nfse.Party{Foreign: new(drawForeignParty(t))}
	}
	party := nfse.Party{
		TaxID: DrawTaxID(t, "party"), Name: DrawText(t, "name of the party", schema.MaxName, schema.Line),
	}
	if rapid.Bool().Draw(t, "party has an address") {
		party.Address = drawPartyAddress(t)
	}
	return party
}

func drawPartyAddress(t *rapid.T) *nfse.PartyAddress {
	return &nfse.PartyAddress{
		PropertyAddress: *drawAddress(t), MunicipalityCode: DrawMunicipality(t, "city of the party"),
	}
}

// drawIntermediary draws one that is not the provider, and now and then withholds the ISS.
func drawIntermediary(t *rapid.T, d *fiscal.Declaration) {
	intermediary := &nfse.Intermediary{Party: drawParty(t)}
	issuer := d.Issuer.TaxID
	if id := intermediary.TaxID; id == issuer || id.IsCNPJ() && issuer.IsCNPJ() && id[:8] == issuer[:8] {
		return
	}
	d.Details.Intermediary = intermediary
}

// drawWithholding draws who withholds the ISS, where it may be withheld.
func drawWithholding(t *rapid.T, d *fiscal.Declaration) {
	may := d.Issuer.Simples != nfse.SimplesMEI && d.Issuer.SpecialRegime == 0 &&
		*d.Note.Service.NationalTaxCode != "220101" && taxation.ISSOf(*d) == taxation.Taxable &&
		d.ISS().Kind != nfse.ISSSuspended
	d.Note.ISSWithheld = may && d.Details.ForeignTaker == nil && rapid.Bool().Draw(t, "withheld")
	intermediary := d.Details.Intermediary
	if may && intermediary != nil && intermediary.Address != nil {
		intermediary.WithholdsISS = rapid.Bool().Draw(t, "withheld by the intermediary")
	}
}
