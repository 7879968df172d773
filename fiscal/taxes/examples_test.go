package taxes_test

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/test/reference"
)

// csrf is what the law withholds of PIS, COFINS and CSLL.
var csrf = nfse.Withholding{PIS: 65, COFINS: 3_00, CSLL: 1_00}

// consulting is what is withheld of it: CSRF and IRRF.
var consulting = nfse.Withholding{IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00}

// of is a declaration of an ordinary company to a company, in 2026.
func of(cents int64, set nfse.Withholding) fiscal.Declaration {
	return fiscal.Declaration{
		Note: nfse.Note{
			AmountCents: cents, Competence: "2026-11-21", Customer: nfse.CustomerSnapshot{TaxID: "33444555000181"},
		},
		Issuer:   nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesNone},
		Taxation: nfse.Taxation{Service: &nfse.ServiceTaxation{Withholding: &set}},
	}
}

// examples are the declarations of withholding-examples.tsv, by the first word of the case.
var examples = map[string]func() fiscal.Declaration{
	"A": func() fiscal.Declaration { return of(10_000_00, consulting) },
	"B": func() fiscal.Declaration {
		d := of(10_000_00, consulting)
		d.Note.Customer.TaxID = "52998224725"
		return d
	},
	"C": func() fiscal.Declaration { return of(1_234_57, consulting) },
	"D": func() fiscal.Declaration { return of(1_000_11, consulting) },
	"E": func() fiscal.Declaration { return of(215_05, consulting) },
	"F": func() fiscal.Declaration { return of(215_20, consulting) },
	"G": func() fiscal.Declaration { return of(666_67, nfse.Withholding{IRRF: 1_50}) },
	"H": func() fiscal.Declaration {
		set := csrf
		set.IRRF, set.INSS = 1_00, 11_00
		return of(8_000_00, set)
	},
	"I": func() fiscal.Declaration {
		d := of(10_000_00, nfse.Withholding{INSS: 11_00, INSSBase: 60_00})
		d.Details.Deduction = &nfse.Deduction{Documents: []nfse.DeductionDocument{{UsedCents: 4_000_00}}}
		return d
	},
	"J": func() fiscal.Declaration {
		d := of(10_000_00, consulting)
		d.Details.UnconditionalDiscountCents, d.Details.ConditionalDiscountCents = 500_00, 200_00
		return d
	},
	"K": func() fiscal.Declaration {
		d := of(10_000_00, consulting)
		d.Taxation.Customer = &nfse.CustomerTaxation{Simples: true}
		return d
	},
	"L": func() fiscal.Declaration {
		d := of(10_000_00, consulting)
		d.Issuer.Simples, d.Issuer.SimplesRegime = nfse.SimplesME, new(1)
		return d
	},
	"M": func() fiscal.Declaration {
		d := of(10_000_00, consulting)
		d.Note.Competence = "2027-01-01"
		return d
	},
	"N": func() fiscal.Declaration { // IRRF of 1.2 % and half of the base of the ISS deducted, as on the note
		set := csrf
		set.IRRF = 1_20
		d := of(25_152_69, set)
		d.Details.Deduction = &nfse.Deduction{Cents: 25_152_69 - 12_576_35}
		return d
	},
}

func TestExamples(t *testing.T) {
	file, err := os.Open(reference.National(t, "data", "withholding-examples.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var columns []string
	seen := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		cells := strings.Split(lines.Text(), "\t")
		if columns == nil {
			columns = cells
			continue
		}
		row := map[string]string{}
		for i, column := range columns {
			row[column] = cells[i]
		}
		name, _, _ := strings.Cut(row["case"], " ")
		make, known := examples[name]
		if !known {
			t.Errorf("the case %q is not tested", row["case"])
			continue
		}
		seen++
		t.Run(name, func(t *testing.T) { checkExample(t, make(), row) })
	}
	if seen != len(examples) {
		t.Errorf("%d cases of %d are in the table", seen, len(examples))
	}
}

func checkExample(t *testing.T, d fiscal.Declaration, row map[string]string) {
	d.Note.ISSWithheld = row["iss_withheld"] == "2"
	federal := taxes.FederalOf(d)
	rate := nfse.Rate(hundredths(t, row["iss_rate"]))
	expected := taxes.Expect(d, taxes.ISSAt(d, &rate), true)
	for column, got := range map[string]int64{
		"vServ": d.Note.AmountCents, "vDescIncond": d.Details.UnconditionalDiscountCents,
		"vDescCond": d.Details.ConditionalDiscountCents,
		"pis":       federal.PIS, "cofins": federal.COFINS, "csll": federal.CSLL, "vRetCSLL": federal.CSRF(),
		"vRetIRRF": federal.IRRF, "vRetCP": federal.INSS, "vBC": *expected.BaseCents, "vISSQN": *expected.ISSCents,
		"vTotalRet": *expected.WithheldCents, "vLiq": *expected.NetCents,
	} {
		if want := hundredths(t, row[column]); got != want {
			t.Errorf("%s is %d, want %d", column, got, want)
		}
	}
	if code := strconv.Itoa(federal.CSRFCode()); code != row["tpRetPisCofins"] {
		t.Errorf("the code is %s, want %s", code, row["tpRetPisCofins"])
	}
}

func hundredths(t *testing.T, text string) int64 {
	t.Helper()
	whole, decimals, _ := strings.Cut(text, ".")
	value, err := strconv.ParseInt(whole+(decimals + "00")[:2], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
