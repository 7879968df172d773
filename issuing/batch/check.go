package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"

	"emissor/internal/text"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/batches"
)

// Problem is what is wrong with a cell. Its Key says what, by the names of package catalogue.
type Problem struct {
	Line   int    // of the file, the head being 1
	Field  string // of Columns
	Column string // as the file calls it
	Value  string // of the cell, as it was read; empty where it has none
	Key    ProblemKey
}

// ProblemKey is the kind of a Problem.
type ProblemKey string

// The kinds of problems.
const (
	ProblemValue      ProblemKey = "value"      // not what its rule asks for
	ProblemMissing    ProblemKey = "missing"    //
	ProblemFormula    ProblemKey = "formula"    // a formula, which is not read
	ProblemService    ProblemKey = "service"    // no active service has this id or name
	ProblemServices   ProblemKey = "services"   // several services have this name
	ProblemCustomer   ProblemKey = "customer"   // given by tax id alone, and not on record
	ProblemIncomplete ProblemKey = "incomplete" // on record, without all that a note needs
	ProblemDay        ProblemKey = "day"        // a day that may not be chosen
	ProblemZeros      ProblemKey = "zeros"      // a number that is a CPF or a CNPJ, by how many zeros it has lost
)

// Checked is a file that was read.
type Checked struct {
	Digest      string // SHA-256 of what its lines ask for, in hex: while of no month
	Lines       []batches.BatchLine
	AmountCents int64
	Problems    []Problem // none: it may be accepted

	rows    []row    // of the file, with its head
	columns []Column // of it; without a field where it is not ours
}

// maxProblems is how many problems are looked for in a file.
const maxProblems = 1000

// reference is the reference of the note of a line: the same table makes the same references. The line's month is put
// before its number once it is known (batches.Changes.AcceptBatch).
func reference(table string, line int) string { return fmt.Sprintf("planilha-%.12s-%d", table, line) }

// Check reads a file and checks every line of it. Its error is a FileProblem, or the database's.
// What only services outside know, as whether a zip code exists, is found when a line is accepted.
func Check(ctx context.Context, s *store.Store, rules *catalogue.Catalogue, scope nfse.Scope,
	content []byte) (checked Checked, err error) {
	rows, err := read(ctx, content)
	if err != nil {
		return checked, err
	}
	if len(rows) == 0 {
		return checked, FileEmpty
	}
	c := checker{ctx: ctx, store: s, scope: scope, checked: &checked, sum: sha256.New(),
		customers: map[string]customer{}, services: map[string][]string{}}
	if err := c.readHead(rows[0]); err != nil {
		return checked, err
	}
	if len(rows) == 1 {
		return checked, FileEmpty
	}
	checked.rows = rows
	if c.first, c.last, err = rules.CompetenceDays(ctx, scope.OrganizationID); err != nil {
		return checked, err
	}
	services, err := s.Catalogues.ServiceNames(ctx, scope)
	if err != nil {
		return checked, err
	}
	for _, one := range services {
		name := text.Folded(one.Name)
		c.services[one.ID], c.services[name] = []string{one.ID}, append(c.services[name], one.ID)
	}
	for _, row := range rows[1:] {
		if len(checked.Problems) >= maxProblems {
			break
		}
		if err := c.check(row); err != nil {
			return checked, err
		}
	}
	c.refer()
	return checked, nil
}

// customer is what is on record of a tax id.
type customer struct {
	id       string
	complete bool
}

type checker struct {
	ctx         context.Context
	store       *store.Store
	scope       nfse.Scope
	checked     *Checked
	sum         hash.Hash // of the lines
	columns     []Column  // of the file; without a field where it is not ours
	heads       []string
	row         row                 // that is checked
	services    map[string][]string // ids, by ids and folded names
	customers   map[string]customer
	first, last nfse.Day
}

