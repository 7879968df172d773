package fact

// Why an attempt to deliver an event failed.
var (
	ReceiverAnswered = define("receiver_answered",
		"the receiver answered {status}",
		"o receptor respondeu {status}")
	ReceiverRedirected = define("receiver_redirected",
		"the receiver redirected ({status}); redirects are not followed",
		"o receptor redirecionou ({status}); redirecionamentos não são seguidos")
	ReceiverNotPublic = define("receiver_not_public",
		"the host has no public address; private addresses are never dialled",
		"o host não tem endereço público; endereços privados nunca são chamados")
	ReceiverNotResolved = define("receiver_not_resolved",
		"the host's name could not be resolved",
		"o nome do host não pôde ser resolvido")
	ReceiverWithoutTLS = define("receiver_without_tls",
		"the receiver's TLS certificate is not valid, or it does not speak TLS",
		"o certificado TLS do receptor não é válido, ou ele não fala TLS")
	ReceiverSilent = define("receiver_silent",
		"the receiver did not answer in time",
		"o receptor não respondeu a tempo")
	ReceiverBroke = define("receiver_broke",
		"the connection broke before an answer was read",
		"a conexão caiu antes de se ler a resposta")
	WebhookProxyRefused = define("webhook_proxy_refused",
		"the proxy for webhooks refused to connect to the receiver ({status})",
		"o proxy de webhooks recusou conectar ao receptor ({status})")
	WebhookProxyNotReached = define("webhook_proxy_not_reached",
		"the proxy for webhooks could not be reached",
		"o proxy de webhooks não pôde ser alcançado")
	DeliveryInterrupted = define("delivery_interrupted",
		"the attempt was interrupted",
		"a tentativa foi interrompida")
)

// Why a URL cannot be an endpoint.
var (
	EndpointURLForm = define("endpoint_url_form",
		"the URL must look like https://host/path",
		"a URL deve ser como https://host/caminho")
	EndpointURLScheme = define("endpoint_url_scheme",
		"the URL must begin with https://",
		"a URL deve começar com https://")
	EndpointURLPort = define("endpoint_url_port",
		"the URL's port {port} is not among those that are allowed",
		"a porta {port} da URL não é uma das permitidas")
	EndpointURLUser = define("endpoint_url_user",
		"the URL must not hold a user or a password",
		"a URL não pode ter usuário nem senha")
	EndpointURLFragment = define("endpoint_url_fragment",
		"the URL must not have a fragment",
		"a URL não pode ter fragmento (#)")
	EndpointURLLength = define("endpoint_url_length",
		"the URL must have at most {most} characters",
		"a URL pode ter no máximo {most} letras")
)

// Why a delivery waits, was given up, or was skipped.
var (
	// GivenUp is for e-mails too.
	GivenUp = define("given_up",
		"given up after {window}: {why}",
		"desistiu depois de {window}: {why}")
	DeliveryNotSigned = define("delivery_not_signed",
		"the delivery cannot be signed: {why}",
		"a entrega não pode ser assinada: {why}")
	DeliveryRefused = define("delivery_refused",
		"the receiver answered 410: it will not take this event",
		"o receptor respondeu 410: não receberá este evento")
	DeliveryEndpointDeleted = define("delivery_endpoint_deleted",
		"the endpoint was deleted",
		"o endpoint foi removido")
	DeliveryEndpointDisabled = define("delivery_endpoint_disabled",
		"the endpoint is disabled: {why}",
		"o endpoint está desativado: {why}")
	DeliveryContentGone = define("delivery_content_gone",
		"the event is so old that its content is no longer kept",
		"o evento é tão antigo que seu conteúdo não é mais guardado")
)

// Why an endpoint is disabled.
var (
	EndpointDisabledByOperator = define("endpoint_disabled_by_operator",
		"disabled by the operator",
		"desativado por quem opera a instalação")
	EndpointDisabledInDashboard = define("endpoint_disabled_in_dashboard",
		"disabled in the dashboard",
		"desativado no painel")
	EndpointGone = define("endpoint_gone",
		"it has answered 410 for 24 hours",
		"respondeu 410 durante 24 horas")
)
