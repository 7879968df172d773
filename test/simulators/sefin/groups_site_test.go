package sefin_test

import "emissor/test/simulators/sefin"

const (
	byCEP    = "<end><CEP>20040002</CEP><xLgr>R</xLgr><nro>1</nro><xBairro>C</xBairro></end>"
	byAbroad = "<end><endExt><cEndPost>1</cEndPost><xCidade>C</xCidade><xEstProvReg>E</xEstProvReg></endExt>" +
		"<xLgr>R</xLgr><nro>1</nro><xBairro>C</xBairro></end>"
)

// worksAt are works at an address, and eventAt is an event at one.
func worksAt(address string) []change {
	return []change{service("070501"), inside("cServ", "<obra>"+address+"</obra>")}
}

func eventAt(address string) []change {
	return []change{service("120701"), inside("cServ", "<atvEvento><xNome>E</xNome><dtIni>2026-11-20</dtIni>"+
		"<dtFim>2026-11-22</dtFim>"+address+"</atvEvento>")}
}

// exportedTo puts the place into America, which makes it an export.
func exportedTo(changed []change) []change {
	return changes(changed, inAmerica, taxation("3"), change{"</cServ>", trade().to})
}

var siteRules = map[string]ruleCase{
	"works by the CEP of another state": {
		codes: "E0380", breaks: changes(worksAt(byCEP), change{"20040002", "01310100"}), keeps: worksAt(byCEP),
	},
	"works abroad by a CEP": {
		codes: "E0382 E0384", breaks: exportedTo(worksAt(byCEP)), keeps: exportedTo(worksAt(byAbroad)),
	},
	"works in Brazil by an address abroad": {
		codes: "E0386", breaks: worksAt(byAbroad), keeps: worksAt(byCEP),
	},
	"an event by the CEP of another state": {
		codes: "E0398", breaks: changes(eventAt(byCEP), change{"20040002", "01310100"}), keeps: eventAt(byCEP),
	},
	"an event abroad by a CEP": {
		codes: "E0400 E0402", breaks: exportedTo(eventAt(byCEP)), keeps: exportedTo(eventAt(byAbroad)),
	},
	"an event in Brazil by an address abroad": {
		codes: "E0404", breaks: eventAt(byAbroad), keeps: eventAt("<idAtvEvt>1</idAtvEvt>"),
	},
}

// taxpayerIs is a registry with a record of the issuer.
func taxpayerIs(record sefin.Taxpayer) *sefin.Registry {
	return &sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{issuer: record}}
}

var withIM = change{"<regTrib>", "<IM>998877</IM><regTrib>"}

// registerRules are refusals that follow from what is on record alone.
var registerRules = map[string]ruleCase{
	"a company that the register lacks": {
		codes: "E0082", registry: taxpayerIs(sefin.Taxpayer{Unknown: true}), neighbours: taxpayerIs(sefin.Taxpayer{}),
	},
	"a registration without authorisation": {
		codes: "E0119", breaks: []change{withIM}, keeps: []change{withIM, mei},
		registry: taxpayerIs(sefin.Taxpayer{MunicipalRegistration: &some, RegistrationState: sefin.Unauthorised}),
	},
	"an inactive registration": {
		codes: "E0124", breaks: []change{withIM}, keeps: []change{withIM},
		registry:   taxpayerIs(sefin.Taxpayer{MunicipalRegistration: &some, RegistrationState: sefin.Inactive}),
		neighbours: taxpayerIs(sefin.Taxpayer{MunicipalRegistration: &some}),
	},
	"established elsewhere, but an MEI": {
		codes: "E0084", keeps: []change{mei}, registry: taxpayerIs(sefin.Taxpayer{Municipality: "3509502"}),
	},
	"no registration, but of an MEI": {
		codes: "E0116", keeps: []change{mei}, registry: taxpayerIs(sefin.Taxpayer{MunicipalRegistration: &some}),
	},
	"a municipality that the table lacks": {
		codes: "E0238", breaks: []change{{"<cMun>3304557</cMun><CEP>20040020", "<cMun>3303302</cMun><CEP>24020000"}},
		registry: &sefin.Registry{UnknownMunicipalities: []string{"3303302"}},
	},
	"a CEP that the table lacks": {
		codes: "E0240", keeps: []change{{"20040020", "20040021"}},
		registry: &sefin.Registry{UnknownCEPs: []string{"20040020"}},
	},
	"a service that the city does not administer": {
		codes: "E0312", keeps: []change{mei}, registry: rio(sefin.Agreement{NotAdministered: []string{"010701"}}),
	},
	"a code that the city does not have": {
		codes: "E0314", breaks: []change{inside("cTribNac", "<cTribMun>002</cTribMun>")},
		keeps:    []change{inside("cTribNac", "<cTribMun>001</cTribMun>")},
		registry: rio(sefin.Agreement{MunicipalCodes: map[string][]string{"010701": {"001"}}}),
	},
}