// readHead finds which column is where.
func (c *checker) readHead(head row) error {
	seen := map[string]bool{}
	for _, cell := range head.cells {
		column, known := columnOf(cell)
		if known && seen[column.Field] {
			column = Column{} // the first one counts
		}
		seen[column.Field] = true
		c.columns, c.heads = append(c.columns, column), append(c.heads, strings.TrimSpace(cell))
	}
	c.checked.columns = c.columns
	for _, column := range Columns {
		if column.Required && !seen[column.Field] {
			return FileNoHead
		}
	}
	return nil
}

// wrong says what is wrong with a field of a line.
func (c *checker) wrong(line int, field string, key ProblemKey) {
	name, value := field, ""
	for i, column := range c.columns {
		if column.Field == field {
			name, value = c.heads[i], c.checked.text(c.row, i)
		}
	}
	if name == field {
		if i := slices.IndexFunc(Columns, func(one Column) bool { return one.Field == field }); i >= 0 {
			name = Columns[i].Name
		}
	}
	c.checked.Problems = append(c.checked.Problems, Problem{line, field, name, value, key})
}

// check checks a line, and adds it where nothing is wrong with it.
func (c *checker) check(row row) error {
	before := len(c.checked.Problems)
	read := c.readCells(row)
	if err := c.add(read); err != nil {
		return err
	}
	issuance := nfse.Issuance{ISSWithheld: read["iss_withheld"] != ""}
	if !c.scope.Livemode {
		issuance.Scenario = nfse.ScenarioAuthorized
	}
	issuance.ServiceID = c.service(row.line, read["service"])
	if text := read["description"]; text != "" {
		issuance.Description = &text
	}
	if issuance.Competence = nfse.Day(read["competence"]); issuance.Competence != "" &&
		(issuance.Competence < c.first || issuance.Competence > c.last) {
		c.wrong(row.line, "competence", ProblemDay)
	}
	fmt.Sscan(read["amount_cents"], &issuance.AmountCents)
	if err := c.taker(row.line, read, &issuance); err != nil {
		return err
	}
	if len(c.checked.Problems) == before {
		c.checked.Lines = append(c.checked.Lines,
			batches.BatchLine{Line: row.line, TaxID: nfse.TaxID(read["tax_id"]), Issuance: issuance})
		c.checked.AmountCents += issuance.AmountCents
	}
	return nil
}

// add adds to the sum what a line asks for, its fields in order. A table that is saved again has
// other bytes, in another format other letters too; the notes that it asks for are the same.
func (c *checker) add(read map[string]string) error {
	line, err := nfse.Marshal(read)
	c.sum.Write(append(line, '\n'))
	return err
}

// refer gives each line its reference, which takes the sum of all. The digest is another sum: earlier versions
// accepted a table by the sum of its lines, regardless of its month.
func (c *checker) refer() {
	table := hex.EncodeToString(c.sum.Sum(nil))
	for i := range c.checked.Lines {
		line := &c.checked.Lines[i]
		line.Issuance.Reference = reference(table, line.Line)
	}
	digest := sha256.Sum256([]byte(table))
	c.checked.Digest = hex.EncodeToString(digest[:])
}

// readCells reads the cells of a line by the rules of their fields, without those that say nothing.
func (c *checker) readCells(row row) map[string]string {
	read := map[string]string{}
	c.row = row
	for i, column := range c.columns {
		cell := ""
		if i < len(row.cells) {
			cell = strings.TrimSpace(strings.ReplaceAll(row.cells[i], "\r\n", "\n"))
		}
		switch {
		case column.Field == "":
		case row.hasFormula(i):
			c.wrong(row.line, column.Field, ProblemFormula)
		case cell == "" && column.Required:
			c.wrong(row.line, column.Field, ProblemMissing)
		case cell != "":
			kept, ok := value(column, cell, row.isNumber(i))
			switch {
			case column.Field == "tax_id" && row.isNumber(i) && ofTwo(cell):
				c.wrong(row.line, column.Field, ProblemZeros)
			case !ok:
				c.wrong(row.line, column.Field, ProblemValue)
			}
			if kept != "" {
				read[column.Field] = kept
			}
		}
	}
	return read
}

