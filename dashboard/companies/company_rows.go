package companies

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/fiscal/authorities"
	"emissor/issuing/company"
	"emissor/nfse"
)

// moveRow is a planned change of who issues, and rateRow the rate of a month in Simples Nacional, as a row of the
// profile's form has it. The fields of a column have one name, so that a form has as many rows as it sends.
type (
	moveRow struct{ From, Authority, Series, Numbers string }
	rateRow struct{ Month, Rate string }
)

// typedRows are the rows of a form in which one of the columns is filled in.
func typedRows(r *frame.Request, columns ...string) (rows [][]string) {
	for i := range r.PostForm[columns[0]] {
		row, filled := make([]string, len(columns)), false
		for at, column := range columns {
			if typed := r.PostForm[column]; i < len(typed) {
				row[at] = strings.TrimSpace(typed[i])
			}
			filled = filled || row[at] != ""
		}
		if filled {
			rows = append(rows, row)
		}
	}
	return rows
}

// showRows has the page show the moves and rates of a profile.
func (p *companyPage) showRows(language words.Language, profile nfse.FiscalProfile) {
	for _, move := range profile.Moves {
		row := moveRow{string(move.From), move.Authority, strconv.Itoa(move.Series), ""}
		if move.GrantedNumbers != nil {
			row.Numbers = move.GrantedNumbers.String()
		}
		p.Moves = append(p.Moves, row)
	}
	for _, month := range slices.Sorted(maps.Keys(profile.SimplesRates)) {
		rate := format.Percent(language, profile.SimplesRates[month].String())
		p.Rates = append(p.Rates, rateRow{string(month), rate})
	}
}

// typeRows has the page show the rows that were typed.
func (p *companyPage) typeRows(r *frame.Request) {
	p.Moves, p.Rates = nil, nil
	for _, row := range typedRows(r, "moves_from", "moves_authority", "moves_series", "moves_numbers") {
		p.Moves = append(p.Moves, moveRow{row[0], row[1], row[2], row[3]})
	}
	for _, row := range typedRows(r, "rates_month", "rates_rate") {
		p.Rates = append(p.Rates, rateRow{row[0], row[1]})
	}
}

// readRows puts the rows into the profile. A move without day and authority is none, and so is a month without rate.
func (p *companyPage) readRows(profile *nfse.FiscalProfile) {
	var moves, rates []string
	for _, row := range p.Moves {
		if row.From == "" && row.Authority == "" {
			continue
		}
		moves = append(moves, row.From+"="+row.Authority+":"+row.Series)
		if row.Numbers != "" {
			moves[len(moves)-1] += ":" + row.Numbers
		}
	}
	for _, row := range p.Rates {
		rates = append(rates, row.Month+"="+format.ParsePercent(row.Rate))
	}
	var err error
	if profile.Moves, err = company.ParseMoves(moves); err != nil {
		p.Form.AddProblem("moves", "company.moves.wrong")
	}
	if profile.SimplesRates, err = company.ChangeSimplesRates(nil, rates); err != nil {
		p.Form.AddProblem("simples_rates", "company.simples_rates.wrong")
	}
}

// MoveRows are the rows of moves, and an empty one for the next.
func (p companyPage) MoveRows() []moveRow { return append(p.Moves, moveRow{}) }

// RateRows are the rows of rates, likewise.
func (p companyPage) RateRows() []rateRow { return append(p.Rates, rateRow{}) }

// movesText says moves in words.
func movesText(language words.Language, moves []nfse.Move) string {
	var said []string
	for _, move := range moves {
		by, _ := authorities.Named(move.Authority)
		one := language.Say("company.moves.said", format.Date(language, move.From), language.Of(by), move.Series)
		if move.GrantedNumbers != nil {
			one += " (" + move.GrantedNumbers.String() + ")"
		}
		said = append(said, one)
	}
	return strings.Join(said, "; ")
}

// simplesRatesText says rates of months in words.
func simplesRatesText(language words.Language, rates map[nfse.Month]nfse.Rate) string {
	var said []string
	for _, month := range slices.Sorted(maps.Keys(rates)) {
		said = append(said, format.Month(language, month)+": "+format.Percent(language, rates[month].String())+" %")
	}
	return strings.Join(said, "; ")
}
