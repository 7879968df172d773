package main

// meanings tells what each environment variable means: `emissor config` lists it,
// and an error repeats it.
var meanings = map[string]string{
	"EMISSOR_DATABASE_URL":         "postgres://user:password@host:port/database?sslmode=...",
	"EMISSOR_DATABASE_CONNECTIONS": "the most connections of this process to the database",
	"EMISSOR_DATABASE_ROLE_API": "role (group) that emissor migrate grants what the API needs; " +
		"the API's database account is to be a member",
	"EMISSOR_DATABASE_ROLE_WORKER": "the same for emissor worker and emissor serve",
	"EMISSOR_DATABASE_ROLE_DASHBOARD": "the same for emissor dashboard; " +
		"emissor serve with the dashboard is to be a member of both",
	"EMISSOR_DATABASE_ROLE_OPERATOR": "the same for the operator's commands",
	"EMISSOR_LOG_LEVEL":              "debug, info, warn or error",
	"EMISSOR_ADMIN_LISTEN":           "address of metrics, readiness and pprof; no authentication, so keep it private",
	"EMISSOR_DRAIN_DELAY":            "how long a stopping process still serves after it says it is not ready",

	"EMISSOR_LISTEN": "address of the API, which speaks plain HTTP; 0.0.0.0:8080 is every interface",
	"EMISSOR_CONNECTIONS": "the most client connections to the API, and to the dashboard, at once; a quarter only " +
		"with a valid key or session",
	"EMISSOR_CONNECTIONS_PER_ADDRESS": "the most of them of one client address (IPv6: of one /64); " +
		"behind trusted proxies the most requests at once of one address; also of one organization and environment " +
		"at the API, and of one session at the dashboard",
	"EMISSOR_RATE_LIMIT": "requests a second of each key in each process; bursts of twice as many; 0 is off",
	"EMISSOR_ORGANIZATION_RATE_LIMIT": "requests a second of all keys of an organization and environment together, " +
		"in each process; bursts of twice as many; 0 is off",
	"EMISSOR_ORGANIZATION_KEYS": "the most keys of an organization and environment that are valid at once; 0 is off",
	"EMISSOR_ORGANIZATION_ENDPOINTS": "the most webhook endpoints of an organization and environment, without " +
		"removed ones; 0 is off",
	"EMISSOR_ORGANIZATION_DELIVERY_RATE": "webhook deliveries that are begun in a second for an organization and " +
		"environment, in each process; the others wait; 0 is off",
	"EMISSOR_ORGANIZATION_EMAIL_RATE": "e-mails to customers that are begun in a second for an organization and " +
		"environment, in each process; the others wait; 0 is off",
	"EMISSOR_FAILED_AUTH_LIMIT": "requests a second without a key that was valid in the last minutes, " +
		"of each address (IPv6: each /64); bursts of ten times as many; 0 is off",
	"EMISSOR_TRUSTED_PROXIES": "networks (CIDR, comma separated) of proxies whose X-Forwarded-For is trusted",
	"EMISSOR_VIACEP_URL":      "base URL of a ViaCEP service, as https://viacep.com.br; empty is none",
	"EMISSOR_BRASILAPI_URL":   "base URL of a BrasilAPI service, as https://brasilapi.com.br; empty is none",
	"EMISSOR_ZIP_CODE_RATE": "look-ups a second at these services for each organization in each process, " +
		"test and live apart; bursts of four times as many; 0 is off",
	"EMISSOR_TASK_QUEUE":    "prefix of the task queues: one for each installation in a namespace",
	"EMISSOR_SLOW_SCENARIO": "how long the sandbox scenario slow stays in processing",

	"EMISSOR_DASHBOARD_LISTEN": "address of the dashboard, which speaks plain HTTP; 0.0.0.0:8090 is every interface",
	"EMISSOR_DASHBOARD_URL": "where people reach the dashboard, as https://notas.example.com: passkeys, cookies and " +
		"links belong to it; empty: emissor serve runs no dashboard",
	"EMISSOR_DASHBOARD_IDLE_TIMEOUT":     "after how long a session that is not used ends",
	"EMISSOR_DASHBOARD_SESSION_LIFETIME": "after how long any session ends",
	"EMISSOR_DASHBOARD_OIDC_ISSUER": "provider of a company's own sign-on to the dashboard, as " +
		"https://login.example.com; it sends people back to /oidc/callback; empty: passkeys only",
	"EMISSOR_DASHBOARD_OIDC_CLIENT_ID":     "as the provider knows the dashboard",
	"EMISSOR_DASHBOARD_OIDC_CLIENT_SECRET": "goes with it",
	"EMISSOR_DASHBOARD_OIDC_NAME":          "what people call the provider; empty: its host",
	"EMISSOR_DASHBOARD_TRIES": "how often a minute one address (IPv6: one /64) may try to sign in or to use a link, " +
		"in each process; 0 is off",

	"EMISSOR_KEYSET_FILE": "file of the keyset that opens sealed secrets, as emissor keyset create makes it; " +
		"for the worker, the dashboard and commands",
	"EMISSOR_KEYSET": "the keyset itself, where a file is not possible",
	"EMISSOR_KEYSET_KEK": "key of a KMS that encrypts the keyset, as aws-kms://arn:aws:kms:... or " +
		"gcp-kms://projects/...; empty: it is in clear text",
	"EMISSOR_KEYSET_INTERVAL":        "how often a process reads its keyset again and reports which keys it holds",
	"EMISSOR_WEBHOOK_ALLOW_LOOPBACK": "development only: webhooks may go to this machine and over http",
	"EMISSOR_WEBHOOK_ENDPOINT_SLOTS": "the most webhook attempts to one endpoint at once, in each process",
	"EMISSOR_WEBHOOK_PORTS":          "ports that webhooks may go to, comma separated",
	"EMISSOR_WEBHOOK_PROXY": "proxy that connects to receivers (CONNECT) and decides which addresses are good, " +
		"as http://smokescreen:4750; empty: none, and only public addresses are dialled",
	"EMISSOR_OPERATOR": "who runs a command, for the audit log, where the operating system does not know: " +
		"in containers",
	"EMISSOR_CERTIFICATE_ROOTS": "file of the ICP-Brasil roots (PEM) that added certificates must lead to; " +
		"empty: the dashboard takes none, and `certificate add` wants --unverified-chain",
	"EMISSOR_DANFSE_LOGO": "file of the official logo (PNG or JPEG) for the printed form of notes; " +
		"empty: a name in plain letters",

	"EMISSOR_NATIONAL_PRODUCTION_URL": "base URL of SEFIN Nacional, as https://sefin.nfse.gov.br/SefinNacional; " +
		"empty: profiles of production wait",
	"EMISSOR_NATIONAL_RESTRICTED_URL": "the same of produção restrita, " +
		"as https://sefin.producaorestrita.nfse.gov.br/SefinNacional",
	"EMISSOR_NATIONAL_PRODUCTION_ADN_URL": "base URL of the ADN, as https://adn.nfse.gov.br, which is asked for " +
		"the parameters of cities and for what others did to notes; empty: it is not asked",
	"EMISSOR_NATIONAL_RESTRICTED_ADN_URL": "the same of produção restrita, " +
		"as https://adn.producaorestrita.nfse.gov.br",
	"EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM": "day of competence, as 2027-01-01, from which every note needs " +
		"the group IBSCBS: one without a classification of its service waits",
	"EMISSOR_NATIONAL_SERVER_CA": "file of the CAs (PEM) that sign the servers' certificates; empty for the system's",
	"EMISSOR_NATIONAL_SIGNER_CA": "file of the CAs (PEM) that sign the authority's documents; " +
		"empty: its signatures are not checked",
	"EMISSOR_NATIONAL_DOCUMENT_SIGNERS": "who signs NFS-e, of the certificates of EMISSOR_NATIONAL_SIGNER_CA: " +
		"CNPJs and subjects (CN=NAME, or all of it), separated by semicolons",
	"EMISSOR_NATIONAL_EVENT_SIGNERS": "the same of events; empty: EMISSOR_NATIONAL_DOCUMENT_SIGNERS",
	"EMISSOR_NATIONAL_REQUIRE_SIGNATURE": "settle nothing by a document or event whose signature does not verify: " +
		"it waits for a person, beside the alarm",
	"EMISSOR_NATIONAL_SIGNATURE": "how documents are signed: " +
		"inclusive-sha256, inclusive-sha1, exclusive-sha256 or exclusive-sha1",
	"EMISSOR_NATIONAL_LAYOUT": "layout of what is sent, and from which dates others, as 1.01,NAME@2026-12-01",
	"EMISSOR_ENGINE_LATENCY": "what the engine may take for the first task of a run; " +
		"later than that, fewer runs are begun at once. More where the engine is far away",
	"EMISSOR_NATIONAL_RATE": "notes a second that all workers together transmit at most",
	"EMISSOR_NATIONAL_EVENTS_INTERVAL": "the shortest pause before the ADN is asked again what happened outside; " +
		"the longest is three times as long",
	"EMISSOR_NATIONAL_CONNECT_TIMEOUT": "the longest a connection may take",
	"EMISSOR_NATIONAL_TIMEOUT":         "the longest a request may take",
	"EMISSOR_NATIONAL_GRACE_PERIOD": "grace period: how long after a transmission \"not found\" is not trusted; " +
		"less than a minute only against a simulator",
	"EMISSOR_NATIONAL_TLS_MIN": "lowest TLS version: 1.0, 1.1, 1.2 or 1.3",
	"EMISSOR_NATIONAL_TLS_MAX": "highest TLS version; " +
		"1.2 where the server asks for the certificate by renegotiation",
	"EMISSOR_NATIONAL_TLS_RENEGOTIATION": "whether the server may renegotiate: never, once or freely",

	"EMISSOR_SAO_PAULO_URL": "synchronous web service of the city of São Paulo, " +
		"as https://nfews.prefeitura.sp.gov.br/lotenfe.asmx; empty: its notes wait",
	"EMISSOR_SAO_PAULO_SOAP": "version of the envelope: 1.2 (with the header SOAPAction) or 1.1",
	"EMISSOR_SAO_PAULO_CANCELLATION_WIDTH": "characters of the string that is signed to cancel a note: 20 or 24; " +
		"the other is tried once where the city refuses the first (1305)",
	"EMISSOR_SAO_PAULO_PLACE": "the city that is named as the place of a service: indicator (the home of supplier or " +
		"taker, where the indicator of the operation makes it that) or service (always the service's)",
	"EMISSOR_SAO_PAULO_SERVER_CA": "file of the CAs (PEM) that sign the server's certificate; " +
		"empty for the system's",
	"EMISSOR_SAO_PAULO_RATE":            "notes a second that all workers together transmit at most",
	"EMISSOR_SAO_PAULO_CONNECT_TIMEOUT": "the longest a connection may take",
	"EMISSOR_SAO_PAULO_TIMEOUT":         "the longest a request may take",
	"EMISSOR_SAO_PAULO_GRACE_PERIOD": "grace period: how long after a transmission or a question \"not found\" is " +
		"not trusted; less than a minute only against a simulator, because a second sending cancels the first note",
	"EMISSOR_SAO_PAULO_WATCH_EVERY": "how often an issued note is asked about, because it may be cancelled on the " +
		"city's site",
	"EMISSOR_SAO_PAULO_WATCH_FOR": "for how long after it was issued; the city lets notes be cancelled for " +
		"180 days",
	"EMISSOR_SAO_PAULO_TLS_MIN":           "lowest TLS version: 1.0, 1.1, 1.2 or 1.3",
	"EMISSOR_SAO_PAULO_TLS_MAX":           "highest TLS version",
	"EMISSOR_SAO_PAULO_TLS_RENEGOTIATION": "whether the server may renegotiate: never, once or freely",

	"EMISSOR_SMTP_HOST": "mail server for e-mails to customers of live notes, and for one-time links; empty: they " +
		"wait, and links are only shown",
	"EMISSOR_SMTP_PORT":     "its port; 0: 587, 465 or 25 by the TLS mode",
	"EMISSOR_SMTP_FROM":     "sender's address; the name beside it is the organization's",
	"EMISSOR_SMTP_USERNAME": "empty: without authentication",
	"EMISSOR_SMTP_PASSWORD": "goes with the username; never sent without TLS",
	"EMISSOR_SMTP_TLS":      "starttls, tls, or none (development only)",
	"EMISSOR_SMTP_CA":       "file (PEM) of the CA of its certificate; empty for the system's",
	"EMISSOR_UNCATALOGUED_RETRY": "how long a note is asked about and sent again that an authority answers by a code " +
		"of no catalogue, before it is held for a person",
	"EMISSOR_EMAIL_DANFSE": "whether e-mails carry the printed form of the note (PDF) beside its XML",

	"EMISSOR_KEEP_TEST_NOTES": "for how long test notes keep documents, events and attempts, as 90d or 2y; 0: for ever",
	"EMISSOR_KEEP_EVENTS":     "the same of live events, which can be sent again for so long; 0: for ever",
	"EMISSOR_KEEP_ATTEMPTS":   "the same of the attempts at webhooks of live notes; 0: for ever",
	"EMISSOR_KEEP_ANSWERS": "the same of the authority's answers that were not understood or not expected; " +
		"0: for ever",
	"EMISSOR_KEEP_FISCAL_DOCUMENTS": "the same of what was sent to the authority and what it made of it, counted " +
		"from the year after; at least 5y; 0: for ever",

	"TEMPORAL_ADDRESS":                 "host:port of the Temporal frontend",
	"TEMPORAL_NAMESPACE":               "namespace of the notes",
	"TEMPORAL_UI_URL":                  "base URL of the Temporal UI, for the links that emissor note show prints",
	"TEMPORAL_API_KEY":                 "API key, for Temporal Cloud; implies TLS",
	"TEMPORAL_TLS":                     "whether to use TLS",
	"TEMPORAL_TLS_SERVER_CA_CERT_PATH": "file of the CA that signed the server's certificate; empty for the system's",
	"TEMPORAL_TLS_CLIENT_CERT_PATH":    "file of the client certificate, for mutual TLS",
	"TEMPORAL_TLS_CLIENT_KEY_PATH":     "file of the client certificate's key",
	"TEMPORAL_TLS_SERVER_NAME":         "name to expect in the server's certificate",
}
