package dps

import (
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
)

// sampled are the declarations that the samples of the groups are reproduced by.
var sampled = map[string]func(d *fiscal.Declaration){
	"benefit-percent": func(d *fiscal.Declaration) {
		d.Details.ISS = &nfse.ISSTreatment{Kind: nfse.ISSBenefit, Benefit: "33045570200001", BenefitPercent: 40_00}
	},
	"deduction-percent": func(d *fiscal.Declaration) {
		d.Note.Service.NationalTaxCode = new("171001")
		d.Taxation.Service = &nfse.ServiceTaxation{Deduction: 40_00}
	},
	"deduction-value": func(d *fiscal.Declaration) {
		d.Note.Service.NationalTaxCode = new("040301")
		d.Details.Deduction = &nfse.Deduction{Cents: 2500_00}
	},
	"discounts": func(d *fiscal.Declaration) {
		d.Details.UnconditionalDiscountCents, d.Details.ConditionalDiscountCents = 500_00, 200_00
	},
	"event": func(d *fiscal.Declaration) {
		d.Note.Service.NationalTaxCode = new("120701")
		d.Taxation.Event = &nfse.CulturalEvent{
			Name: "Festival de Teste", From: "2026-11-20", Through: "2026-11-22", MunicipalityCode: "3304557",
			Address: sampleAddress(),
		}
	},
	"export-abroad": func(d *fiscal.Declaration) {
		sampleForeignTaker(d)
		d.Taxation.Service.Abroad.Export, d.Taxation.Service.Abroad.Country = true, "US"
	},
	"export-place-brazil": func(d *fiscal.Declaration) {
		sampleForeignTaker(d)
		d.Taxation.Service.Abroad.Export, d.Taxation.Service.Abroad.ResultCountry = true, "US"
	},
	"foreign-taker-taxed": sampleForeignTaker,
	"immunity": func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{ISS: &nfse.ISSTreatment{Kind: nfse.ISSImmune, Immunity: 3}}
	},
	"intermediary-withholds": func(d *fiscal.Declaration) {
		address := *sampleAddress()
		address.Number = "20"
		d.Details.Intermediary = &nfse.Intermediary{WithholdsISS: true, Party: nfse.Party{
			TaxID: "12345678000195", Name: "Plataforma SA",
			Address: &nfse.PartyAddress{PropertyAddress: address, MunicipalityCode: "3304557"},
		}}
	},
	"rental-990101": func(d *fiscal.Declaration) { d.Note.Service.NationalTaxCode = new("990101") },
	"simples-iss-withheld": func(d *fiscal.Declaration) {
		nationaltest.Small(d, 1)
		nationaltest.Withhold(d, 2_01)
	},
	"substitution": func(d *fiscal.Declaration) {
		d.Details.Replaces = &nfse.Replaced{
			AccessKey:  "33045572211222333000181000000000004226111234567892",
			ReasonCode: "99", ReasonText: "Descricao do servico corrigida",
			Original: nfse.ReplacedNote{
				Competence: d.Note.Competence, NationalTaxCode: "010701", MunicipalityCode: "3304557",
			},
		}
	},
	"suspended": func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{ISS: &nfse.ISSTreatment{
			Kind: nfse.ISSSuspended, Suspension: 1, Process: "000000000008001234520258190001",
		}}
	},
	"withheld-csll-only-2027": func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{Withholding: &nfse.Withholding{CSLL: 1_00}}
	},
	"withheld-csrf-irrf-iss": func(d *fiscal.Declaration) {
		nationaltest.Withhold(d, 0)
		d.Issuer.OwnContributions = &nfse.OwnContributions{CST: "01", PIS: 65, COFINS: 3_00}
		d.Taxation.Service = &nfse.ServiceTaxation{
			Withholding: &nfse.Withholding{IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00},
		}
	},
	"withheld-inss-material": func(d *fiscal.Declaration) {
		d.Note.Service.NationalTaxCode = new("070201")
		d.Taxation.Work = &nfse.Work{Registration: "900012345678", MunicipalityCode: "3304557"}
		d.Details.Deduction = &nfse.Deduction{Documents: []nfse.DeductionDocument{{
			NFe: "33261144556677000188550010000000011234567897", Kind: 2, Issued: "2026-11-03",
			DeductibleCents: 4000_00, UsedCents: 4000_00,
		}}}
		d.Taxation.Service = &nfse.ServiceTaxation{Withholding: &nfse.Withholding{INSS: 11_00, INSSBase: 60_00}}
	},
	"works-address": func(d *fiscal.Declaration) {
		d.Note.Service.NationalTaxCode = new("070501")
		d.Taxation.Work = &nfse.Work{Address: sampleAddress(), MunicipalityCode: "3304557"}
	},
}

func sampleAddress() *nfse.PropertyAddress {
	return &nfse.PropertyAddress{ZipCode: "20040002", Street: "Rua da Assembleia", Number: "10", District: "Centro"}
}

func sampleForeignTaker(d *fiscal.Declaration) {
	d.Details.ForeignTaker = &nfse.ForeignParty{
		NIF: "98-7654321", Name: "Acme Inc", Country: "US",
		ForeignPlace: nfse.ForeignPlace{PostalCode: "94105", City: "San Francisco", Region: "CA"},
		Street:       "Market Street", Number: "1", District: "SoMa",
	}
	d.Classification = nationaltest.Classification()
	d.Taxation.Service = &nfse.ServiceTaxation{Abroad: &nfse.Abroad{Mode: 1, Currency: "220", AmountCents: 2000_00}}
}

// Every sample of a group is reproduced, element by element.
func TestSignDeclaration_Samples(t *testing.T) {
	samples := nationaltest.GroupSamples(t)
	if len(samples) != len(sampled) {
		t.Fatalf("%d samples, and %d declarations", len(samples), len(sampled))
	}
	for name, want := range samples {
		t.Run(name, func(t *testing.T) {
			d := nationaltest.OfSamples()
			sampled[name](&d)
			at := d.Note.Competence.Begin().Add(15 * time.Hour)
			message, err := Signer{}.SignDeclaration(d, nationaltest.Credentials(t), at)
			if err != nil {
				t.Fatal(err)
			}
			if got := nationaltest.Elements(t, message.XML); got != want {
				t.Errorf("\n%s\nwant\n%s", got, want)
			}
		})
	}
}
