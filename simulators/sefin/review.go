package sefin

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// review is the look at a DPS that the schema accepted: what is known, and what
// was found.
type review struct {
	*dps
	registry   *Registry
	production bool
	now        time.Time
	notes      func(accessKey string) *note // nil when there is none
	signer     func() (problem *message)

	found []message
}

func (r *review) refuse(code string) { r.found = append(r.found, *refuse(code)) }

func (r *review) refuseIf(wrong bool, code string) {
	if wrong {
		r.refuse(code)
	}
}

// steps are looked at in order. The first that finds something ends the review:
// what comes later may rest on it.
var steps = []func(*review){
	(*review).version, (*review).identity, (*review).dates, (*review).municipality, (*review).signature,
	(*review).provider, (*review).regime, (*review).taker, (*review).service, (*review).values,
	(*review).withholding, (*review).rate, (*review).totals, (*review).federalTaxes, (*review).consumptionTaxes, (*review).replacement,
}

func (r *review) run() []message {
	for _, step := range steps {
		if step(r); len(r.found) > 0 {
			return r.found
		}
	}
	return nil
}

func (r *review) version() {
	r.refuseIf(r.root.SelectAttrValue("versao", "") == "1.00" && !r.registry.AcceptVersion100, "E0001")
}

func (r *review) identity() {
	r.refuseIf(r.get("tpEmit") != "1", "E9996")
	r.refuseIf(r.has("prest/NIF"), "E0112")
	r.refuseIf(r.has("prest/cNaoNIF"), "E0114")
	if len(r.found) > 0 {
		return
	}
	r.refuseIf(r.id() != r.expectedID(), "E0004")
	ambience := "2"
	if r.production {
		ambience = "1"
	}
	r.refuseIf(r.get("tpAmb") != ambience, "E0006")
	series, _ := strconv.Atoi(r.get("serie"))
	r.refuseIf(series < 1 || series > 49999, "E0010")
}

func (r *review) dates() {
	r.refuseIf(r.issued().After(r.now), "E0008")
	r.refuseIf(r.get("dCompet") > r.get("dhEmi")[:10], "E0015")
}

// municipality is that of the issuer. An MEI may issue everywhere.
func (r *review) municipality() {
	agreement := r.registry.agreement(r.get("cLocEmi"))
	isMEI := r.get("prest/regTrib/opSimpNac") == mei
	switch {
	case agreement.Absent:
		r.refuseIf(!isMEI || !municipalityExists(r.get("cLocEmi")), "E0037")
	case isMEI:
	case agreement.Inactive:
		r.refuse("E0038")
	case agreement.OwnIssuer:
		r.refuse("E0039")
	default:
		r.refuseIf(r.get("dCompet") < agreement.Since, "E0016")
	}
}

func (r *review) signature() {
	if problem := r.signer(); problem != nil {
		r.found = append(r.found, *problem)
	}
}

// What opSimpNac says.
const (
	notOptant    = "1"
	mei          = "2"
	microOrSmall = "3"
)

func (r *review) provider() {
	// A CPF that is none has no certificate, so that E0718 was said before E0096.
	cnpj, cpf := r.get("prest/CNPJ"), r.get("prest/CPF")
	r.refuseIf(cnpj != "" && !validCNPJ(cnpj), "E0080")
	r.refuseIf(r.has("prest/xNome"), "E0121")
	r.refuseIf(r.has("prest/end"), "E0128")
	taxpayer, known := r.registry.Taxpayers[r.issuer()]
	if !known {
		return
	}
	if r.get("dCompet") < taxpayer.Since {
		r.refuseIf(cnpj != "", "E0018")
		r.refuseIf(cpf != "", "E0020")
	}
	r.refuseIf(taxpayer.Municipality != "" && taxpayer.Municipality != r.get("cLocEmi"), "E0084")
	if im := taxpayer.MunicipalRegistration; im != nil {
		r.refuseIf(*im == "" && r.has("prest/IM"), "E0120")
		r.refuseIf(*im != "" && r.get("prest/IM") != *im, "E0116")
	}
	r.refuseIf(taxpayer.Simples != "" && taxpayer.Simples != r.get("prest/regTrib/opSimpNac"), "E0160")
}

func (r *review) regime() {
	simples, apuration, special := r.get("prest/regTrib/opSimpNac"), r.get("prest/regTrib/regApTribSN"), r.get("prest/regTrib/regEspTrib")
	r.refuseIf(simples != microOrSmall && apuration != "", "E0162")
	r.refuseIf(simples == microOrSmall && apuration == "", "E0166")
	if special != "0" {
		r.refuseIf(r.get("valores/trib/tribMun/tribISSQN") != "1", "E0172")
		r.refuseIf(simples == mei, "E0174")
		r.refuseIf(simples == microOrSmall && apuration == "1", "E0175")
	}
}