// value brings a cell into the form in which it is kept.
func value(column Column, cell string, number bool) (kept string, ok bool) {
	switch column.Field {
	case "amount_cents":
		amount, ok := cents(cell, number)
		return fmt.Sprint(amount), ok && catalogue.CheckAmountCents(amount) == nil
	case "iss_withheld":
		so, ok := yes(cell)
		if !so {
			return "", ok
		}
		return "yes", ok
	case "competence":
		cell = day(cell, number)
	case "tax_id":
		if number {
			cell = digits(cell, cpfDigits, cnpjDigits)
		}
	case "address.zip_code":
		if number {
			cell = digits(cell, 8)
		}
	}
	kept, err := column.rule(cell)
	return kept, err == nil
}

// service finds a service by its id or its name.
func (c *checker) service(line int, called string) string {
	if called == "" {
		return "" // said already
	}
	found := c.services[called]
	if found == nil {
		found = c.services[text.Folded(called)]
	}
	switch len(found) {
	case 0:
		c.wrong(line, "service", ProblemService)
		return ""
	case 1:
		return found[0]
	}
	c.wrong(line, "service", ProblemServices)
	return ""
}

// taker is the customer in full, or the one on record where the line has nothing but a tax id.
func (c *checker) taker(line int, read map[string]string, issuance *nfse.Issuance) error {
	inFull := slices.ContainsFunc(addressFields, func(field string) bool { return read[field] != "" })
	if !inFull {
		return c.onRecord(line, read["tax_id"], issuance)
	}
	for _, field := range neededInFull {
		if read[field] == "" && !c.said(line, field) {
			c.wrong(line, field, ProblemMissing)
		}
	}
	optional := func(field string) *string {
		if read[field] == "" {
			return nil
		}
		return new(read[field])
	}
	issuance.Customer = &nfse.InlineTaker{TaxID: nfse.TaxID(read["tax_id"]), Name: read["name"],
		MunicipalityCode: optional("municipality_code"),
		Address: nfse.Address{ZipCode: optional("address.zip_code"), StreetType: optional("address.street_type"),
			Street: optional("address.street"), Number: optional("address.number"),
			Complement: optional("address.complement"), District: optional("address.district")}}
	if catalogue.CheckStreet(issuance.Customer.Address) != nil {
		c.wrong(line, "address.street", ProblemValue)
	}
	return nil
}

// said reports whether something is said to be wrong with a field already.
func (c *checker) said(line int, field string) bool {
	return slices.ContainsFunc(c.checked.Problems, func(p Problem) bool { return p.Line == line && p.Field == field })
}

func (c *checker) onRecord(line int, taxID string, issuance *nfse.Issuance) error {
	if taxID == "" || c.said(line, "tax_id") {
		return nil
	}
	known, asked := c.customers[taxID]
	if !asked {
		record, err := c.store.Catalogues.CustomerByTaxID(c.ctx, c.scope, nfse.TaxID(taxID))
		if err != nil && !nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return err
		}
		if err == nil {
			missing := record.MissingFiscalField()
			known = customer{record.ID, missing == "" || missing == "municipality_code"}
		}
		c.customers[taxID] = known
	}
	switch {
	case known.id == "":
		c.wrong(line, "tax_id", ProblemCustomer)
	case !known.complete:
		c.wrong(line, "tax_id", ProblemIncomplete)
	}
	issuance.CustomerID = known.id
	return nil
}

// IsFileProblem reports whether err says that a file cannot be read.
func IsFileProblem(err error) (problem FileProblem, ok bool) {
	ok = errors.As(err, &problem)
	return problem, ok
}
