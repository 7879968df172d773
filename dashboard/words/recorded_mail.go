package words

// mailing is why an attempt to send an e-mail failed (mail): the step, and what the server
// said or what happened to the connection.
var mailing = []recorded{
	{"sending failed", "falha em envio"},
	{"composing the message failed: %q", "falha em montar a mensagem: %s"},
	{"connecting to the mail server failed: %q", "falha em conectar ao servidor de e-mail: %s"},
	{"the mail server's greeting failed: %q", "falha na saudação do servidor de e-mail: %s"},
	{"securing the connection to the mail server failed: %q",
		"falha em proteger a conexão com o servidor de e-mail: %s"},
	{"authenticating at the mail server failed: %q", "falha em autenticar no servidor de e-mail: %s"},
	{"naming the sender failed: %q", "falha em informar o remetente: %s"},
	{"naming the recipient failed: %q", "falha em informar o destinatário: %s"},
	{"handing over the message failed: %q", "falha em entregar a mensagem: %s"},
	{"the e-mail address is not one", "o endereço de e-mail não é um endereço"},
	{"the customer's e-mail address is not one", "o e-mail do tomador não é um endereço"},
	{"the server answers without end", "o servidor responde sem fim"},
	{"the server does not offer STARTTLS", "o servidor não oferece STARTTLS"},
	{"the server offers neither PLAIN nor LOGIN", "o servidor não oferece PLAIN nem LOGIN"},
}

// connections are what Go's network says of a connection that failed.
var connections = []recorded{
	{"dial tcp %n: connect: connection refused", "conexão recusada por %s"},
	{"dial tcp %n: connect: no route to host", "não há rota até %s"},
	{"dial tcp %n: connect: network is unreachable", "a rede de %s não pode ser alcançada"},
	{"dial tcp %n: connect: connection timed out", "%s não respondeu a tempo"},
	{"dial tcp %n: i/o timeout", "%s não respondeu a tempo"},
	{"dial tcp: lookup %n: no such host", "o nome %s não existe"},
	{"dial tcp: lookup %n on %n: no such host", "o nome %s não existe, segundo %s"},
	{"dial tcp: lookup %n on %n: server misbehaving", "o nome %s não pôde ser resolvido por %s"},
	{"dial tcp: lookup %n on %n: i/o timeout", "o nome %s não pôde ser resolvido a tempo por %s"},
	{"read tcp %n: read: connection reset by peer", "o outro lado encerrou a conexão (%s)"},
	{"write tcp %n: write: broken pipe", "o outro lado encerrou a conexão (%s)"},
	{"read tcp %n: i/o timeout", "sem resposta a tempo (%s)"},
	{"write tcp %n: i/o timeout", "sem resposta a tempo (%s)"},
	{"i/o timeout", "sem resposta a tempo"},
	{"context deadline exceeded", "sem resposta a tempo"},
	{"EOF", "o outro lado encerrou a conexão"},
	{"unexpected EOF", "o outro lado encerrou a conexão"},
	{"tls: failed to verify certificate: %q", "o certificado TLS não pôde ser verificado: %s"},
	{"x509: certificate signed by unknown authority", "assinado por uma autoridade desconhecida"},
	{"x509: certificate has expired or is not yet valid: %q", "vencido ou ainda não válido: %s"},
	{"x509: certificate is valid for %s, not %s", "vale para %s, e não para %s"},
	{"tls: first record does not look like a TLS handshake", "o servidor não fala TLS nesta porta"},
}
