package fact

// Why a secret cannot be unsealed: a certificate's key, or the secret of an endpoint.
var (
	KeysetMissing = define("keyset_missing",
		"no keyset is configured: set EMISSOR_KEYSET_FILE or EMISSOR_KEYSET",
		"nenhum conjunto de chaves está configurado: um operador deve pôr EMISSOR_KEYSET_FILE ou EMISSOR_KEYSET")
	SecretDoesNotOpen = define("secret_does_not_open",
		"a secret does not open: it was sealed under another keyset, or for another owner",
		"um segredo não abre: foi cifrado com outro conjunto de chaves, ou para outro dono")
	SealedCertificateWrong = define("sealed_certificate_wrong",
		"what is sealed of {certificate} is not a key and its certificate",
		"o que está cifrado de {certificate} não é uma chave e seu certificado")
)
