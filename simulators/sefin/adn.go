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
func (a *Authority) distribute(v *visit) answer {
	after, err := strconv.ParseInt(v.request.PathValue("nsu"), 10, 64)
	document := v.request.URL.Query().Get("cnpjConsulta")
	if document == "" {
		document = string(v.caller)
	}
	if err != nil || root8(document) != root8(string(v.caller)) {
		return a.lot(v, http.StatusBadRequest, "REJEICAO", nil, message{Code: "E2214", Text: "Consulta não permitida."})
	}
	documents := a.documents(func(n *note) bool { return caller(document).isOneOf(n.actors) })
	documents = slices.DeleteFunc(documents, func(d distributed) bool { return d.nsu <= after })
	return a.found(v, documents[:min(largestLot, len(documents))])
}

// distributeEvents answers GET /contribuintes/NFSe/{key}/Eventos.
func (a *Authority) distributeEvents(v *visit) answer {
	key := v.request.PathValue("key")
	documents := a.documents(func(n *note) bool { return n.AccessKey == key && v.caller.isOneOf(n.actors) })
	return a.found(v, slices.DeleteFunc(documents, func(d distributed) bool { return d.eventType == "" }))
}

// documents are the notes that pass, and their events, by NSU.
func (a *Authority) documents(pass func(*note) bool) []distributed {
	a.mu.Lock()
	defer a.mu.Unlock()
	var documents []distributed
	for _, n := range a.ledger.notes {
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

func (a *Authority) found(v *visit, documents []distributed) answer {
	if len(documents) == 0 {
		return a.lot(v, http.StatusNotFound, "NENHUM_DOCUMENTO_LOCALIZADO", nil)
	}
	return a.lot(v, http.StatusOK, "DOCUMENTOS_LOCALIZADOS", documents)
}

// lot is an answer of the ADN, whose properties begin with a capital.
func (a *Authority) lot(v *visit, status int, result string, documents []distributed, problems ...message) answer {
	ambience := "HOMOLOGACAO"
	if a.options.Production {
		ambience = "PRODUCAO"
	}
	lot, wrong := []any{}, []any{}
	for _, d := range documents {
		entry := map[string]any{
			"NSU": d.nsu, "ChaveAcesso": d.key, "TipoDocumento": "NFSE", "TipoEvento": nil,
			"ArquivoXml": pack(d.xml), "DataHoraGeracao": printTime(d.at),
		}
		if d.eventType != "" {
			entry["TipoDocumento"], entry["TipoEvento"] = "EVENTO", distributedNames[d.eventType]
		}
		lot = append(lot, entry)
	}
	for _, problem := range problems {
		wrong = append(wrong, map[string]any{"Codigo": problem.Code, "Descricao": problem.Text})
	}
	return answer{status: status, body: map[string]any{
		"StatusProcessamento": result, "LoteDFe": lot, "Alertas": []any{}, "Erros": wrong,
		"TipoAmbiente": ambience, "VersaoAplicativo": application, "DataHoraProcessamento": printTime(v.now),
	}}
}

// distributedNames are what the ADN calls events.
var distributedNames = map[string]string{
	"101101": "CANCELAMENTO",
	"101103": "SOLICITACAO_CANCELAMENTO_ANALISE_FISCAL",
	"105102": "CANCELAMENTO_POR_SUBSTITUICAO",
	"105104": "CANCELAMENTO_DEFERIDO_ANALISE_FISCAL",
	"105105": "CANCELAMENTO_INDEFERIDO_ANALISE_FISCAL",
	"203202": "CONFIRMACAO_TOMADOR",
	"305101": "CANCELAMENTO_POR_OFICIO",
}
