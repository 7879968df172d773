package sefin

import (
	"strings"

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
	// By the federal register alone; the city's own record (CNC) is enough as well.
	r.rejectIf(r.registry.agreement(r.get("cLocEmi")).OnlyRegistered && !r.registeredByCity(taxpayer) &&
		r.get("prest/regTrib/opSimpNac") == outsideSimples, "E0084")
	if !known {
		return
	}
	if r.get("dCompet") < taxpayer.Since {
		r.rejectIf(cnpj != "", "E0018")
		r.rejectIf(cpf != "", "E0020")
	}
	r.rejectIf(taxpayer.Municipality != "" && taxpayer.Municipality != r.get("cLocEmi"), "E0084")
	if im := taxpayer.MunicipalRegistration; im != nil {
		r.rejectIf(*im == "" && r.has("prest/IM"), "E0120")
		r.rejectIf(*im != "" && r.get("prest/IM") != *im, "E0116")
	}
	r.rejectIf(taxpayer.Simples != "" && taxpayer.Simples != r.get("prest/regTrib/opSimpNac"), "E0160")
}

// registeredByCity reports whether the city has a record of the provider, and its
// registration was informed.
func (r *dpsReview) registeredByCity(taxpayer Taxpayer) bool {
	im := taxpayer.MunicipalRegistration
	return im != nil && *im != "" && *im == r.get("prest/IM")
}

func (r *dpsReview) regime() {
	simples, regime := r.get("prest/regTrib/opSimpNac"), r.get("prest/regTrib/regApTribSN")
	r.rejectIf(simples != microOrSmall && regime != "", "E0162")
	r.rejectIf(simples == microOrSmall && regime == "", "E0166")
	if r.get("prest/regTrib/regEspTrib") != "0" {
		r.rejectIf(simples == mei, "E0174")
		r.rejectIf(simples == microOrSmall && regime == "1", "E0175")
	}
}

func (r *dpsReview) taker() {
	withheld := r.get("valores/trib/tribMun/tpRetISSQN") == "2"
	taxID := r.taxID("toma")
	r.rejectIf(withheld && taxID == "", "E0204")
	r.rejectIf(withheld && !r.has("toma/end/endNac"), "E0237")
	atTaker := supplyPlaces[r.get("IBSCBS/cIndOp")] == atRecipient
	r.rejectIf(atTaker && !r.has("toma"), "E0187")
	isDueThere := r.get("serv/cServ/cTribNac")[:4] == dueAtTaker
	r.rejectIf((isDueThere || atTaker && r.has("toma")) && !r.has("toma/end"), "E0234")
	if cnpj := r.get("toma/CNPJ"); cnpj != "" {
		r.rejectIf(!checkdigit.CNPJ(cnpj), "E0188")
		r.rejectIf(!r.registry.knowsTaker(cnpj), "E0190")
	}
	if cpf := r.get("toma/CPF"); cpf != "" {
		r.rejectIf(!checkdigit.CPF(cpf), "E0206")
		r.rejectIf(!r.registry.knowsTaker(cpf), "E0207")
		r.rejectIf(withheld && r.registry.RefuseCPFWithholding, "E0667")
	}
	r.rejectIf(taxID != "" && taxID == r.issuer(), "E0202")
	if municipality := r.get("toma/end/endNac/cMun"); municipality != "" {
		if !checkdigit.Municipality(municipality) {
			r.reject("E0238")
		} else {
			r.rejectIf(!r.registry.postalCodeOf(r.get("toma/end/endNac/CEP"), municipality), "E0240")
		}
	}
	if email := r.get("toma/email"); email != "" {
		r.rejectIf(!validEmail(email), "E0247")
	}
}

func validEmail(email string) bool {
	name, domain, found := strings.Cut(email, "@")
	return found && name != "" && strings.Contains(strings.Trim(domain, "."), ".") && !strings.ContainsAny(domain, "@ ")
}
