package sefin

import (
	"cmp"
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
	at        time.Time
}

// distribute answers GET /contribuintes/DFe/{NSU}: what concerns a company, after
// a number.
func (s *Simulator) distribute(c *call) response {
	after, err := strconv.ParseInt(c.request.PathValue("nsu"), 10, 64)
	company := caller(c.request.URL.Query().Get("cnpjConsulta"))
	if company == "" {
		company = c.caller
	}
	if err != nil || !company.isOneOf([]string{string(c.caller)}) {
		rejected := rejection{Code: "E2214", Text: "Consulta não permitida."}
		return s.lot(c, http.StatusBadRequest, "REJEICAO", nil, rejected)
	}
	documents := s.documents(func(n *note) bool { return company.isOneOf(n.actors) })
	documents = slices.DeleteFunc(documents, func(d distributed) bool { return d.nsu <= after })
	return s.found(c, documents[:min(largestLot, len(documents))])
}

// distributeEvents answers GET /contribuintes/NFSe/{key}/Eventos.
func (s *Simulator) distributeEvents(c *call) response {
	key := c.request.PathValue("key")
	documents := s.documents(func(n *note) bool { return n.AccessKey == key && c.caller.isOneOf(n.actors) })
	return s.found(c, slices.DeleteFunc(documents, func(d distributed) bool { return d.eventType == "" }))
}

// documents returns the notes that pass, and their events, by NSU.
func (s *Simulator) documents(pass func(*note) bool) []distributed {
	s.mu.Lock()
	defer s.mu.Unlock()
	var documents []distributed
	for _, n := range s.ledger.notes {
		if !pass(n) {
			continue
		}
		documents = append(documents, distributed{n.nsu, n.AccessKey, "", n.xml, n.IssuedAt})
		for _, e := range n.events {
			documents = append(documents, distributed{e.NSU, n.AccessKey, e.Type, e.XML, e.At})
		}
	}
	slices.SortFunc(documents, func(x, y distributed) int { return cmp.Compare(x.nsu, y.nsu) })
	return documents
}

func (s *Simulator) found(c *call, documents []distributed) response {
	if len(documents) == 0 {
		return s.lot(c, http.StatusNotFound, "NENHUM_DOCUMENTO_LOCALIZADO", nil)
	}
	return s.lot(c, http.StatusOK, "DOCUMENTOS_LOCALIZADOS", documents)
}

// lot is a response of the ADN, whose properties begin with a capital.
func (s *Simulator) lot(
	c *call, status int, result string, documents []distributed, rejections ...rejection,
) response {
	environment := "HOMOLOGACAO"
	if s.options.Production {
		environment = "PRODUCAO"
	}
	lot, errs := []any{}, []any{}
	for _, d := range documents {
		entry := map[string]any{
			"NSU": d.nsu, "ChaveAcesso": d.key, "TipoDocumento": "NFSE", "TipoEvento": nil,
			"ArquivoXml": pack(d.xml), "DataHoraGeracao": printTime(d.at),
		}
		if d.eventType != "" {
			entry["TipoDocumento"], entry["TipoEvento"] = "EVENTO", eventLabels[d.eventType]
		}
		lot = append(lot, entry)
	}
	for _, one := range rejections {
		errs = append(errs, map[string]any{"Codigo": one.Code, "Descricao": one.Text})
	}
	return response{status: status, body: map[string]any{
		"StatusProcessamento": result, "LoteDFe": lot, "Alertas": []any{}, "Erros": errs,
		"TipoAmbiente": environment, "VersaoAplicativo": application, "DataHoraProcessamento": printTime(c.now),
	}}
}

// eventLabels are what the ADN calls events (TipoEvento).
var eventLabels = map[string]string{
	"101101": "CANCELAMENTO",
	"101103": "SOLICITACAO_CANCELAMENTO_ANALISE_FISCAL",
	"105102": "CANCELAMENTO_POR_SUBSTITUICAO",
	"105104": "CANCELAMENTO_DEFERIDO_ANALISE_FISCAL",
	"105105": "CANCELAMENTO_INDEFERIDO_ANALISE_FISCAL",
	"203202": "CONFIRMACAO_TOMADOR",
	"305101": "CANCELAMENTO_POR_OFICIO",
}
