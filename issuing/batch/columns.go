package batch

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"emissor/internal/text"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

// Column is a column of a spreadsheet: its field, as catalogue and form name it, and how files
// call it.
type Column struct {
	Field    string
	Name     string   // in the template
	Aliases  []string // other names that are read
	rule     catalogue.Rule
	Required bool // in every line; the others of a customer are needed where its address is given
}

// Columns are all columns, in the order of the template.
var Columns = []Column{
	{Field: "service", Name: "servico", Aliases: []string{"service", "service_id"}, rule: catalogue.ID, Required: true},
	{Field: "tax_id", Name: "cpf_cnpj", Aliases: []string{"cpf", "cnpj", "cpf/cnpj", "document", "tax_id"},
		rule: catalogue.TaxID, Required: true},
	{Field: "name", Name: "nome", Aliases: []string{"name", "razao social"}, rule: catalogue.CustomerName},
	{Field: "address.zip_code", Name: "cep", Aliases: []string{"zip_code"}, rule: catalogue.ZipCode},
	{Field: "address.street_type", Name: "tipo_logradouro", Aliases: []string{"street_type"},
		rule: catalogue.StreetType},
	{Field: "address.street", Name: "logradouro", Aliases: []string{"rua", "street"}, rule: catalogue.Street},
	{Field: "address.number", Name: "numero", Aliases: []string{"number"}, rule: catalogue.Number},
	{Field: "address.complement", Name: "complemento", Aliases: []string{"complement"}, rule: catalogue.Complement},
	{Field: "address.district", Name: "bairro", Aliases: []string{"district"}, rule: catalogue.District},
	{Field: "municipality_code", Name: "municipio_ibge", Aliases: []string{"municipality_code"},
		rule: catalogue.MunicipalityCode},
	{Field: "amount_cents", Name: "valor", Aliases: []string{"amount", "value"}, Required: true},
	{Field: "competence", Name: "competencia", Aliases: []string{"competence", "data"}, rule: catalogue.Competence},
	{Field: "description", Name: "descricao", Aliases: []string{"description"}, rule: catalogue.Description},
	{Field: "iss_withheld", Name: "iss_retido", Aliases: []string{"iss_withheld"}},
}

// addressFields are the fields of which any one makes a line name its customer in full.
var addressFields = []string{"name", "address.zip_code", "address.street_type", "address.street", "address.number",
	"address.complement", "address.district", "municipality_code"}

// neededInFull are those that such a line must have.
var neededInFull = []string{"name", "address.zip_code", "address.street", "address.number", "address.district"}

// columnOf finds the column of a head cell, regardless of accents, letter case and spaces.
func columnOf(head string) (Column, bool) {
	head = plainHead(head)
	for _, column := range Columns {
		for _, name := range append([]string{column.Name}, column.Aliases...) {
			if head == plainHead(name) {
				return column, true
			}
		}
	}
	return Column{}, false
}

var headSpace = regexp.MustCompile(`[\s_]+`)

func plainHead(head string) string {
	return headSpace.ReplaceAllString(text.Folded(strings.TrimSpace(head)), "_")
}

var (
	groupedComma = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{3})+(,[0-9]{1,2})?$`) // 1.250,50
	groupedPoint = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+\.[0-9]{1,2}$`)    // 1,250.50
	plainAmount  = regexp.MustCompile(`^[0-9]{1,13}([.,][0-9]{1,2})?$`)          // 1250,5
)

// cents reads an amount as people write it: 1.250,50, 1250,50, 1250.5 and R$ 1.250 are the same
// money in their ways. A number of a workbook has a decimal point, and may be inexact.
func cents(cell string, number bool) (int64, bool) {
	cell = strings.NewReplacer("R$", "", " ", "", "\u00a0", "").Replace(cell)
	switch {
	case number:
		value, err := strconv.ParseFloat(cell, 64)
		if err != nil || math.Abs(value) > 1e12 || math.Abs(value*100-math.Round(value*100)) > 1e-4 {
			return 0, false
		}
		return int64(math.Round(value * 100)), true
	case groupedComma.MatchString(cell):
		cell = strings.ReplaceAll(cell, ".", "")
	case groupedPoint.MatchString(cell):
		cell = strings.ReplaceAll(cell, ",", "")
	case !plainAmount.MatchString(cell):
		return 0, false
	}
	whole, decimals, _ := strings.Cut(strings.Replace(cell, ",", ".", 1), ".")
	read, err := strconv.ParseInt(whole+(decimals + "00")[:2], 10, 64)
	return read, err == nil
}

var brazilianDay = regexp.MustCompile(`^([0-9]{2})/([0-9]{2})/([0-9]{4})$`)

// firstDay is day 0 of a workbook, as it counts days after February 1900.
var firstDay = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// day reads 31/12/2026 or 2026-12-31, and a number of a workbook, which counts days.
func day(cell string, number bool) string {
	if parts := brazilianDay.FindStringSubmatch(cell); parts != nil {
		return parts[3] + "-" + parts[2] + "-" + parts[1]
	}
	if days, err := strconv.ParseFloat(cell, 64); number && err == nil && days > 60 && days < 200_000 {
		return string(nfse.Day(firstDay.AddDate(0, 0, int(days)).Format(time.DateOnly)))
	}
	return cell
}

// yes reads whether something is so.
func yes(cell string) (so, ok bool) {
	switch plainHead(cell) {
	case "sim", "s", "yes", "y", "true", "1", "x", "verdadeiro":
		return true, true
	case "nao", "n", "no", "false", "0", "", "falso":
		return false, true
	}
	return false, false
}

// digits gives back the zeros before a number of a workbook: it keeps none.
func digits(cell string, lengths ...int) string {
	value, err := strconv.ParseFloat(cell, 64)
	if err != nil || value < 0 || value > 1e15 || value != math.Trunc(value) {
		return cell
	}
	cell = strconv.FormatFloat(value, 'f', 0, 64)
	for _, length := range lengths {
		if len(cell) <= length {
			return strings.Repeat("0", length-len(cell)) + cell
		}
	}
	return cell
}

// How many digits tax ids have.
const (
	cpfDigits  = 11
	cnpjDigits = 14
)

// ofTwo reports whether a number of a workbook is both a CPF and a CNPJ that have lost their zeros:
// which one was meant only a text says.
func ofTwo(cell string) bool {
	_, notCPF := nfse.ParseTaxID(digits(cell, cpfDigits))
	_, notCNPJ := nfse.ParseTaxID(digits(cell, cnpjDigits))
	return notCPF == nil && notCNPJ == nil && digits(cell, cpfDigits) != digits(cell, cnpjDigits)
}
