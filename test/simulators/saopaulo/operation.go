package saopaulo

// operation is one of the service's.
type operation struct {
	name   string // as in EnvioRPSRequest
	scope  Scope
	root   string // of the message
	answer string // the root of what is answered
	serve  func(*Simulator, *call) answer
}

// actionBase is what every SOAPAction begins with.
const actionBase = "http://www.prefeitura.sp.gov.br/nfe/ws/"

// operations are those that are simulated, by what follows actionBase.
var operations = map[string]*operation{
	"envioRPS": {"EnvioRPS", Issue, "PedidoEnvioRPS", "RetornoEnvioRPS", (*Simulator).issueOne},
	"envioLoteRPS": {
		"EnvioLoteRPS", Issue, "PedidoEnvioLoteRPS", "RetornoEnvioLoteRPS", (*Simulator).issueLot,
	},
	"testeenvio": {
		"TesteEnvioLoteRPS", Test, "PedidoEnvioLoteRPS", "RetornoEnvioLoteRPS", (*Simulator).testLot,
	},
	"consultaNFe": {"ConsultaNFe", Query, "PedidoConsultaNFe", "RetornoConsulta", (*Simulator).findNotes},
	"consultaNFeEmitidas": {
		"ConsultaNFeEmitidas", Query, "PedidoConsultaNFePeriodo", "RetornoConsulta", (*Simulator).findIssued,
	},
	"cancelamentoNFe": {
		"CancelamentoNFe", Cancel, "PedidoCancelamentoNFe", "RetornoCancelamentoNFe", (*Simulator).cancelNotes,
	},
	"consultaCNPJ": {
		"ConsultaCNPJ", Registration, "PedidoConsultaCNPJ", "RetornoConsultaCNPJ", (*Simulator).findTaxpayer,
	},
}

// layout is the version of the messages that are simulated.
const layout = "2"