func (r *review) taker() {
	withheld := r.get("valores/trib/tribMun/tpRetISSQN") == "2"
	document := r.document("toma")
	r.refuseIf(withheld && document == "", "E0204")
	r.refuseIf(withheld && !r.has("toma/end/endNac"), "E0237")
	r.refuseIf(r.get("serv/cServ/cTribNac")[:4] == takerPlace && !r.has("toma/end"), "E0234")
	if cnpj := r.get("toma/CNPJ"); cnpj != "" {
		r.refuseIf(!validCNPJ(cnpj), "E0188")
		r.refuseIf(!r.registry.knowsTaker(cnpj), "E0190")
	}
	if cpf := r.get("toma/CPF"); cpf != "" {
		r.refuseIf(!validCPF(cpf), "E0206")
		r.refuseIf(!r.registry.knowsTaker(cpf), "E0207")
		r.refuseIf(withheld && r.registry.RefuseCPFWithholding, "E0667")
	}
	r.refuseIf(document != "" && root8(document) == root8(r.issuer()), "E0202")
	if municipality := r.get("toma/end/endNac/cMun"); municipality != "" {
		if !municipalityExists(municipality) {
			r.refuse("E0238")
		} else {
			r.refuseIf(!r.registry.postalCodeOf(r.get("toma/end/endNac/CEP"), municipality), "E0240")
		}
	}
	if email := r.get("toma/email"); email != "" {
		name, domain, found := strings.Cut(email, "@")
		wrong := !found || name == "" || !strings.Contains(strings.Trim(domain, "."), ".") || strings.ContainsAny(domain, "@ ")
		r.refuseIf(wrong, "E0247")
	}
}

func (r *review) service() {
	if place := r.get("serv/locPrest/cLocPrestacao"); place != "" {
		r.refuseIf(place != "0000000" && !municipalityExists(place), "E0302")
	}
	r.refuseIf(r.get("serv/locPrest/cPaisPrestacao") == "BR", "E0304")
	service := r.get("serv/cServ/cTribNac")
	r.refuseIf(!serviceExists(service), "E0310")
	r.refuseIf(r.get("serv/cServ/cTribMun") == "000", "E0315")
	nbs := r.get("serv/cServ/cNBS")
	r.refuseIf(nbs != "" && !nbsExists(nbs), "E0316")
	r.refuseIf(nbs == "" && r.has("IBSCBS"), "E0322")
	isWork, isEvent := slices.Contains(works, service), strings.HasPrefix(service, "12")
	r.refuseIf(isWork && !r.has("serv/obra"), "E0370")
	r.refuseIf(!isWork && service != "990101" && r.has("serv/obra"), "E0372")
	r.refuseIf(isEvent && !r.has("serv/atvEvento"), "E0390")
	r.refuseIf(!isEvent && service != "990101" && r.has("serv/atvEvento"), "E0392")
}

// replacement looks at the note that a DPS replaces.
func (r *review) replacement() {
	if !r.has("subst") {
		return
	}
	r.refuseIf(r.get("subst/cMotivo") == "99" && !r.has("subst/xMotivo"), "E0078")
	key := r.get("subst/chSubstda")
	if !validKey(key) || key[:7] != r.get("cLocEmi") || key[8:23] != inscription(r.issuer()) {
		r.refuse("E0042")
		return
	}
	replaced := r.notes(key)
	if replaced == nil {
		r.refuse("E0044")
		return
	}
	r.refuseIf(replaced.barring("105102") != "", "E0046")
	motive := r.get("subst/cMotivo")
	r.refuseIf(motive != "01" && motive != "02" && r.registry.tooLate(replaced.IssuedAt, r.now), "E0050")
	before, same := replaced.source(), func(paths ...string) bool {
		for _, path := range paths {
			if replaced.source().get(path) != r.get(path) {
				return false
			}
		}
		return true
	}
	if r.get("prest/regTrib/opSimpNac") == notOptant {
		unchanged := same("dCompet", "serv/cServ/cTribMun", "serv/locPrest/cLocPrestacao") &&
			before.get("serv/cServ/cTribNac")[:4] == r.get("serv/cServ/cTribNac")[:4]
		r.refuseIf(!unchanged, "E0060")
		return
	}
	unchanged := same("dCompet", "valores/vServPrest/vServ") &&
		(before.document("toma") == "" || before.document("toma") == r.document("toma"))
	r.refuseIf(!unchanged, "E0061")
}
