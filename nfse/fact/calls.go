package fact

// RefusedWith is a refusal by an authority, with its code.
var RefusedWith = define("refused_with", "{code}", "{code}")

// Why an exchange waits: the outcome of its last call.
var (
	CallCameTo        = define("call_came_to", "{outcome:outcome}", "{outcome:outcome}")
	CallCameToBecause = define("call_came_to_because", "{outcome:outcome}: {why}", "{outcome:outcome}: {why}")
)

// Joined holds several facts where one is expected.
var Joined = define("joined", "{facts}", "{facts}")

// And is one fact of two, of which either may be none.
func (f Fact) And(other Fact) Fact {
	switch {
	case f.None():
		return other
	case other.None() || other.Equal(f):
		return f
	}
	return Joined.With("facts", []Fact{f, other})
}

// FailedHere is an attempt that failed on our side.
var FailedHere = define("failed_here",
	"the attempt failed on our side, and is made again: the worker's log says why",
	"a tentativa falhou do nosso lado e será repetida: o log do worker diz por quê")

// Why an authority was not asked.
var (
	CallNotServed = define("call_not_served",
		"this process does not serve the environment",
		"este processo não atende o ambiente")
	CallTimeOver = define("call_time_over",
		"the time for the call was over",
		"o tempo da chamada já tinha passado")
	CallWithoutCertificate = define("call_without_certificate",
		"there is no certificate to ask with",
		"não há certificado com que perguntar")
	CallNotMade = define("call_not_made",
		"the request could not be made",
		"o pedido não pôde ser montado")
	QuestionNotSigned = define("question_not_signed",
		"the question could not be signed",
		"a consulta não pôde ser assinada")
)

// Why a request did not leave, or no answer to it came.
var (
	CallNameNotResolved = define("call_name_not_resolved",
		"the authority's name could not be resolved",
		"o nome da autoridade não pôde ser resolvido")
	CallConnectingTooSlow = define("call_connecting_too_slow",
		"connecting took too long",
		"conectar demorou demais")
	CallNoConnection = define("call_no_connection",
		"no connection to the authority",
		"sem conexão com a autoridade")
	CallStopped = define("call_stopped",
		"stopped before an answer came",
		"parado antes que viesse resposta")
	CallConnectionBroke = define("call_connection_broke",
		"the connection broke before an answer came",
		"a conexão caiu antes que viesse resposta")
)

// How TLS failed.
var (
	TLSServerNotTrusted = define("tls_server_not_trusted",
		"the server's TLS certificate is signed by nobody we trust",
		"o certificado TLS do servidor não é assinado por ninguém em quem confiamos")
	TLSServerOfAnotherHost = define("tls_server_of_another_host",
		"the server's TLS certificate is of another host",
		"o certificado TLS do servidor é de outro host")
	TLSServerNotValid = define("tls_server_not_valid",
		"the server's TLS certificate is not valid",
		"o certificado TLS do servidor não é válido")
	// The alert is named as in TLS.
	TLSCertificateRefused = define("tls_certificate_refused",
		"the authority refused the certificate in the TLS handshake ({alert})",
		"a autoridade recusou o certificado na negociação TLS ({alert})")
	CertificateShutOut = define("certificate_shut_out",
		"the authority does not let the certificate in (HTTP {status})",
		"a autoridade não aceita o certificado (HTTP {status})")
	TLSHandshakeTooSlow = define("tls_handshake_too_slow",
		"the TLS handshake took too long",
		"a negociação TLS demorou demais")
	TLSHandshakeFailed = define("tls_handshake_failed",
		"the TLS handshake failed",
		"a negociação TLS falhou")
	TLSRenegotiationAsked = define("tls_renegotiation_asked",
		"the authority asks for the certificate by TLS renegotiation, which EMISSOR_AUTHORITY_TLS does not allow",
		"a autoridade pede o certificado por renegociação TLS, que EMISSOR_AUTHORITY_TLS não permite")
)

// AddCertificateItTakes says what a person does when an authority refuses a certificate.
var AddCertificateItTakes = define("add_certificate_it_takes",
	"{why}: add one that it takes by emissor certificate add; it is tried again by itself, every hour at least",
	"{why}: inclua em Empresa › Certificados um que ela aceite; tenta-se de novo sozinho, ao menos a cada hora")

// What is wrong with any authority's answer. The status is that of HTTP.
var (
	AnswerBrokeOff = define("answer_broke_off",
		"the answer ({status}) broke off",
		"a resposta ({status}) foi interrompida")
	AnswerTooLarge = define("answer_too_large",
		"the answer ({status}) is larger than {mib} MiB",
		"a resposta ({status}) passa de {mib} MiB")
	AnswerNotUnderstood = define("answer_not_understood",
		"the answer ({status}) is not one that is understood",
		"a resposta ({status}) não é uma que se entenda")
)
