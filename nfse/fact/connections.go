package fact

// What happened to any connection.
var (
	ConnectionRefused = define("connection_refused",
		"the connection was refused",
		"a conexão foi recusada")
	NoAnswerInTime = define("no_answer_in_time",
		"no answer in time",
		"sem resposta a tempo")
)

// What happened to a connection to a mail server, once its address was known or it was made.
var (
	NetworkRefused = define("network_refused",
		"connection refused by {address}",
		"conexão recusada por {address}")
	NetworkNoRoute = define("network_no_route",
		"no route to {address}",
		"não há rota até {address}")
	NetworkUnreachable = define("network_unreachable",
		"the network of {address} cannot be reached",
		"a rede de {address} não pode ser alcançada")
	NetworkSilent = define("network_silent",
		"{address} did not answer in time",
		"{address} não respondeu a tempo")
	NetworkClosedBy = define("network_closed_by",
		"the connection was closed by {address}",
		"a conexão foi encerrada por {address}")
	NetworkClosed = define("network_closed",
		"the other side closed the connection",
		"o outro lado encerrou a conexão")
)

// Why a name was not resolved, where known with the name server that was asked.
var (
	NameUnknown = define("name_unknown",
		"there is no host {name}",
		"o nome {name} não existe")
	NameUnknownTo = define("name_unknown_to",
		"there is no host {name}, says {server}",
		"o nome {name} não existe, segundo {server}")
	NameNotResolved = define("name_not_resolved",
		"the name {name} could not be resolved by {server}",
		"o nome {name} não pôde ser resolvido por {server}")
	NameNotResolvedInTime = define("name_not_resolved_in_time",
		"the name {name} could not be resolved in time by {server}",
		"o nome {name} não pôde ser resolvido a tempo por {server}")
)

// Why a connection is not protected.
var (
	TLSNotSpoken = define("tls_not_spoken",
		"the server does not speak TLS at this port",
		"o servidor não fala TLS nesta porta")
	TLSNotVerified = define("tls_not_verified",
		"the TLS certificate could not be verified: {why}",
		"o certificado TLS não pôde ser verificado: {why}")
	TLSUnknownAuthority = define("tls_unknown_authority",
		"signed by an unknown authority",
		"assinado por uma autoridade desconhecida")
	TLSOutOfTime = define("tls_out_of_time",
		"expired or not yet valid: it is valid from {since} to {until}",
		"vencido ou ainda não válido: vale de {since} a {until}")
	TLSOtherHost = define("tls_other_host",
		"valid for “{names}”, not for {host}",
		"vale para “{names}”, e não para {host}")
)
