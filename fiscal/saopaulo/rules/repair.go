package rules

import "emissor/fiscal"

// repairs are the codes by which the city refuses what is clearly of the company's settings or
// registration: the note waits until a person has put that right. Nothing of it can be corrected
// without one.
var repairs = map[string]fiscal.Repair{
	"1202": ofCompany("InscricaoPrestador", fiscal.OfProfile, fiscal.GiveRegistration),
	"1207": ofCompany("InscricaoPrestador", fiscal.OfCity, fiscal.AskCityThenSend),
	"1208": ofCompany("InscricaoPrestador", fiscal.OfCity, fiscal.AskCityThenSend),
	"1404": ofCompany("InscricaoPrestador", fiscal.OfProfile, fiscal.GiveRegistration),
	"359":  ofCompany("Prestador", fiscal.OfProfile, fiscal.CorrectSimples),
	"394":  ofCompany("Prestador", fiscal.OfProfile, fiscal.CorrectSimples),
	"641":  ofCompany("Prestador", fiscal.OfProfile, fiscal.CorrectSimples),
	"222":  ofService(),
	"306":  ofService(),
	"335":  ofService(),
	"361":  ofService(),
	"367":  ofService(),
}

func ofCompany(subject string, whose fiscal.Whose, act fiscal.Act) fiscal.Repair {
	return fiscal.Repair{Subject: subject, Whose: whose, Act: act, Scope: fiscal.ScopeCompany}
}

func ofService() fiscal.Repair {
	return fiscal.Repair{
		Subject: "CodigoServico", Whose: fiscal.OfService, Act: fiscal.CorrectService, Scope: fiscal.ScopeService,
	}
}

// RepairOf returns what is known of a code by which a note is refused.
func RepairOf(code string) fiscal.Repair { return repairs[code] }
