package fact

// What is wrong with a PFX file, or with the key in it.
var (
	PasswordNotOfFile = define("password_not_of_file",
		"the password is not the file's",
		"a senha não abre este arquivo")
	PasswordCharacters = define("password_characters",
		"the password holds characters beyond those of a PFX file (UCS-2): export it again under another one",
		"a senha tem caracteres que um arquivo PFX não aceita (UCS-2): exporte-o de novo com outra")
	PFXUnread = define("pfx_unread",
		"the file is not a PFX (PKCS#12) file, or it is damaged",
		"não é um arquivo PFX (PKCS#12), ou está danificado")
	PFXTooLarge = define("pfx_too_large",
		"the file is larger than {mib} MiB: it is no PFX (PKCS#12) file",
		"o arquivo passa de {mib} MiB: não é um arquivo PFX (PKCS#12)")
	PFXTooManyIterations = define("pfx_too_many_iterations",
		"the file's password would take more than {most} iterations to try: export it again",
		"a senha do arquivo levaria mais de {most} iterações para ser testada: exporte-o de novo")
	PFXKindUnknown = define("pfx_kind_unknown",
		"the file is a PFX of a kind that is not read here ({kind})",
		"o arquivo é um PFX de um tipo que não se lê aqui ({kind})")
	PFXWithoutKey = define("pfx_without_key",
		"the file holds no private key: export it again, with its key",
		"o arquivo não tem a chave privada: exporte-o de novo, com ela")
	PFXWithSeveralKeys = define("pfx_with_several_keys",
		"the file holds more than one private key",
		"o arquivo tem mais de uma chave privada")
	PFXWithoutCertificate = define("pfx_without_certificate",
		"the file holds a key but no certificate",
		"o arquivo tem uma chave, mas nenhum certificado")
	PFXWithoutCertificateOfKey = define("pfx_without_certificate_of_key",
		"no certificate in the file belongs to the file's key",
		"nenhum certificado do arquivo é da chave do arquivo")
	KeyCannotSign = define("key_cannot_sign",
		"the file's key is of a kind that cannot sign",
		"a chave do arquivo é de um tipo que não assina")
	KeyNotRSA = define("key_not_rsa",
		"the key is not RSA, and the authority takes only RSA signatures",
		"a chave não é RSA, e a autoridade só aceita assinaturas RSA")
	KeyTooShort = define("key_too_short",
		"the RSA key has {bits} bits, and at least {least} are needed",
		"a chave RSA tem {bits} bits, e são precisos {least} ou mais")
	KeyOfAnotherCertificate = define("key_of_another_certificate",
		"the key is not the certificate's",
		"a chave não é a do certificado")
)

// What is wrong with a certificate itself.
var (
	CertificateNamesUnreadable = define("certificate_names_unreadable",
		"the certificate's subject or issuer holds a NUL, or bytes that are no UTF-8",
		"o titular ou o emissor do certificado tem um NUL, ou bytes que não são UTF-8")
	CertificateAlternativeNames = define("certificate_alternative_names",
		"the certificate's alternative names cannot be read",
		"os nomes alternativos do certificado não podem ser lidos")
	CertificateVersion = define("certificate_version",
		"the certificate is of X.509 version {version}, and 3 is needed",
		"o certificado é da versão {version} de X.509, e é precisa a 3")
	CertificateBegins = define("certificate_begins",
		"the certificate is not valid before {from}",
		"o certificado só vale a partir de {from}")
	CertificateEnded = define("certificate_ended",
		"the certificate expired on {on}",
		"o certificado venceu em {on}")
	CertificateOfCA = define("certificate_of_ca",
		"the certificate is a certification authority's, not a company's or a person's",
		"o certificado é de uma autoridade certificadora, e não de uma empresa ou pessoa")
	CertificateNotToSign = define("certificate_not_to_sign",
		"the certificate's key usage lacks digital signature or non-repudiation, so the authority would refuse "+
			"what it signs (E0716)",
		"falta ao uso da chave do certificado assinatura digital ou não repúdio; a autoridade recusaria o que ele "+
			"assina (E0716)")
	CertificateNotToConnect = define("certificate_not_to_connect",
		"the certificate is not for client authentication, so it cannot connect to the authority",
		"o certificado não é para autenticação de cliente, e não pode se conectar à autoridade")
	CertificateOfAnotherBranch = define("certificate_of_another_branch",
		"the certificate names another establishment of the company than the organization's fiscal profile, and "+
			"the authority wants the certificate of that very one",
		"o certificado é de outro estabelecimento da empresa que não o do perfil fiscal, e a autoridade exige o "+
			"do próprio")
	CertificateOfAnotherHolder = define("certificate_of_another_holder",
		"the certificate names another company or person than the organization's fiscal profile",
		"o certificado é de outra empresa ou pessoa que a do perfil fiscal")
	CertificateOfNobody = define("certificate_of_nobody",
		"the certificate names no CNPJ or CPF: it is not an e-CNPJ or e-CPF of ICP-Brasil",
		"o certificado não traz CNPJ nem CPF: não é um e-CNPJ ou e-CPF da ICP-Brasil")
	CertificatePersonTooShort = define("certificate_person_too_short",
		"the certificate's data of a person (otherName 2.16.76.1.3.1) are too short to hold a CPF",
		"os dados de pessoa do certificado (otherName 2.16.76.1.3.1) são curtos demais para um CPF")
	CertificateTaxIDWrong = define("certificate_tax_id_wrong",
		"the tax id in the certificate's {part} {why}",
		"o CPF ou CNPJ do certificado ({part}) {why}")
	CertificateRootsMissing = define("certificate_roots_missing",
		"no root certificates are configured, so that nobody vouches for the certificate "+
			"(EMISSOR_CERTIFICATE_ROOTS)",
		"nenhum certificado-raiz está configurado (EMISSOR_CERTIFICATE_ROOTS), e sem eles ninguém garante o "+
			"certificado: fale com quem opera a instalação")
	CertificateChainAstray = define("certificate_chain_astray",
		"the certificate's chain does not lead to one of the given roots ({why})",
		"a cadeia do certificado não leva a uma das raízes dadas ({why}): exporte-o com toda a cadeia")
)

// Why a chain leads to no root.
var (
	ChainAuthorityUnknown = define("chain_authority_unknown",
		"an unknown or missing certification authority",
		"falta uma autoridade certificadora, ou ela é desconhecida")
	ChainAuthorityOutOfTime = define("chain_authority_out_of_time",
		"a certification authority of it is not valid at this time",
		"uma autoridade certificadora dela não vale nesta data")
	ChainUnverified = define("chain_unverified",
		"it does not verify",
		"ela não confere")
)
