package saopaulo

import (
	"strings"

	"emissor/test/simulators/shared/checkdigit"
)

// theTaker is how texts name the taker.
const theTaker = "tomador"

func (r *review) checkTaker() {
	cnpj, cpf := r.get("CPFCNPJTomador/CNPJ"), r.get("CPFCNPJTomador/CPF")
	r.rejectIf(cnpj != "" && !checkdigit.CNPJ(cnpj), 302)
	r.warnIf(cpf != "" && !checkdigit.CPF(cpf), 337)
	r.warnIf(cnpj != "" && cnpj == r.call.message.sender(), 301)
	r.rejectIf(!plausibleEmail(r.get("EmailTomador")), 261, theTaker)
	r.checkTakerAddress(cnpj != "")
	r.checkTakerRegistration(cnpj)
}

// checkTakerAddress checks the address of the taker. A company must have a whole one.
func (r *review) checkTakerAddress(isCompany bool) {
	city, state := r.get("EnderecoTomador/Cidade"), r.get("EnderecoTomador/UF")
	abroad := r.has("EnderecoTomador/EnderecoExterior")
	if isCompany {
		r.rejectIf(city == "" || state == "", 318)
		if r.blank("EnderecoTomador", "Logradouro", "NumeroEndereco", "Bairro") {
			r.reject(317)
		} else {
			r.checkStreet(theTaker, "EnderecoTomador", "Logradouro", "NumeroEndereco", "Bairro")
		}
	}
	r.rejectIf(abroad && city != "", 247, theTaker)
	r.rejectIf(r.has("CPFCNPJTomador/NIF") && !abroad && city == "", 285, theTaker)
	r.rejectIf(r.get("EnderecoTomador/EnderecoExterior/cPais") == brazil, 256, theTaker, theTaker, theTaker)
	r.rejectIf(!isCEP(r.get("EnderecoTomador/CEP"), city), 342)
	if city == "" {
		return
	}
	exists := checkdigit.Municipality(city)
	r.rejectIf(!exists, 246, theTaker)
	r.warnIf(exists && state != "" && checkdigit.States[city[:2]] != state, 214, city, state)
	r.rejectIf(r.has("InscricaoMunicipalTomador") && city != saoPaulo, 219, r.get("InscricaoMunicipalTomador"))
}

// checkTakerRegistration checks what the city has on record of the taker.
func (r *review) checkTakerRegistration(cnpj string) {
	registrations := r.call.registry.registrationsOf(r.taker())
	r.rejectIf(registrations > 1 && !r.has("InscricaoMunicipalTomador"), 220, r.taker())
	city, state := r.get("EnderecoTomador/Cidade"), r.get("EnderecoTomador/UF")
	r.warnIf(cnpj != "" && registrations > 0 && city != "" && city != saoPaulo, 221, cnpj, city+"/"+state)
}

func plausibleEmail(address string) bool {
	name, domain, found := strings.Cut(address, "@")
	return address == "" || found && name != "" && strings.Contains(domain, ".") && !strings.Contains(address, " ")
}

// checkAddresses checks the other addresses of an RPS, whose parts the schema asks for
// but lets be blank. An event and a property are where the service is rendered.
func (r *review) checkAddresses() {
	rendered := r.get("cLocPrestacao")
	for _, address := range []struct{ of, path, municipality string }{
		{"destinatário", "IBSCBS/dest/end", r.get("IBSCBS/dest/end/endNac/cMun")},
		{"evento", "atvEvento/end", rendered},
		{"imóvel", "IBSCBS/imovelobra/end", rendered},
	} {
		if !r.has(address.path) {
			continue
		}
		r.checkStreet(address.of, address.path, "xLgr", "nro", "xBairro")
		cep := r.get(address.path+"/CEP") + r.get(address.path+"/endNac/CEP")
		r.rejectIf(!isCEP(cep, address.municipality), 260, address.of)
	}
}

// checkStreet finds which elements an address lacks.
func (r *review) checkStreet(of, path, street, number, district string) {
	r.rejectIf(r.blank(path, street), 252, of)
	r.rejectIf(r.blank(path, number), 253, of)
	r.rejectIf(r.blank(path, district), 251, of)
}

// blank reports whether none of some elements says anything.
func (r *review) blank(path string, names ...string) bool {
	for _, name := range names {
		if strings.TrimSpace(r.get(path+"/"+name)) != "" {
			return false
		}
	}
	return true
}

// isCEP reports whether a CEP, without the zeros before it, is of the state of a
// municipality. None is not wrong, nor is one of no municipality.
func isCEP(cep, municipality string) bool {
	return cep == "" || !checkdigit.Municipality(municipality) ||
		checkdigit.StateOfCEP(zeros(cep, 8)) == checkdigit.States[municipality[:2]]
}
