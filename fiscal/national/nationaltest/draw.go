package nationaltest

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// DrawDeclaration draws one that nothing is wrong with, of what most likely breaks
// a message: every option and regime, CPF and alphanumeric CNPJ, texts of any script
// and length, extreme amounts, and every group beyond the API, alone and with others.
func DrawDeclaration(t *rapid.T) fiscal.Declaration {
	home, issuer := DrawMunicipality(t, "home"), DrawTaxID(t, "issuer")
	series := rapid.OneOf(rapid.IntRange(1, schema.MaxSeries), rapid.SampledFrom([]int{1, schema.MaxSeries}))
	number := rapid.OneOf(rapid.Int64Range(1, schema.MaxNumber), rapid.SampledFrom([]int64{1, schema.MaxNumber}))
	amount := rapid.OneOf(rapid.Int64Range(1, nfse.MaxAmountCents),
		rapid.SampledFrom([]int64{1, 9, 10, 99, 100, 101, nfse.MaxAmountCents}))
	d := fiscal.Declaration{
		Issuer: nfse.FiscalProfile{
			OrganizationID: "org_1", Authority: "national", Production: rapid.Bool().Draw(t, "production"),
			TaxID: issuer, MunicipalityCode: home, Series: series.Draw(t, "series"),
		},
		Number:                    number.Draw(t, "number"),
		Signings:                  rapid.IntRange(0, 6).Draw(t, "signings"),
		Layout:                    rapid.SampledFrom([]string{"", "1.01"}).Draw(t, "layout"),
		ConfirmMunicipalOperation: rapid.Bool().Draw(t, "confirm"),
		Note: nfse.Note{
			ID:     "nfse_" + rapid.StringMatching(`[0-9a-hjkmnp-tv-z]{26}`).Draw(t, "id"),
			Status: nfse.StatusProcessing, Livemode: true, Reference: "order-1",
			AmountCents: amount.Draw(t, "amount"), Competence: nfse.DayOf(At),
			Service:  drawService(t, home),
			Customer: drawCustomer(t, issuer),
		},
	}
	if rapid.IntRange(0, 3).Draw(t, "is classified") > 0 {
		d.Classification = DrawClassification(t, *d.Note.Service.NationalTaxCode)
	}
	d.Note.Municipality.Code = rapid.OneOf(rapid.Just(home), rapid.Custom(municipality)).Draw(t, "taker's municipality")
	if registration := rapid.StringMatching(`[0-9A-Za-z./-]{0,15}`).Draw(t, "registration"); registration != "" {
		d.Issuer.MunicipalRegistration = &registration
		d.Issuer.SendMunicipalRegistration = rapid.Bool().Draw(t, "send registration")
	}
	drawRegimes(t, &d)
	drawGroups(t, &d)
	drawWithholding(t, &d)
	drawRate(t, &d)
	drawValues(t, &d)
	DrawFederal(t, &d)
	placedAtTaker := d.Classification != nil && taxation.PlacedAtTaker(d.Classification.CIndOp)
	if d.Note.ISSWithheld || *d.Note.Service.NationalTaxCode == "170501" || placedAtTaker {
		fillAddress(t, &d.Note.Customer.Address)
	}
	return d
}

