package sefin

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// largestLot is how many documents the ADN hands out at once.
const largestLot = 50

// distributed is a document in the order of the ADN.
type distributed struct {
	nsu       int64
	key       string
	eventType string // empty for a note
	xml       []byte
	archive   string // in place of the packed XML, of what was put there by hand
	at        time.Time
	company   string // of what was put there by hand: whose it is
}

// numbering makes NSUs of the numbers of documents.
type numbering struct{ step, shift int64 }

func (n numbering) of(number int64) int64 { return number*max(1, n.step) + n.shift }

// Renumber changes the NSU of everything that is distributed, as the authority did
// once: to the number of the document times a step, which makes gaps, and a shift.
func (s *Simulator) Renumber(step, shift int64) error {
	if step < 1 || shift < 0 {
		return errors.New("the step must be 1 or more, and the shift 0 or more")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numbering = numbering{step, shift}
	return nil
}

// MaskPositions has the NSU of everything that is distributed said to be 0, as was recorded, or no longer.
func (s *Simulator) MaskPositions(masked bool) {
	s.masksPositions.Store(masked)
}

// Distribute puts something into a company's distribution, after what is there: it is always the event (ArquivoXml)
// of a document, no matter what it holds. It is not kept between runs.
func (s *Simulator) Distribute(taxID, accessKey, archive string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger.last++
	s.distributed = append(s.distributed, distributed{
		nsu: s.ledger.last, key: accessKey, eventType: "101101", archive: archive, at: s.Now(), company: taxID,
	})
}

// Pack is base64 of gzip, as documents come in ArquivoXml.
func Pack(document []byte) string { return pack(document) }

// distribute answers GET /contribuintes/DFe/{NSU}: what concerns a company, after
// a number.
func (s *Simulator) distribute(c *call) response {
	after, err := strconv.ParseInt(c.Request.PathValue("nsu"), 10, 64)
	company := caller(c.Request.URL.Query().Get("cnpjConsulta"))
	if company == "" {
		company = c.caller
	}
	if err != nil || !company.isOneOf([]string{string(c.caller)}) {
		return s.refusedLot(c, http.StatusBadRequest, []rejection{{Code: "E2243", Text: "CNPJ base divergente"}})
	}
	// One establishment's, not its company's: each has a sequence of its own.
	documents := s.documents(string(company), func(n *note) bool { return slices.Contains(n.actors, string(company)) })
	documents = slices.DeleteFunc(documents, func(d distributed) bool { return d.nsu <= after })
	most := largestLot
	if c.Request.URL.Query().Get("lote") == "false" {
		most = 1
	}
	return s.found(c, documents[:min(most, len(documents))])
}

// distributeEvents answers GET /contribuintes/NFSe/{key}/Eventos.
func (s *Simulator) distributeEvents(c *call) response {
	key := c.Request.PathValue("key")
	documents := s.documents("", func(n *note) bool { return n.AccessKey == key && c.caller.isOneOf(n.actors) })
	return s.found(c, slices.DeleteFunc(documents, func(d distributed) bool { return d.eventType == "" }))
}

// documents returns the notes that pass, and their events, by NSU, with what was put
// there by hand for a company.
func (s *Simulator) documents(company string, pass func(*note) bool) []distributed {
	s.mu.Lock()
	defer s.mu.Unlock()
	var documents []distributed
	for _, d := range s.distributed {
		if company != "" && d.company == company {
			documents = append(documents, d)
		}
	}
	for _, n := range s.ledger.notes {
		if !pass(n) {
			continue
		}
		documents = append(documents, distributed{
			nsu: n.nsu, key: n.AccessKey, xml: n.xml, at: n.IssuedAt})
		for _, e := range n.events {
			documents = append(documents, distributed{
				nsu: e.NSU, key: n.AccessKey, eventType: e.Type, xml: e.XML, at: e.At})
		}
	}
	for i := range documents {
		documents[i].nsu = s.numbering.of(documents[i].nsu)
	}
	slices.SortFunc(documents, func(x, y distributed) int { return cmp.Compare(x.nsu, y.nsu) })
	return documents
}

func (s *Simulator) found(c *call, documents []distributed) response {
	switch {
	case len(documents) > 0:
		return response{status: http.StatusOK, body: s.lot(c, "DOCUMENTOS_LOCALIZADOS", documents)}
	case s.described:
		return response{status: http.StatusNotFound, body: s.lot(c, "NENHUM_DOCUMENTO_LOCALIZADO", nil)}
	}
	return response{status: http.StatusNotFound, body: s.lot(c, "NENHUM_DOCUMENTO_LOCALIZADO", nil, nothingNew)}
}

// nothingNew comes with 404 when everything was handed out (recording 18).
var nothingNew = rejection{Code: "E2220", Text: "Nenhum documento localizado - não existem documentos fiscais para " +
	"o Contribuinte a partir do NSU informado."}

// refusedLot is a refusal of the ADN, which has less than its lots (recording 19); as described it is a lot.
func (s *Simulator) refusedLot(c *call, status int, rejections []rejection) response {
	body := s.lot(c, "REJEICAO", nil, rejections...)
	if !s.described {
		for _, absent := range []string{"LoteDFe", "TipoAmbiente", "VersaoAplicativo", "DataHoraProcessamento"} {
			delete(body, absent)
		}
	}
	return response{status: status, body: body}
}

// lot is the body of a response of the ADN, whose properties begin with a capital.
func (s *Simulator) lot(c *call, result string, documents []distributed, rejections ...rejection) map[string]any {
	environment := "HOMOLOGACAO"
	if s.production {
		environment = "PRODUCAO"
	}
	lot, errs := []any{}, []any{}
	for _, d := range documents {
		if d.company == "" {
			d.archive = pack(d.xml)
		}
		entry := map[string]any{
			"NSU": d.nsu, "ChaveAcesso": d.key, "TipoDocumento": "NFSE", "TipoEvento": nil,
			"ArquivoXml": d.archive, "DataHoraGeracao": printTime(d.at),
		}
		if s.masksPositions.Load() {
			entry["NSU"] = 0
		}
		if d.eventType != "" {
			entry["TipoDocumento"], entry["TipoEvento"] = "EVENTO", eventLabels[d.eventType]
		}
		lot = append(lot, entry)
	}
	for _, one := range rejections {
		said := map[string]any{"Codigo": one.Code, "Descricao": one.Text, "Mensagem": map[string]any{}}
		if s.described {
			said["Mensagem"], said["Parametros"], said["Complemento"] = nil, nil, nil
		}
		errs = append(errs, said)
	}
	return map[string]any{
		"StatusProcessamento": result, "LoteDFe": lot, "Alertas": []any{}, "Erros": errs,
		"TipoAmbiente": environment, "VersaoAplicativo": application, "DataHoraProcessamento": printTime(c.Now),
	}
}

// eventLabels are what the ADN calls events (TipoEvento).
var eventLabels = map[string]string{
	"101101": "CANCELAMENTO",
	"101103": "SOLICITACAO_CANCELAMENTO_ANALISE_FISCAL",
	"105102": "CANCELAMENTO_POR_SUBSTITUICAO",
	"105104": "CANCELAMENTO_DEFERIDO_ANALISE_FISCAL",
	"105105": "CANCELAMENTO_INDEFERIDO_ANALISE_FISCAL",
	"202201": "CONFIRMACAO_PRESTADOR",
	"203202": "CONFIRMACAO_TOMADOR",
	"204203": "CONFIRMACAO_INTERMEDIARIO",
	"205204": "CONFIRMACAO_TACITA",
	"202205": "REJEICAO_PRESTADOR",
	"203206": "REJEICAO_TOMADOR",
	"204207": "REJEICAO_INTERMEDIARIO",
	"205208": "ANULACAO_REJEICAO",
	"305101": "CANCELAMENTO_POR_OFICIO",
	"305102": "BLOQUEIO_POR_OFICIO",
	"305103": "DESBLOQUEIO_POR_OFICIO",
}
