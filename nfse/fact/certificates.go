package fact

// NoUsableCertificate says that an organization's live notes wait for a certificate, and why.
var NoUsableCertificate = define("no_usable_certificate",
	"no certificate is usable: {why}; add one with `emissor certificate add`",
	"nenhum certificado pode ser usado: {why}; inclua um em Empresa › Certificados")

// Why no certificate is usable.
var (
	CertificateMissing = define("certificate_missing",
		"none that names the issuer is on record",
		"não há nenhum em nome do emitente")
	CertificateOfOtherEstablishment = define("certificate_of_other_establishment",
		"the authority wants the certificate of the very establishment that issues, and those on record name others "+
			"of the company",
		"a autoridade exige o certificado do próprio estabelecimento que emite, e os registrados são de outros da "+
			"empresa")
	CertificateRefused = define("certificate_refused",
		"the authority refused {certificate}: {code}",
		"a autoridade recusou {certificate}: {code}")
	CertificateNotYetValid = define("certificate_not_yet_valid",
		"{certificate} is not valid before {from}",
		"{certificate} só vale a partir de {from}")
	CertificateExpired = define("certificate_expired",
		"{certificate} expired on {on}",
		"{certificate} venceu em {on}")
)

// Why usable certificates are not used.
var (
	CertificateDoesNotOpen = define("certificate_does_not_open",
		"the certificate {certificate} does not open here: {why}",
		"o certificado {certificate} não abre aqui: {why}")
	CertificatesShutOut = define("certificates_shut_out",
		"the authority did not let the organization's certificates in to ask",
		"a autoridade não deixou os certificados da empresa entrarem para perguntar")
)
