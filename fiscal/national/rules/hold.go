package rules

import (
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Hold says why a declaration waits for a person, by the parameters of its cities;
// none when nothing is known that speaks against it. Reports of these parameters
// contradict each other, so that they never reject a note. The reason names the
// city by its code: by that its notes are found when its parameters change.
func Hold(declaration fiscal.Declaration) fact.Fact {
	if reason := CityRefuses(declaration); !reason.None() {
		return reason
	}
	if month := taxation.LacksSimplesRate(declaration); month != "" {
		return fact.SimplesRateMissing.With("rule", rateRule(declaration), "month", month)
	}
	return MissingRate(declaration)
}

// CityRefuses says why the city of the issuer does not take its notes, by its
// parameters; none when it does, or when nothing is known.
//
// An MEI issues everywhere (E0037 to E0039 and E0084 except it), and every ME and EPP of Simples since 2026-11-01 by
// law (CGSN 191/2026), no matter what its city has set. An issuer that sends a municipal registration may issue by
// the city's own record of it (CNC), no matter what the city has set for those without (E0084).
func CityRefuses(declaration fiscal.Declaration) fact.Fact {
	issuer := declaration.Issuer
	city, known := declaration.City(issuer.MunicipalityCode)
	if !known || issuer.Simples != nfse.SimplesNone {
		return fact.Fact{}
	}
	refuses := func(rule string, parameter any, why fact.Fact) fact.Fact {
		return fact.CityRefuses.With("rule", rule, "parameter", parameter, "municipality", issuer.MunicipalityCode,
			"why", why, "if_wrong", ifWrong(issuer, issuer.MunicipalityCode))
	}
	switch {
	case !city.Active:
		return refuses("E0038", fact.AgreementNotActive.Fact(), fact.CityHasNoAgreement.Fact())
	case isFalse(city.AderenteEmissorNacional):
		return refuses("E0039", "aderenteEmissorNacional 0", fact.CityHasOwnSystem.Fact())
	case isFalse(city.SituacaoEmissaoPadraoContribuintesRFB) && !issuer.SendMunicipalRegistration:
		return refuses("E0084", "situacaoEmissaoPadraoContribuintesRFB 0", fact.CityLetsNobodyIssue.Fact())
	}
	return fact.Fact{}
}

// MissingRate says that the ISS rate must be sent, by the parameters of the city
// that the ISS is due to, and the service has none; none when it is not so.
func MissingRate(declaration fiscal.Declaration) fact.Fact {
	if !missesRateByParameters(declaration) {
		return fact.Fact{}
	}
	city := taxation.Incidence(declaration)
	return fact.CityNeedsRate.With("rule", rateRule(declaration), "municipality", city,
		"if_wrong", ifWrong(declaration.Issuer, city))
}

// missesRateByParameters reports whether there would be no need of a rate if the
// parameters said otherwise. Within Simples it is withholding that needs one.
func missesRateByParameters(declaration fiscal.Declaration) bool {
	return taxation.AliquotOf(declaration).Missing && !taxation.PaysWithinSimples(declaration.Issuer) &&
		!taxation.DueToActiveCity(declaration) && !taxation.ProfileSaysInactive(declaration)
}

func ifWrong(issuer nfse.FiscalProfile, city string) fact.Fact {
	environment := "restricted"
	if issuer.Production {
		environment = "production"
	}
	return fact.CityParametersWrong.With("municipality", city, "environment", environment)
}

func isFalse(flag *bool) bool { return flag != nil && !*flag }

// doubting are the rejections that other parameters than those known would
// explain: of the agreement of the issuer's city, of its services, and of the rate.
var doubting = []string{
	"E0016", "E0025", "E0037", "E0038", "E0039", "E0084", "E0093", "E0312", "E0314",
	"E0617", "E0619", "E0621", "E0625", "E0628", "E0631", "E0635", "E0640",
}

// DoubtsCities reports whether a rejection says that the parameters of the note's
// cities may have changed.
func DoubtsCities(code string) bool { return slices.Contains(doubting, code) }
