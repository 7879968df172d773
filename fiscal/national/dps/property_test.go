package dps

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/taxes"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
	"emissor/test/long"
)

var signatureProfiles = []xmldsig.Profile{{}, {SHA1: true}, {Exclusive: true}, {Exclusive: true, SHA1: true}}

// drawMoment draws a moment of this century, often close to a midnight.
func drawMoment(t *rapid.T) time.Time {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 20000).Draw(t, "day"))
	hour := rapid.SampledFrom([]int{0, 2, 3, 4, 12, 23}).Draw(t, "hour")
	return day.Add(time.Duration(hour)*time.Hour + time.Duration(rapid.IntRange(0, 3599).Draw(t, "second"))*time.Second)
}

// Random declarations, signed under every profile, are checked by the official
// schema, by xmlsec1, and by what the caller sent.
func TestSignDeclaration_IsValid(t *testing.T) {
	t.Parallel()
	validator := nationaltest.NewValidator(t, "DPS_v1.01.xsd")
	count, least := long.Cases(2500, 250), long.Cases(10, 1)
	drawn, moments := rapid.Custom(nationaltest.DrawDeclaration), rapid.Custom(drawMoment)
	traits := map[string]int{}
	for i := range count {
		declaration, at := drawn.Example(i), moments.Example(i)
		nationaltest.OnDay(&declaration, nfse.DayOf(at).Before(i%4*10))
		for _, trait := range traitsOf(declaration) {
			traits[trait]++
		}
		signer := Signer{Software: "emissor-1.0", Profile: signatureProfiles[i%len(signatureProfiles)],
			IBSCBS: taxation.IBSCBS{RequiredFrom: "2040-01-01"}}
		if signer.IBSCBS.Sent(declaration, declaration.Note.Competence) {
			for _, trait := range classificationTraits(*declaration.Classification) {
				traits[trait]++
			}
		}
		message, err := signer.SignDeclaration(declaration, nationaltest.Credentials(t), at)
		if err != nil {
			t.Fatalf("%v\n%+v", err, declaration)
		}
		compareDPS(t, signer, declaration, message, at)
		compareEnvelope(t, signer, message)
		if t.Failed() {
			t.Fatalf("declaration %d: %+v\n%s", i, declaration, message.XML)
		}
		validator.Add(message)
	}
	validator.Validate()
	validator.Verify("infDPS")
	for _, trait := range strings.Split(traitsWanted, ", ") {
		if traits[trait] < least {
			t.Errorf("only %d declarations were drawn with: %s", traits[trait], trait)
		}
	}
}

// traitsWanted are those that the random declarations must have.
const traitsWanted = "simples 1, simples 2, simples 3 regime 1, simples 3 regime 2, simples 3 regime 3, " +
	"special 0, special 1, special 2, special 3, special 4, special 5, special 6, special 9, " +
	"CPF issues, letters issue, digits issue, CPF takes, letters take, digits take, " +
	"production, restricted, registration, withheld, kept, rate, withheld within Simples with rate, " +
	"due at home, due at the place, due at the taker's, no address, complement, one cent, the greatest amount, " +
	"IRRF, CSRF, INSS, own contributions, contributions not taxed, " +
	"2000 characters, several lines, replaced characters, metacharacters, " +
	"taker abroad, intermediary, intermediary withholds, place abroad, exported, taxed with something abroad, " +
	"result abroad, work, event, unconditional discount, conditional discount, deduction in percent, " +
	"deduction by amount, deduction by documents, immune, not taxed, suspended, benefit, replaces, " +
	"classified, indFinal, regular taxation, deferral, government, operation, property by CIB, property by address"

