package classification

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Table is one of the tables, by the field of the layout whose codes it lists.
type Table string

// The tables.
const (
	TableCST        Table = "cst"
	TableClassTrib  Table = "cclasstrib"
	TableCredPres   Table = "ccredpres"
	TableIndOp      Table = "cindop"       // Annex C: by this layout 1.01 is checked
	TableIndOpNT009 Table = "cindop-nt009" // Annex VII: where the same code can mean another place
	// Annex VII as the city of São Paulo applies it, which is not that of NT 009. Its
	// schema names V1.00.00, which is not published any more: v1.02.00 is built in.
	TableIndOpSaoPaulo Table = "cindop-sao-paulo"
	TableNBS           Table = "nbs"         // Annex B
	TableServiceCode   Table = "ctribnac"    // Annex B, too
	TableCorrelation   Table = "correlation" // Annex VIII: from service codes to the others, for suggestions
	TableLinks         Table = "links"       // of NBS, cClassTrib and cIndOp, as the calculator of IBS and CBS has them
)

// TableNames are all of them.
var TableNames = []Table{TableCST, TableClassTrib, TableCredPres, TableIndOp, TableIndOpNT009,
	TableIndOpSaoPaulo, TableNBS, TableServiceCode, TableCorrelation, TableLinks}

// Record is a row of a table as text, by the names of its columns (see Columns).
// It is how editions are stored.
type Record map[string]string

// least is how many rows a table has at least: a file with fewer is not the whole
// table.
var least = map[Table]int{
	TableCST: 12, TableClassTrib: 120, TableCredPres: 8, TableIndOp: 20, TableIndOpNT009: 30, TableIndOpSaoPaulo: 20,
	TableNBS: 800, TableServiceCode: 300, TableCorrelation: 800, TableLinks: 800,
}

// Columns are the columns of each table, the code first where it has one.
var Columns = map[Table][]string{
	TableCST: {"CST", "name", "ind_gIBSCBS", "ind_gIBSCBSMono", "ind_gRed", "ind_gDif", "ind_gTransfCred",
		"ind_gCredPresIBSZFM", "ind_gAjusteCompet", "ind_RedutorBC"},
	TableClassTrib: {"cClassTrib", "name", "indNFSe", "pRedIBS", "pRedCBS", "ind_gTribRegular",
		"ind_gCredPresOper", "ind_gEstornoCred", "tpRBSN", "dIniVig", "dFimVig"},
	TableCredPres:      {"cCredPres", "name", "dIniVigCBS", "dFimVigCBS", "dIniVigIBS", "dFimVigIBS"},
	TableIndOp:         {"cIndOp", "name", "place"},
	TableIndOpNT009:    {"cIndOp", "name", "place"},
	TableIndOpSaoPaulo: {"cIndOp", "name", "place"},
	TableNBS:           {"cNBS", "name"},
	TableServiceCode:   {"cTribNac", "name"},
	TableCorrelation:   {"item", "cNBS", "onerous", "abroad", "cIndOp", "cClassTrib"},
	TableLinks:         {"cNBS", "cClassTrib", "cIndOp", "dIniVig", "dFimVig"},
}

// codeDigits is how long codes are, by their column.
var codeDigits = map[string]int{
	"CST": 3, "cClassTrib": 6, "cCredPres": 2, "cIndOp": 6, "cNBS": 9, "cTribNac": 6,
}

// CST is a kind of taxation, and which groups it brings.
type CST struct {
	Code, Name                                                string
	GIBSCBS, GIBSCBSMono, GRed, GDif                          bool
	GTransfCred, GCredPresIBSZFM, GAjusteCompet, HasRedutorBC bool
}

// ClassTrib is a classification under a CST, the first three digits of its code.
type ClassTrib struct {
	Code, Name       string
	NFSe             bool   // may be used in an NFS-e
	PRedIBS, PRedCBS string // reductions in percent; empty: not known
	GTribRegular     bool   // requires the group of regular taxation
	GCredPresOper    bool   // allows a presumed credit
	GEstornoCred     bool
	RevenueKind      string // tpRBSN: of an issuer in Simples; empty: not known
	From, Until      string // days, inclusive; an empty Until is open
}

