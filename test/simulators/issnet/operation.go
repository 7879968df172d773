package issnet

import (
	"net/http"
	"strings"

	"emissor/test/simulators/sefin"
)

// operation is one of the service's.
type operation struct {
	name, request, answer string
	scope                 sefin.Scope
	serve                 func(*Simulator, *call) answer
}

var operations = map[string]operation{}

func init() {
	for _, one := range []operation{
		{"GerarNfse", "GerarNfseEnvio", "GerarNfseResposta", sefin.Issue, (*Simulator).issue},
		{"ConsultarNfseDps", "ConsultarNfseDpsEnvio", "ConsultarNfseDpsResposta", sefin.Query, (*Simulator).findDPS},
		{"ConsultarNfsePorDps", "ConsultarNfseDpsEnvio", "ConsultarNfseDpsResposta", sefin.Query, (*Simulator).findDPS},
		{"ConsultarNfseServicoPrestado", "ConsultarNfseServicoPrestadoEnvio",
			"ConsultarNfseServicoPrestadoResposta", sefin.Query, (*Simulator).findIssued},
		{"ConsultarDadosCadastrais", "ConsultarDadosCadastraisEnvio", "ConsultarDadosCadastraisResposta", sefin.Query,
			(*Simulator).findProvider},
		{"CancelarNfse", "CancelarNfseEnvio", "CancelarNfseResposta", sefin.Cancel, (*Simulator).cancel},
	} {
		operations[one.name] = one
	}
}

// operationOf is the one that a request is for, by its header SOAPAction, with quotes or without.
func operationOf(r *http.Request) operation {
	action := strings.Trim(r.Header.Get("SOAPAction"), `"`)
	return operations[strings.TrimPrefix(action, namespace+"/")]
}

// answer is what a call is answered with: its content, or messages.
type answer struct {
	content  string
	messages []message
}

// message is one by which the service says no. The code may be empty.
type message struct{ code, text string }

func refuse(code, text string) answer { return answer{messages: []message{{code, text}}} }

var (
	notValid   = refuse("E160", "Arquivo em desacordo com o XML Schema.")
	wrongHead  = refuse("E183", "Cabeçalho em desacordo com o XML Schema.")
	switchedOf = refuse("E999", "Operação temporariamente indisponível.")
)