// drawRegimes draws how the issuer is taxed.
func drawRegimes(t *rapid.T, d *fiscal.Declaration) {
	percent := rapid.OneOf(rapid.IntRange(0, 100_00), rapid.SampledFrom([]int{0, 1, 9_99, 100_00}))
	options := []nfse.SimplesOption{nfse.SimplesNone, nfse.SimplesMEI, nfse.SimplesME}
	d.Issuer.Simples = rapid.SampledFrom(options).Draw(t, "simples")
	switch d.Issuer.Simples {
	case nfse.SimplesME:
		d.Issuer.SimplesRegime = new(rapid.IntRange(1, 3).Draw(t, "regime"))
		d.Issuer.ApproximateTaxes.Simples = nfse.Percent(min(percent.Draw(t, "taxes of Simples"), 99_99))
	case nfse.SimplesNone:
		d.Issuer.ApproximateTaxes.Federal = nfse.Percent(percent.Draw(t, "federal taxes"))
		left := 100_00 - int(d.Issuer.ApproximateTaxes.Federal) // together they are at most 100 percent
		state := min(percent.Draw(t, "state taxes"), left)
		d.Issuer.ApproximateTaxes.State = nfse.Percent(state)
		d.Issuer.ApproximateTaxes.Municipal = nfse.Percent(min(percent.Draw(t, "municipal taxes"), left-state))
	}
	special := rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3, 4, 5, 6, 9}).Draw(t, "special regime")
	mayHaveSpecial := d.Issuer.Simples == nfse.SimplesNone ||
		d.Issuer.Simples == nfse.SimplesME && *d.Issuer.SimplesRegime != 1
	if mayHaveSpecial && !taxation.NeverTaxed(*d.Note.Service.NationalTaxCode) {
		d.Issuer.SpecialRegime = special
	}
	cities := []string{d.Issuer.MunicipalityCode, d.Note.Service.MunicipalityCode, d.Note.Municipality.Code, "3550308"}
	inactive := rapid.SliceOfNDistinct(rapid.SampledFrom(cities), 0, 1, rapid.ID[string])
	d.Issuer.InactiveMunicipalities = inactive.Draw(t, "inactive")
}

func drawRate(t *rapid.T, d *fiscal.Declaration) {
	least := nfse.Rate(1)
	if taxation.PaysWithinSimples(d.Issuer) && d.ISSWithheldBy() != fiscal.WithheldByNobody {
		least = 1_80
	}
	if taxation.AliquotOf(*d).Missing || rapid.Bool().Draw(t, "has rate") {
		d.Note.Service.ISSRate = new(nfse.Rate(rapid.IntRange(int(least), int(nfse.MaxRate)).Draw(t, "rate")))
	}
}

// codesToDraw are the national tax codes; those that the law treats separately come often.
var codesToDraw = slices.Concat(taxation.ServiceCodes(), slices.Repeat([]string{
	"170501", "171001", "110201", "220101", "171201", "250501", "070201", "120701", "990101",
}, 10))

func drawService(t *rapid.T, home string) nfse.ServiceSnapshot {
	code := rapid.SampledFrom(codesToDraw).Draw(t, "national code")
	place := rapid.OneOf(rapid.Just(home), rapid.Custom(municipality)).Draw(t, "place")
	if rapid.IntRange(0, 19).Draw(t, "at sea") == 0 {
		place = taxation.AtSea
	}
	return nfse.ServiceSnapshot{
		ID: "srv_1", Name: "Servi\u00e7o", MunicipalityCode: place, NationalTaxCode: &code,
		MunicipalTaxCode:  rapid.Ptr(rapid.StringMatching(`[0-9]{4,5}`), true).Draw(t, "municipal code"),
		MunicipalTaxation: rapid.Ptr(rapid.SampledFrom([]string{"T", "F"}), true).Draw(t, "municipal taxation"),
		Description:       DrawText(t, "description", 2000, schema.Lines),
	}
}

func drawCustomer(t *rapid.T, issuer nfse.TaxID) nfse.CustomerSnapshot {
	customer := nfse.CustomerSnapshot{Name: DrawText(t, "name", 300, schema.Line)}
	another := func(id nfse.TaxID) bool { return id != issuer }
	customer.TaxID = rapid.Custom(taxID).Filter(another).Draw(t, "taker")
	customer.Email = rapid.Ptr(rapid.Just("maria@example.com"), true).Draw(t, "email")
	if rapid.IntRange(0, 3).Draw(t, "whole address") > 0 {
		fillAddress(t, &customer.Address)
	} else {
		customer.Address.Street = new(DrawText(t, "street", 200, schema.Line))
	}
	return customer
}

