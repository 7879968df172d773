package nationaltest

import (
	"time"

	"emissor/fiscal"
	"emissor/nfse"
)

// At is the moment that most tests are at.
var At = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// Declaration returns one that nothing is wrong with: a company outside Simples
// Nacional, a person in another city, nothing withheld.
func Declaration() fiscal.Declaration {
	return fiscal.Declaration{
		Number: 42,
		Note: nfse.Note{
			ID: "nfse_1", Status: nfse.StatusProcessing, Livemode: true, Reference: "order-1", AmountCents: 15000,
			Competence: nfse.DayOf(At),
			Service: nfse.ServiceSnapshot{
				Name: "Consultoria", Description: "Consultoria em software", MunicipalityCode: "3304557",
				NationalTaxCode: new("010601"),
			},
			Customer: nfse.CustomerSnapshot{
				TaxID: "52998224725", Name: "Maria da Silva", MunicipalityCode: new("3550308"),
				Address: nfse.Address{
					StreetType: new("Avenida"), Street: new("Paulista"), Number: new("1000"),
					District: new("Bela Vista"),
					ZipCode:  new("01310100"), Complement: new("Sala 1"),
				},
			},
			Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromZipCode, Verified: true},
		},
		Issuer: nfse.FiscalProfile{
			OrganizationID: "org_1", Authority: "national", TaxID: "11222333000181", MunicipalityCode: "3304557",
			Simples: nfse.SimplesNone, Series: 1,
			ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, State: 0, Municipal: 500},
		},
	}
}

// Small makes the issuer an ME or EPP with a regime of Simples.
func Small(d *fiscal.Declaration, regime int) {
	d.Issuer.Simples, d.Issuer.SimplesRegime = nfse.SimplesME, &regime
	d.Issuer.ApproximateTaxes = nfse.ApproximateTaxes{Simples: 600}
}

// Micro makes the issuer an MEI.
func Micro(d *fiscal.Declaration) {
	d.Issuer.Simples, d.Issuer.SimplesRegime, d.Issuer.ApproximateTaxes = nfse.SimplesMEI, nil, nfse.ApproximateTaxes{}
}

// Withhold has the ISS withheld, at a rate of the service; 0 is none.
func Withhold(d *fiscal.Declaration, rate nfse.Rate) {
	d.Note.ISSWithheld = true
	if rate != 0 {
		d.Note.Service.ISSRate = &rate
	}
}

// Inactive has the ISS due to a city without an active agreement.
func Inactive(d *fiscal.Declaration) { d.Issuer.InactiveMunicipalities = []string{"3304557"} }

// WithholdFederal has a company take the service, and withhold a set of federal taxes.
func WithholdFederal(d *fiscal.Declaration, set nfse.Withholding) {
	d.Note.Customer.TaxID = "33444555000181"
	d.Taxation.Service = &nfse.ServiceTaxation{Withholding: &set}
}
