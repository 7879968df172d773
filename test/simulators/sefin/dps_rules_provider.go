package sefin

import (
	"emissor/test/simulators/shared/checkdigit"
)

// What opSimpNac says.
const (
	outsideSimples = "1"
	mei            = "2"
	microOrSmall   = "3"
)

func (r *dpsReview) provider() {
	// A CPF that is none has no certificate, so that E0718 was said before E0096.
	cnpj, cpf := r.get("prest/CNPJ"), r.get("prest/CPF")
	r.rejectIf(cnpj != "" && !checkdigit.CNPJ(cnpj), "E0080")
	r.rejectIf(r.has("prest/xNome"), "E0121")
	r.rejectIf(r.has("prest/end"), "E0128")
	taxpayer, known := r.registry.Taxpayers[r.issuer()]
	if taxpayer.Unknown {
		r.rejectIf(cnpj != "", "E0082")
		r.rejectIf(cpf != "", "E0098")
	}
	// By the federal register alone; the city's own record (CNC) is enough as well.
	r.rejectIf(r.registry.agreement(r.get("cLocEmi")).OnlyRegistered && !r.registeredByCity(taxpayer) &&
		r.simples() == outsideSimples, "E0084")
	if !known {
		return
	}
	if r.get("dCompet") < taxpayer.Since {
		r.rejectIf(cnpj != "", "E0018")
		r.rejectIf(cpf != "", "E0020")
	}
	r.rejectIf(taxpayer.Municipality != "" && taxpayer.Municipality != r.get("cLocEmi") && r.simples() != mei, "E0084")
	r.municipalRegistration(taxpayer)
	r.rejectIf(taxpayer.Simples != "" && taxpayer.Simples != r.simples(), "E0160")
}

// municipalRegistration compares IM with the city's own record of the provider (CNC). An MEI
// need not say it.
func (r *dpsReview) municipalRegistration(taxpayer Taxpayer) {
	im := taxpayer.MunicipalRegistration
	if im == nil {
		return
	}
	if r.city != nil {
		r.rejectIf(*im != r.get("prest/IM"), "L0005")
		return
	}
	isMEI := r.simples() == mei
	r.rejectIf(*im == "" && r.has("prest/IM"), "E0120")
	r.rejectIf(*im != "" && r.get("prest/IM") != *im && !isMEI, "E0116")
	if r.has("prest/IM") {
		r.rejectIf(taxpayer.RegistrationState == Unauthorised && !isMEI, "E0119")
		r.rejectIf(taxpayer.RegistrationState == Inactive, "E0124")
	}
}

// registeredByCity reports whether the city has a record of the provider, and its
// registration was informed.
func (r *dpsReview) registeredByCity(taxpayer Taxpayer) bool {
	im := taxpayer.MunicipalRegistration
	return im != nil && *im != "" && *im == r.get("prest/IM")
}

func (r *dpsReview) regime() {
	simples, regime := r.simples(), r.get("prest/regTrib/regApTribSN")
	r.rejectIf(simples != microOrSmall && regime != "", "E0162")
	r.rejectIf(simples == microOrSmall && regime == "", "E0166")
	if r.get("prest/regTrib/regEspTrib") != "0" {
		r.rejectIf(simples == mei, "E0174")
		r.rejectIf(simples == microOrSmall && regime == "1", "E0175")
	}
}
