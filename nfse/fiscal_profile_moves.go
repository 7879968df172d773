package nfse

// Move says from which day of competence on an organization issues by another authority, or under
// another series.
type Move struct {
	From      Day    `json:"from"`
	Authority string `json:"authority"`
	Series    int    `json:"series"`
	// GrantedNumbers are of this series: see FiscalProfile.GrantedNumbers.
	GrantedNumbers *NumberRange `json:"granted_numbers,omitempty"`
}

// On is the profile as it holds for a day of competence. It has no moves.
func (p FiscalProfile) On(day Day) FiscalProfile {
	periods := p.Periods()
	on := periods[0]
	for i, move := range p.Moves {
		if move.From <= day {
			on = periods[i+1]
		}
	}
	return on
}

// Periods are the profile as it holds before its first move, and from each of them on.
func (p FiscalProfile) Periods() []FiscalProfile {
	periods := make([]FiscalProfile, 1, 1+len(p.Moves))
	moves := p.Moves
	p.Moves = nil
	periods[0] = p
	for _, move := range moves {
		p.Authority, p.Series, p.GrantedNumbers = move.Authority, move.Series, move.GrantedNumbers
		periods = append(periods, p)
	}
	return periods
}

// Keeping is the profile as it holds for a note of a day of competence whose number was taken by the
// profile of before: while the issuer is the same, the number stays at its authority and in its series,
// whatever the profile says of the day. Only where the profile has another series of that authority in
// the place of this one, as a person has replaced one that is refused (E0010), it is that.
func (p FiscalProfile) Keeping(number FiscalProfile, day Day) FiscalProfile {
	kept := p.On(day)
	if p.TaxID != number.TaxID || p.Production != number.Production || p.MunicipalityCode != number.MunicipalityCode {
		return kept
	}
	candidates := append(p.Periods(), kept)
	kept.Authority, kept.Series, kept.GrantedNumbers = number.Authority, number.Series, number.GrantedNumbers
	for _, period := range candidates {
		if period.Authority != number.Authority {
			continue
		}
		if kept = period; period.Series == number.Series {
			break
		}
	}
	return kept
}
