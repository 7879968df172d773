package rules

import (
	"fmt"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// Hold says why a declaration waits for a person, by the parameters of its cities;
// empty when nothing is known that stands against it. Reports of these parameters
// contradict each other, so that they never reject a note. The reason names the
// city by its code: by that its notes are found when its parameters change.
func Hold(declaration fiscal.Declaration) string {
	if reason := CityRefuses(declaration); reason != "" {
		return reason
	}
	return MissingRate(declaration)
}

// CityRefuses says why the city of the issuer does not take its notes, by its
// parameters; empty when it does, or when nothing is known.
//
// An MEI issues everywhere (E0037 to E0039 and E0084 except it), and every ME and
// EPP of Simples since 2026-11-01 by law (CGSN 191/2026), whatever its city has
// set. Who sends a municipal registration may issue by the city's own record of it
// (CNC), whatever it has set for those without (E0084).
func CityRefuses(declaration fiscal.Declaration) string {
	issuer := declaration.Issuer
	city, known := declaration.City(issuer.MunicipalityCode)
	if !known || issuer.Simples != nfse.SimplesNone {
		return ""
	}
	var code, why, parameter string
	switch {
	case !city.Active:
		code, why, parameter = "E0038", "has no active agreement with the national system", "convênio not active"
	case isFalse(city.AderenteEmissorNacional):
		code, why, parameter = "E0039", "issues on a system of its own", "aderenteEmissorNacional 0"
	case isFalse(city.SituacaoEmissaoPadraoContribuintesRFB) && !issuer.SendMunicipalRegistration:
		code, why, parameter = "E0084", "lets no company outside Simples Nacional issue on the national system",
			"situacaoEmissaoPadraoContribuintesRFB 0"
	default:
		return ""
	}
	return fmt.Sprintf("%s: by its parameters (%s) the issuer's city, %s, %s. The note goes on by itself when "+
		"they change. %s", code, parameter, issuer.MunicipalityCode, why, ifWrong(issuer, issuer.MunicipalityCode))
}

// MissingRate says that the ISS rate must be sent, by the parameters of the city
// that the ISS is due to, and the service has none; empty when it is not so.
func MissingRate(declaration fiscal.Declaration) string {
	if !missesRateByParameters(declaration) {
		return ""
	}
	city := taxation.Incidence(declaration)
	return fmt.Sprintf("%s: by its parameters the city that the ISS is due to, %s, has no active agreement with the "+
		"national system, so that the ISS rate must be sent, and the note's service has none. Cancel the note, give "+
		"the service its iss_rate and issue again. %s", rateRule(declaration), city, ifWrong(declaration.Issuer, city))
}

func missesRateByParameters(declaration fiscal.Declaration) bool {
	return taxation.AliquotOf(declaration).Missing && !taxation.DueToActiveCity(declaration) &&
		!taxation.ProfileSaysInactive(declaration)
}

func ifWrong(issuer nfse.FiscalProfile, city string) string {
	environment := "restricted"
	if issuer.Production {
		environment = "production"
	}
	return "If the parameters are wrong: emissor municipality show " + city + " says what is known since when, " +
		"emissor municipality refresh " + city + " --environment " + environment + " has them fetched again, and " +
		"emissor fiscal-profile set --ignore-municipal-parameters goes on without them."
}

func isFalse(flag *bool) bool { return flag != nil && !*flag }

// doubting are the rejections that other parameters than those known would
// explain: of the agreement of the issuer's city, of its services, and of the rate.
var doubting = []string{
	"E0016", "E0025", "E0037", "E0038", "E0039", "E0084", "E0093", "E0312", "E0314", "E0595",
	"E0617", "E0619", "E0621", "E0625", "E0628", "E0631", "E0635", "E0640",
}

// DoubtsCities reports whether a rejection says that the parameters of the note's
// cities may have changed.
func DoubtsCities(code string) bool { return slices.Contains(doubting, code) }
