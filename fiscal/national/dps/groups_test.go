package dps

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
	"emissor/test/reference"
)

// sampled are the declarations that the samples of the groups are reproduced by. Federal taxes
// have tests of their own.
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
	"withheld-csll-only-2027": func(*fiscal.Declaration) {},
	"withheld-csrf-irrf-iss":  func(d *fiscal.Declaration) { nationaltest.Withhold(d, 0) },
	"withheld-inss-material": func(d *fiscal.Declaration) {
		d.Note.Service.NationalTaxCode = new("070201")
		d.Taxation.Work = &nfse.Work{Registration: "900012345678", MunicipalityCode: "3304557"}
		d.Details.Deduction = &nfse.Deduction{Documents: []nfse.DeductionDocument{{
			NFe: "33261144556677000188550010000000011234567897", Kind: 2, Issued: "2026-11-03",
			DeductibleCents: 4000_00, UsedCents: 4000_00,
		}}}
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
	nationaltest.Small(d, 2) // the samples have an NBS code without the group IBSCBS
	d.Classification = nationaltest.Classification()
	d.Taxation.Service = &nfse.ServiceTaxation{Abroad: &nfse.Abroad{Mode: 1, Currency: "220", AmountCents: 2000_00}}
}

// Every sample of a group is reproduced, element by element. What differs is what tells one
// document from another, and the check digit of an NF-e's key, which is wrong in the sample.
func TestSignDeclaration_Samples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(reference.National(t, "data", "dps-groups"), "*.xml"))
	if err != nil || len(files) != len(sampled) {
		t.Fatalf("%d samples, and %d declarations: %v", len(files), len(sampled), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".xml")
		t.Run(name, func(t *testing.T) {
			sample, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d := nationaltest.Declaration()
			d.Note.AmountCents = 10000_00
			d.Note.Service.NationalTaxCode = new("010701")
			d.Note.Customer.TaxID, d.Note.Municipality.Code = "11444777000161", "3304557"
			d.Note.Customer.Address = nfse.Address{
				Street: new("Rua da Assembleia"), Number: new("10"), District: new("Centro"), ZipCode: new("20040002"),
			}
			d.Issuer.ApproximateTaxes = nfse.ApproximateTaxes{Federal: 13_45, Municipal: 2_90}
			sampled[name](&d)
			message, err := Signer{}.SignDeclaration(d, nationaltest.Credentials(t), nationaltest.At)
			if err != nil {
				t.Fatal(err)
			}
			want, got := withoutFederalTaxes(elements(t, sample)), elements(t, message.XML)
			if got != want {
				t.Errorf("\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// incidental are elements that samples and our declarations differ in: the moment and number of
// the document, its texts, what the issuer's standing in Simples Nacional decides.
var incidental = regexp.MustCompile(`infDPS/(dhEmi|verAplic|nDPS|serie|dCompet|serv/cServ/(xDescServ|cIntContrib)|` +
	`toma/xNome|valores/trib/totTrib.*|prest/regTrib/.*)$`)

// elements lists the elements of a DPS, but its signature, in order: the path of each, and its
// text where it has one.
func elements(t *testing.T, document []byte) string {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(string(document)))
	var listed []string
	var path []string
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return strings.Join(listed, "\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "Signature" {
				if err := decoder.Skip(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			path = append(path, token.Name.Local)
			if !incidental.MatchString(strings.Join(path, "/")) {
				listed = append(listed, strings.Join(path, "/"))
			}
		case xml.CharData:
			text := strings.TrimSpace(string(token))
			at := strings.Join(path, "/")
			if text != "" && !incidental.MatchString(at) && !strings.HasSuffix(at, "chNFe") {
				listed[len(listed)-1] += " " + text
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

// withoutFederalTaxes leaves out the group tribFed, which has tests of its own.
func withoutFederalTaxes(listed string) string {
	return regexp.MustCompile(`\n[^\n]*/tribFed[^\n]*`).ReplaceAllString(listed, "")
}