// IndOp is an indicator of the operation: what it is of, and where it takes
// place.
type IndOp struct{ Code, Name, Place string }

// CredPres is a kind of presumed credit.
type CredPres struct{ Code, Name, From string }

// Correlation is a line of Annex VIII: what may go together with a subitem of
// the list of LC 116. Empty fields say nothing.
type Correlation struct {
	Item    string // subitem, 4 digits, or 6 with a breakdown
	NBS     string
	Onerous string // S or N
	Abroad  string // S or N: the acquirer is abroad
	CIndOp  string

	ClassTrib string
}

// Edition is one edition of a table, in force from a day until a later one is.
type Edition struct {
	Table Table
	Name  string
	From  string // its first day, as 2026-11-22; empty: the first edition

	cst          map[string]CST
	classTribs   map[string]ClassTrib
	credPres     map[string]CredPres
	indOps       map[string]IndOp
	names        map[string]string // of cNBS, cTribNac
	correlations map[string][]Correlation
	links        map[string][]link // by NBS
	codes        map[string]bool   // of every row
	rows         int
}

// Has reports whether it lists a code, or as a correlation the subitem.
func (e *Edition) Has(code string) bool { return e.codes[code] }

// Rows is how many rows it has.
func (e *Edition) Rows() int { return e.rows }

// NewEdition reads the rows of an edition. What is no whole table is refused: the
// error names the row and its column.
func NewEdition(table Table, name, from string, records []Record) (*Edition, error) {
	if !slices.Contains(TableNames, table) {
		return nil, fmt.Errorf("there is no table %q", table)
	}
	if from != "" && !isDay(from) {
		return nil, fmt.Errorf("%q is no day as 2026-11-22", from)
	}
	e := &Edition{Table: table, Name: name, From: from,
		cst: map[string]CST{}, classTribs: map[string]ClassTrib{}, credPres: map[string]CredPres{},
		indOps: map[string]IndOp{}, names: map[string]string{}, correlations: map[string][]Correlation{},
		links: map[string][]link{}, codes: map[string]bool{}}
	for i, record := range records {
		row := rowReader{record: record}
		code := e.add(&row)
		if row.err == nil && table != TableCorrelation && table != TableLinks && e.Has(code) {
			row.err = fmt.Errorf("%s %s is there twice", Columns[table][0], code)
		}
		if row.err != nil {
			return nil, fmt.Errorf("table %s, row %d: %w", table, i+1, row.err)
		}
		e.codes[code] = true
	}
	if e.rows = len(records); e.rows < least[table] {
		return nil, fmt.Errorf("the table %s has %d rows; a whole one has %d or more", table, e.rows, least[table])
	}
	if table == TableClassTrib {
		if forNFSe := e.forNFSe(); forNFSe < 40 {
			return nil, fmt.Errorf("only %d codes of the table %s are for NFS-e (indNFSe); a whole one has 40 or more",
				forNFSe, table)
		}
	}
	return e, nil
}

func (e *Edition) forNFSe() (count int) {
	for _, row := range e.classTribs {
		if row.NFSe {
			count++
		}
	}
	return count
}

