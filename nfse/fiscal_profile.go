package nfse

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// SimplesOption is the option of an issuer in Simples Nacional (field opSimpNac).
type SimplesOption int

// The options of Simples Nacional.
const (
	SimplesNone SimplesOption = 1 // not in Simples Nacional
	SimplesMEI  SimplesOption = 2 // microentrepreneur
	SimplesME   SimplesOption = 3 // micro or small company (ME/EPP)
)

// PaysFederalTaxesWithinSimples reports whether the issuer's federal taxes are part of its payment
// to Simples Nacional (opSimpNac 3, regApTribSN 1 or 2).
func (p FiscalProfile) PaysFederalTaxesWithinSimples() bool {
	return p.Simples == SimplesME && p.SimplesRegime != nil && *p.SimplesRegime != 3
}

// Percent is a percentage in hundredths, from 0 to 100: 1345 is 13.45 %.
type Percent int

var percentForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,2})(\.[0-9]{1,2})?$`)

// ParsePercent reads a percentage without passing through a float.
func ParsePercent(text string) (Percent, error) {
	whole, decimals, _ := strings.Cut(text, ".")
	hundredths, err := strconv.Atoi(whole + (decimals + "00")[:2])
	if err != nil || !percentForm.MatchString(text) || hundredths > 100_00 {
		return 0, errors.New("must be a percentage from 0 to 100 with at most two decimals, as 13.45")
	}
	return Percent(hundredths), nil
}

// String prints two decimals, as fiscal documents do: 13.45.
func (p Percent) String() string { return fmt.Sprintf("%d.%02d", p/100, p%100) }

// Of returns the percentage of an amount in cents, rounded half to even. The amount may have 15
// digits, so that the product is not formed at once.
func (p Percent) Of(cents int64) int64 {
	const whole = 100_00
	product := cents % whole * int64(p)
	result, rest := cents/whole*int64(p)+product/whole, product%whole
	if rest > whole/2 || rest == whole/2 && result%2 == 1 {
		result++
	}
	return result
}

// ApproximateTaxes are the approximate total of taxes that an invoice informs
// (Law 12.741; group totTrib), in percent of the price. An issuer outside
// Simples Nacional informs the first three, an ME or EPP the last; an MEI none.
type ApproximateTaxes struct {
	Federal   Percent `json:"federal"`
	State     Percent `json:"state"`
	Municipal Percent `json:"municipal"`
	Simples   Percent `json:"simples"`
}

// FiscalProfile is what an authority must know of an organization that issues.
// An organization has at most one; without it its live notes wait.
type FiscalProfile struct {
	OrganizationID string `json:"organization_id"`
	Authority      string `json:"authority"`  // the name of the authority by which its notes are issued: see Moves
	Production     bool   `json:"production"` // false: the authority's own test system, as produção restrita
	TaxID          TaxID  `json:"tax_id"`     // of the issuer

	MunicipalRegistration *string `json:"municipal_registration"`
	// SendMunicipalRegistration is true only where the city registers it with the
	// authority (E0116, E0120).
	SendMunicipalRegistration bool   `json:"send_municipal_registration"`
	MunicipalityCode          string `json:"municipality_code"` // where the issuer is established (cLocEmi)

	// TaxationInside and TaxationOutside are the letters (TributacaoRPS) that tell the city
	// of São Paulo how a service is taxed that is taxed there (T) or elsewhere (F), where the
	// issuer is exempt, immune or suspended. Empty is T and F.
	TaxationInside  string `json:"taxation_inside,omitempty"`
	TaxationOutside string `json:"taxation_outside,omitempty"`

	Simples          SimplesOption    `json:"simples"`
	SimplesRegime    *int             `json:"simples_regime"` // 1, 2 or 3 (regApTribSN); of ME and EPP only
	SpecialRegime    int              `json:"special_regime"` // 0 to 6, or 9 (regEspTrib)
	Series           int              `json:"series"`         // used by nobody else; the authority says how large
	ApproximateTaxes ApproximateTaxes `json:"approximate_taxes"`

	// InactiveMunicipalities have no active agreement with the national system, no matter what their parameters say:
	// where the ISS is due to one of them, the rate is sent (E0619). For other cities the parameters decide; where
	// nothing is known of them they count as active, and no rate is sent (E0617).
	InactiveMunicipalities []string `json:"inactive_municipalities"`
	// IgnoreMunicipalParameters leaves what cities' parameters would decide to
	// InactiveMunicipalities and to the authority's answers, for when parameters are wrong.
	IgnoreMunicipalParameters bool `json:"ignore_municipal_parameters"`

	// ExactCertificate has documents signed only by a certificate of this very establishment.
	// Otherwise one of any establishment with the same root of the CNPJ signs too, where the
	// authority takes that.
	ExactCertificate bool `json:"exact_certificate,omitempty"`

	// CompetenceDaysBack is how many days before today a person may set a note's day of
	// competence: 0 is none, and nil is DefaultCompetenceDaysBack.
	CompetenceDaysBack *int `json:"competence_days_back,omitempty"`

	// OwnContributions are declared on every note where the law has them; nil: none.
	OwnContributions *OwnContributions `json:"own_contributions,omitempty"`
	// SimplesRates are the effective ISS rates of an issuer in Simples Nacional, by the month
	// in which it was subject to them: of ISS that is withheld, the one of the month before the
	// note's is sent (LC 123, art. 21 §4). Where there are none it is the service's rate.
	SimplesRates map[Month]Rate `json:"simples_rates,omitempty"`
	// RejectRefused ends a note that the authority refuses for the company's settings or
	// registers as rejected. Else it waits until they are put right.
	RejectRefused bool `json:"reject_refused,omitempty"`
	// CancellationAnalysis is what follows when the city refuses to cancel a note and may
	// decide by an analysis. Empty is AskPerson.
	CancellationAnalysis CancellationAnalysis `json:"cancellation_analysis,omitempty"`

	// GrantedNumbers are those that the city has granted for Series: no other one is taken. Nil: any.
	GrantedNumbers *NumberRange `json:"granted_numbers,omitempty"`
	// Moves are in the order of their days, of which each is another. What is decided of a note
	// goes by On, with its day of competence.
	Moves []Move `json:"moves,omitempty"`
}

// CancellationAnalysis says who asks a city for the analysis of a cancellation.
type CancellationAnalysis string

// Who asks for it.
const (
	AskPerson       CancellationAnalysis = "ask"     // a person, on the note's page or by command
	RequestAnalysis CancellationAnalysis = "request" // nobody: it is requested at once
)

// Analyses is CancellationAnalysis, or its default.
func (p FiscalProfile) Analyses() CancellationAnalysis {
	return cmp.Or(p.CancellationAnalysis, AskPerson)
}

// The default and the bound of CompetenceDaysBack. The greatest is five years, within which
// the tax of a service can be assessed (CTN, art. 173).
const (
	DefaultCompetenceDaysBack = 31
	MaxCompetenceDaysBack     = 1826
)

// DaysBack returns CompetenceDaysBack, or the default where the profile has none.
func (p FiscalProfile) DaysBack() int {
	if p.CompetenceDaysBack == nil {
		return DefaultCompetenceDaysBack
	}
	return *p.CompetenceDaysBack
}

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

// Keeping is the profile as it holds for a note of a day of competence whose number was taken by an earlier profile,
// number. While the issuer is the same, the number stays at its authority and in its series, no matter what the
// profile says of the day. Only where the profile no longer has that series at that authority but another one, as
// when a person has replaced a series that is refused (E0010), the note moves to the other one.
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