func traitsOf(d fiscal.Declaration) []string {
	note, issuer := d.Note, d.Issuer
	description, due := schema.Lines(note.Service.Description), taxation.Incidence(d)
	federal := taxes.FederalOf(d)
	traits := []string{fmt.Sprintf("simples %d", issuer.Simples), fmt.Sprintf("special %d", issuer.SpecialRegime)}
	if issuer.SimplesRegime != nil {
		traits[0] += fmt.Sprintf(" regime %d", *issuer.SimplesRegime)
	}
	kind := func(id nfse.TaxID) string {
		switch {
		case !id.IsCNPJ():
			return "CPF"
		case strings.ContainsAny(string(id), letters):
			return "letters"
		}
		return "digits"
	}
	issues, takes := kind(issuer.TaxID), kind(note.Customer.TaxID)
	details, deduction, iss := d.Details, d.Deduction(), d.ISS()
	export := taxation.ExportOfDeclaration(d)
	for trait, is := range map[string]bool{
		"taker abroad":                details.ForeignTaker != nil,
		"intermediary":                details.Intermediary != nil,
		"intermediary withholds":      d.ISSWithheldBy() == fiscal.WithheldByIntermediary,
		"place abroad":                taxation.PlaceOf(d).Abroad(),
		"exported":                    d.Abroad().Export,
		"taxed with something abroad": export.ForeignTrade && taxation.ISSOf(d) == taxation.Taxable,
		"result abroad":               export.ResultCountry,
		"work":                        taxation.WorkOf(d) != nil,
		"event":                       taxation.EventOf(d) != nil,
		"unconditional discount":      details.UnconditionalDiscountCents != 0,
		"conditional discount":        details.ConditionalDiscountCents != 0,
		"deduction in percent":        deduction.Percent != 0,
		"deduction by amount":         deduction.Cents != 0,
		"deduction by documents":      deduction.Documents != nil,
		"immune":                      iss.Kind == nfse.ISSImmune,
		"not taxed":                   iss.Kind == nfse.ISSNotTaxed,
		"suspended":                   iss.Kind == nfse.ISSSuspended,
		"benefit":                     iss.Kind == nfse.ISSBenefit,
		"replaces":                    details.Replaces != nil,
		"CPF issues":                  issues == "CPF",
		"letters issue":               issues == "letters",
		"digits issue":                issues == "digits",
		"CPF takes":                   takes == "CPF",
		"letters take":                takes == "letters",
		"digits take":                 takes == "digits",
		"production":                  issuer.Production,
		"restricted":                  !issuer.Production,
		"registration":                issuer.SendMunicipalRegistration,
		"withheld":                    note.ISSWithheld,
		"kept":                        !note.ISSWithheld,
		"rate":                        taxation.AliquotOf(d).Sent,

		"withheld within Simples with rate": taxation.PaysWithinSimples(issuer) && taxation.AliquotOf(d).Sent,

		"due at home":        due == issuer.MunicipalityCode,
		"due at the place":   due == note.Service.MunicipalityCode && due != issuer.MunicipalityCode,
		"due at the taker's": due == note.Municipality.Code && due != issuer.MunicipalityCode,
		"no address":         rules.MissingAddressField(note.Customer.Address) != "",
		"complement":         note.Customer.Address.Complement != nil,
		"IRRF":               federal.IRRF > 0,
		"CSRF":               federal.CSRF() > 0,
		"INSS":               federal.INSS > 0,
		"own contributions":  federal.Own != nil && federal.Own.PIS > 0,

		"contributions not taxed": federal.Own != nil && federal.Own.PIS == 0,

		"one cent":            note.AmountCents == 1,
		"the greatest amount": note.AmountCents == nfse.MaxAmountCents,
		"2000 characters":     utf8.RuneCountInString(description) == 2000,
		"several lines":       strings.Contains(description, "\n"),
		"replaced characters": strings.Contains(description, "?"),
		"metacharacters":      strings.ContainsAny(description, "<>&"),
	} {
		if is {
			traits = append(traits, trait)
		}
	}
	return traits
}

func classificationTraits(c nfse.Classification) []string {
	traits := []string{"classified"}
	for trait, is := range map[string]bool{
		"indFinal":            c.IndFinal != nil,
		"regular taxation":    c.RegularTaxation != nil,
		"deferral":            c.Deferral != nil,
		"government":          c.TpEnteGov != nil,
		"operation":           c.TpOper != nil && c.TpEnteGov == nil,
		"property by CIB":     c.Property != nil && c.Property.CIB != nil,
		"property by address": c.Property != nil && c.Property.Address != nil,
	} {
		if is {
			traits = append(traits, trait)
		}
	}
	return traits
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// The same for requests to cancel.
func TestSignCancellation_IsValid(t *testing.T) {
	t.Parallel()
	validator := nationaltest.NewValidator(t, "pedRegEvento_v1.01.xsd")
	drawn, moments := rapid.Custom(drawCancellation), rapid.Custom(drawMoment)
	for i := range long.Cases(600, 100) {
		request, at := drawn.Example(i), moments.Example(i)
		signer := Signer{Profile: signatureProfiles[i%len(signatureProfiles)]}
		message, err := signer.SignCancellation(request, nationaltest.Credentials(t), at)
		if err != nil {
			t.Fatalf("%v\n%+v", err, request)
		}
		compareCancellation(t, request, message, at)
		compareEnvelope(t, signer, message)
		if t.Failed() {
			t.Fatalf("cancellation %d: %+v\n%s", i, request, message.XML)
		}
		if !schemaDefect(request.AccessKey) {
			validator.Add(message)
		}
	}
	validator.Validate()
	validator.Verify("infPedReg")
}

// schemaDefect reports whether the official schema refuses a right key: see
// package schema on access keys.
func schemaDefect(accessKey string) bool { return accessKey[20] > '9' }

func drawCancellation(t *rapid.T) fiscal.CancellationRequest {
	issuer := nationaltest.DrawTaxID(t, "issuer")
	registration, err := schema.Registration(issuer)
	if err != nil {
		t.Fatal(err)
	}
	key := nationaltest.DrawMunicipality(t, "municipality") + "2" + registration +
		rapid.StringMatching(`[0-9]{26}`).Draw(t, "rest of the key")
	reason := rapid.Custom(func(t *rapid.T) string { return nationaltest.DrawText(t, "reason text", 400, schema.Line) })
	return fiscal.CancellationRequest{
		Analysis:   rapid.Bool().Draw(t, "analysis"),
		AccessKey:  key + string(schema.CheckDigit(key)),
		Issuer:     nfse.FiscalProfile{TaxID: issuer, Production: rapid.Bool().Draw(t, "production")},
		ReasonCode: rapid.SampledFrom([]string{"1", "2", "9"}).Draw(t, "reason"),
		ReasonText: rapid.OneOf(reason, rapid.String()).Draw(t, "text"),
	}
}