// add puts a row into its table, and returns its code.
func (e *Edition) add(row *rowReader) (code string) {
	name := row.record["name"]
	switch e.Table {
	case TableCST:
		code = row.code("CST")
		e.cst[code] = CST{Code: code, Name: name,
			GIBSCBS: row.flag("ind_gIBSCBS"), GIBSCBSMono: row.flag("ind_gIBSCBSMono"), GRed: row.flag("ind_gRed"),
			GDif: row.flag("ind_gDif"), GTransfCred: row.flag("ind_gTransfCred"),
			GCredPresIBSZFM: row.flag("ind_gCredPresIBSZFM"), GAjusteCompet: row.flag("ind_gAjusteCompet"),
			HasRedutorBC: row.flag("ind_RedutorBC")}
	case TableClassTrib:
		code = row.code("cClassTrib")
		e.classTribs[code] = ClassTrib{Code: code, Name: name, NFSe: row.flag("indNFSe"),
			PRedIBS: row.record["pRedIBS"], PRedCBS: row.record["pRedCBS"],
			GTribRegular: row.flag("ind_gTribRegular"), GCredPresOper: row.flag("ind_gCredPresOper"),
			GEstornoCred: row.flag("ind_gEstornoCred"), RevenueKind: row.record["tpRBSN"],
			From: row.day("dIniVig"), Until: row.day("dFimVig")}
	case TableCredPres:
		code = row.code("cCredPres")
		e.credPres[code] = CredPres{Code: code, Name: name,
			From: earlier(row.day("dIniVigCBS"), row.day("dIniVigIBS"))}
	case TableIndOp, TableIndOpNT009, TableIndOpSaoPaulo:
		code = row.code("cIndOp")
		e.indOps[code] = IndOp{Code: code, Name: name, Place: row.record["place"]}
	case TableNBS:
		code = row.code("cNBS")
		e.names[code] = name
	case TableServiceCode:
		code = row.code("cTribNac")
		e.names[code] = name
	case TableCorrelation:
		line := Correlation{Item: row.record["item"], NBS: row.optionalCode("cNBS"),
			Onerous: row.yesNo("onerous"), Abroad: row.yesNo("abroad"),
			CIndOp: row.optionalCode("cIndOp"), ClassTrib: row.optionalCode("cClassTrib")}
		if !isDigits(line.Item, 4) && !isDigits(line.Item, 6) {
			row.fail("item", "must be 4 or 6 digits")
		}
		code = line.Item
		if !slices.Contains(e.correlations[code[:min(4, len(code))]], line) {
			key := code[:min(4, len(code))]
			e.correlations[key] = append(e.correlations[key], line)
		}
	case TableLinks:
		code = row.code("cNBS")
		e.links[code] = append(e.links[code], link{ClassTrib: row.code("cClassTrib"), IndOp: row.code("cIndOp"),
			From: row.day("dIniVig"), Until: row.day("dFimVig")})
	}
	return code
}

// rowReader reads the fields of a row; the first that is wrong is its error.
type rowReader struct {
	record Record
	err    error
}

func (r *rowReader) fail(column, problem string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s %s, and is %q", column, problem, r.record[column])
	}
}

func (r *rowReader) code(column string) string {
	if value := r.record[column]; isDigits(value, codeDigits[column]) {
		return value
	}
	r.fail(column, fmt.Sprintf("must be %d digits", codeDigits[column]))
	return ""
}

func (r *rowReader) optionalCode(column string) string {
	if r.record[column] == "" {
		return ""
	}
	return r.code(column)
}

func (r *rowReader) flag(column string) bool {
	switch r.record[column] {
	case "1":
		return true
	case "0", "":
		return false
	}
	r.fail(column, "must be 0 or 1")
	return false
}

func (r *rowReader) yesNo(column string) string {
	value := strings.ToUpper(r.record[column])
	if value != "" && value != "S" && value != "N" {
		r.fail(column, "must be S or N")
	}
	return value
}

func (r *rowReader) day(column string) string {
	value := r.record[column]
	if value != "" && !isDay(value) {
		r.fail(column, "must be a day as 2026-11-22")
	}
	return value
}

func earlier(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isDigits(s string, count int) bool {
	return len(s) == count && strings.Trim(s, "0123456789") == ""
}

// ParseTable reads the name of a table.
func ParseTable(name string) (Table, error) {
	if !slices.Contains(TableNames, Table(name)) {
		words := make([]string, len(TableNames))
		for i, table := range TableNames {
			words[i] = string(table)
		}
		return "", errors.New("must be one of " + strings.Join(words, ", "))
	}
	return Table(name), nil
}
