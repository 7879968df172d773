package issnet

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/xmltree"
)

// issue answers GerarNfse.
func (s *Simulator) issue(c *call) answer {
	info := xmltree.At(c.message.root, "DPS/infDPS")
	if info == nil || !takes(info) {
		return notValid
	}
	issuer := xmltree.TextAt(info, "prest/CNPJ") + xmltree.TextAt(info, "prest/CPF")
	codes := c.behaviour.Codes[issuer]
	switch code := xmltree.TextAt(info, "serv/cServ/cTribMun"); {
	case slices.Contains(c.behaviour.NotAllowed, issuer):
		return refuse("E138", "Contribuinte não autorizado a emitir por webservice.")
	case len(codes) > 0 && !slices.Contains(codes, code):
		return refuse("", "O cTribMun informado não existe ou não é administrado pelo município.")
	case !granted(c.behaviour.Granted[issuer], xmltree.TextAt(info, "serie"), xmltree.TextAt(info, "nDPS")):
		return refuse("", "O número da DPS não foi liberado para o contribuinte.")
	}
	judged := c.national.Judge(c.Call, sefin.Issue, c.message.signed)
	if judged.Done {
		return answer{content: "<ListaNfse>" + c.shown(judged.ID, false) + "</ListaNfse>"}
	}
	return c.refused(judged)
}

// refused is why a document was refused. What national schemas say of it is E160 here.
func (c *call) refused(judged sefin.Judged) (said answer) {
	for _, one := range judged.Refused {
		switch one.Code {
		case "E0014":
			said.messages = append(said.messages, message{c.behaviour.ExistsCode, "DPS já existe."})
		case "E0840", "E0802":
			said.messages = append(said.messages, message{"", "A NFS-e já se encontra cancelada."})
		case "E1235":
			said.messages = append(said.messages, notValid.messages...)
		default:
			said.messages = append(said.messages, message{one.Code, one.Text})
		}
	}
	if len(said.messages) == 0 {
		return refuse("E232", "Erro no processamento do arquivo.")
	}
	return said
}

func granted(ranges []Granted, series, number string) bool {
	n, _ := strconv.ParseInt(number, 10, 64)
	of, _ := strconv.Atoi(series)
	return len(ranges) == 0 || slices.ContainsFunc(ranges, func(g Granted) bool {
		return g.Series == of && g.First <= n && n <= g.Last
	})
}

var municipalCodeForm = regexp.MustCompile(`^[1-9][0-9]{0,9}$`)

// takes reports whether this layout takes what the national one does: IM, cTribMun and IBSCBS are there,
// and works, events, real estate and zeros are not as nationally.
func takes(info *etree.Element) bool {
	has := func(path string) bool { return xmltree.At(info, path) != nil }
	for _, wanted := range []string{"prest/IM", "serv/cServ/cTribMun", "IBSCBS"} {
		if !has(wanted) {
			return false
		}
	}
	for _, path := range []string{
		"serv/obra/cObra", "serv/obra/cCIB", "serv/obra/end/CEP", "serv/atvEvento/idAtvEvt", "serv/atvEvento/end/CEP",
		"IBSCBS/imovel/cCIB", "IBSCBS/imovel/end/CEP",
	} {
		if has(path) {
			return false
		}
	}
	for _, path := range []string{
		"toma/cNaoNIF", "interm/cNaoNIF", "serv/comExt/mdPrestacao", "serv/comExt/vincPrest", "serv/comExt/mecAFComexP",
		"serv/comExt/mecAFComexT", "serv/comExt/movTempBens",
	} {
		if has(path) && strings.Trim(xmltree.TextAt(info, path), "0") == "" {
			return false
		}
	}
	return municipalCodeForm.MatchString(xmltree.TextAt(info, "serv/cServ/cTribMun")) &&
		numberForm.MatchString(xmltree.TextAt(info, "nDPS"))
}
