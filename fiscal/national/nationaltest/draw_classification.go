package nationaltest

import (
	"slices"

	"pgregory.net/rapid"

	"emissor/fiscal/national/schema"
	"emissor/nfse"
)

// Classification returns one that nothing is wrong with, of the service of
// Declaration.
func Classification() *nfse.Classification {
	return &nfse.Classification{NBS: "115013000", CIndOp: "100301", CST: "000", CClassTrib: "000001"}
}

// plainClasses are codes of NFS-e that require no group of their own: with and
// without reduction, and of a CST without taxation.
var plainClasses = []string{
	"000001", "000006", "010001", "011003", "200001", "200029", "200052", "221001", "400001", "410999", "800002",
	"811001", "820009",
}

// DrawClassification draws one that nothing is wrong with for a national tax code:
// every group that the layout has a place for, and texts of any script.
func DrawClassification(t *rapid.T, nationalTaxCode string) *nfse.Classification {
	c := &nfse.Classification{
		NBS: rapid.SampledFrom([]string{"115013000", "101011100", "999999999"}).Draw(t, "NBS"),
		CIndOp: rapid.SampledFrom([]string{
			"020101", "020201", "020301", "030101", "050102", "050201", "100301", "100501",
		}).Draw(t, "cIndOp"),
		IndFinal: rapid.Ptr(rapid.Bool(), true).Draw(t, "indFinal"),
	}
	drawTaxClass(t, c)
	drawGovernment(t, c, nationalTaxCode)
	if slices.Contains([]string{"020101", "020201", "020301"}, c.CIndOp) {
		c.Property = drawProperty(t)
	}
	return c
}

func drawTaxClass(t *rapid.T, c *nfse.Classification) {
	percent := rapid.Custom(func(t *rapid.T) nfse.Percent {
		return nfse.Percent(rapid.OneOf(rapid.IntRange(0, 100_00),
			rapid.SampledFrom([]int{0, 9, 99, 1_00, 10_00, 100_00})).Draw(t, "hundredths"))
	})
	switch rapid.IntRange(0, 4).Draw(t, "kind of classification") {
	case 0:
		c.CClassTrib = "550022"
		c.RegularTaxation = &nfse.RegularTaxation{CST: "200", CClassTrib: "200029"}
	case 1:
		c.CClassTrib = "515001"
		c.Deferral = &nfse.Deferral{
			State: percent.Draw(t, "deferred of the state"), Municipal: percent.Draw(t, "of the city"),
			Federal: percent.Draw(t, "of the union"),
		}
	default:
		c.CClassTrib = rapid.SampledFrom(plainClasses).Draw(t, "cClassTrib")
	}
	c.CST = c.CClassTrib[:3]
}

// drawGovernment draws what must be declared of the operation: of a purchase by a
// government, and of the subitems 10.05, 15.09, 17.12 and 25.05 (E0903, E0904).
func drawGovernment(t *rapid.T, c *nfse.Classification, nationalTaxCode string) {
	if rapid.IntRange(0, 3).Draw(t, "bought by a government") == 0 {
		c.TpEnteGov = new(rapid.IntRange(1, 4).Draw(t, "tpEnteGov"))
	}
	asked := slices.Contains([]string{"1005", "1509", "1712", "2505"}, nationalTaxCode[:4])
	if asked || c.TpEnteGov != nil {
		c.TpOper = new(rapid.SampledFrom([]int{1, 4, 5}).Draw(t, "tpOper"))
	}
}

func drawProperty(t *rapid.T) *nfse.Property {
	registration := rapid.Ptr(rapid.StringMatching(`[0-9]{1,30}`), true)
	property := &nfse.Property{Registration: registration.Draw(t, "registration")}
	if rapid.Bool().Draw(t, "has a CIB") {
		property.CIB = new(rapid.StringMatching(`[0-9A-Z]{8}`).Draw(t, "CIB"))
		return property
	}
	property.Address = drawAddress(t)
	return property
}

// drawAddress draws the address of a property, a party, a work or an event in Brazil.
func drawAddress(t *rapid.T) *nfse.PropertyAddress {
	address := &nfse.PropertyAddress{
		ZipCode:  rapid.StringMatching(`[0-9]{8}`).Draw(t, "zip code"),
		Street:   DrawText(t, "street", schema.MaxStreet, schema.Line),
		Number:   DrawText(t, "number", schema.MaxAddressNumber, schema.Line),
		District: DrawText(t, "district", schema.MaxDistrict, schema.Line),
	}
	if rapid.Bool().Draw(t, "has complement") {
		address.Complement = new(DrawText(t, "complement", schema.MaxComplement, schema.Line))
	}
	return address
}