// fillAddress fills what is missing of an address.
func fillAddress(t *rapid.T, address *nfse.Address) {
	fill := func(field **string, draw func() string) {
		if *field == nil {
			*field = new(draw())
		}
	}
	fill(&address.Street, func() string { return DrawText(t, "street", 200, schema.Line) })
	fill(&address.Number, func() string { return DrawText(t, "number", 60, schema.Line) })
	fill(&address.District, func() string { return DrawText(t, "district", 60, schema.Line) })
	fill(&address.ZipCode, func() string { return rapid.StringMatching(`[0-9]{8}`).Draw(t, "zip code") })
	if address.Complement == nil && rapid.Bool().Draw(t, "has complement") {
		address.Complement = new(DrawText(t, "complement", 156, schema.Line))
	}
	if address.StreetType == nil && rapid.Bool().Draw(t, "has street type") {
		address.StreetType = new(DrawText(t, "street type", 54, schema.Line))
	}
}

// DrawMunicipality draws the code of a municipality, which may not exist.
func DrawMunicipality(t *rapid.T, label string) string {
	return rapid.Custom(municipality).Draw(t, label)
}

func municipality(t *rapid.T) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"3550308", "3304557", "3205309", "1200401", "5300108"}),
		rapid.StringMatching(`[1-5][0-9]{6}`),
	).Draw(t, "municipality")
}

// DrawTaxID draws a CPF, or a CNPJ with or without letters.
func DrawTaxID(t *rapid.T, label string) nfse.TaxID {
	return rapid.Custom(taxID).Draw(t, label)
}

func taxID(t *rapid.T) nfse.TaxID {
	body := rapid.OneOf(
		rapid.StringMatching(`[0-9]{9}`), rapid.StringMatching(`[0-9]{8}000[1-9]`),
		rapid.StringMatching(`[0-9A-Z]{12}`),
	).Filter(func(s string) bool { return strings.Count(s, s[:1]) < len(s) }).Draw(t, "document")
	heaviest := 9
	if len(body) == 9 {
		heaviest = 12 // never reached: the weights of a CPF do not begin again
	}
	for range 2 {
		body += checkDigit(body, heaviest)
	}
	return nfse.TaxID(body)
}

// checkDigit is the next check digit of a CPF or CNPJ.
func checkDigit(body string, heaviest int) string {
	sum, weight := 0, 2
	for _, c := range slices.Backward([]byte(body)) {
		sum += int(c-'0') * weight
		if weight++; weight > heaviest {
			weight = 2
		}
	}
	return string("00987654321"[sum%11])
}

// fragments are what texts are made of.
var fragments = []string{
	"Servi\u00e7os de consultoria", "a", " ", "  ", "\t", "A\u00e7a\u0303o", "e\u0301",
	"q\u0303", // of these marks only the last does not compose
	"&", "<", ">", `"`, "'", "&amp;", "]]>", "<!--", "?>", "</xNome>", "%s", "\\",
	"\u2018x\u2019", "\u201cx\u201d", "\u2013", "\u2014", "\u2026", "\u00a0", "\u00ad",
	"\u200b", "\ufeff", "\u202e", "\u2028", "\u0085", "\u009f", "\x00", "\x7f",
	"\U0001F600", "\U0001F468\u200d\U0001F469\u200d\U0001F467", "\U0001F1E7\U0001F1F7", "\u2764\ufe0f",
	"\u6f22\u5b57", "\u05e9", "\u0151", "\u1ebf", "\u0142", "\ufb01", "\u2122", "\u20ac",
	"\u00ff", "\u00df", "\u00a1", "\ufffd", "\xff", "\r\n", "\n", "\r", "x\u0301\u0302\u0303\u0304",
}

// DrawText draws a text that fits after it was made safe, now and then exactly.
func DrawText(t *rapid.T, label string, most int, safe func(string) string) string {
	length := func(text string) int { return utf8.RuneCountInString(safe(text)) }
	text := rapid.StringMatching(`[A-Za-z0-9\x{e0}-\x{f6}]`).Draw(t, label)
	text += strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 12).Draw(t, label), "")
	full := rapid.IntRange(0, 9).Draw(t, label+" is as long as it may be") == 0
	if full {
		text = strings.Repeat(text, most/length(text)+1)
	}
	for length(text) > most {
		runes := []rune(text)
		text = string(runes[:len(runes)-max(1, length(text)-most)/3-1])
	}
	if full {
		text = strings.Repeat("z", most-length(text)) + text
	}
	return text
}
