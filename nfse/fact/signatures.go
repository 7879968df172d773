package fact

// Why an authority's signature on a document is not valid.
var (
	SignatureNotVerified = define("signature_not_verified",
		"the authority's signature does not verify: {why}",
		"a assinatura da autoridade não confere: {why}")
	SignatureOfSomethingElse = define("signature_of_something_else",
		"the authority's signature is of something else",
		"a assinatura da autoridade é de outra coisa")
	SignatureOfNoSigner = define("signature_of_no_signer",
		"the signature is not the authority's: who made it is none of the configured signers",
		"a assinatura não é da autoridade: quem a fez não está entre os assinantes configurados")
	SignatureNotTrusted = define("signature_not_trusted",
		"the authority's signature verifies, but not who made it: {why}",
		"a assinatura da autoridade confere, mas não quem a fez: {why}")
	SignatureOfEventUnread = define("signature_of_event_unread",
		"the event's signature cannot be verified: {why}",
		"a assinatura do evento não pode ser conferida: {why}")
)

// What is wrong with a document that is to be signed.
var (
	SignedNotXML = define("signed_not_xml",
		"the document is not well-formed XML",
		"o documento não é XML bem formado")
	SignedBeyondBounds = define("signed_beyond_bounds",
		"the document {why}",
		"o documento {why}")
	SignedDocumentType = define("signed_document_type",
		"the document declares a document type",
		"o documento declara um tipo de documento (DOCTYPE)")
	SignedInstruction = define("signed_instruction",
		"the document has a processing instruction",
		"o documento tem uma instrução de processamento")
	SignedXMLAttributes = define("signed_xml_attributes",
		"the document has attributes of xml itself",
		"o documento tem atributos do próprio xml")
	SignedIDTwice = define("signed_id_twice",
		"an Id occurs twice in the document",
		"um Id aparece duas vezes no documento")
	SignedSeveralTimes = define("signed_several_times",
		"the document has several signatures",
		"o documento tem várias assinaturas")
	SignedByNobody = define("signed_by_nobody",
		"the document is not signed",
		"o documento não está assinado")
	SignedThenChanged = define("signed_then_changed",
		"the document was changed after it was signed",
		"o documento foi alterado depois de assinado")
)

// What is wrong with a signature itself. Parts and algorithms are named as in XMLDSig.
var (
	SignatureOfAnotherElement = define("signature_of_another_element",
		"it signs another element than the document's first",
		"ela assina outro elemento que não o primeiro do documento")
	SignatureOfNothing = define("signature_of_nothing",
		"it signs nothing before it",
		"ela não assina nada antes dela")
	SignatureHasComment = define("signature_has_comment",
		"there is a comment in it",
		"há um comentário nela")
	SignatureElementNotCanonical = define("signature_element_not_canonical",
		"the signed element cannot be canonicalized",
		"o elemento assinado não pode ser canonicalizado")
	SignatureInfoNotCanonical = define("signature_info_not_canonical",
		"its SignedInfo cannot be canonicalized",
		"seu SignedInfo não pode ser canonicalizado")
	SignatureAlgorithm = define("signature_algorithm",
		"its algorithm ({part}) is not allowed",
		"seu algoritmo ({part}) não é permitido")
	SignatureTransforms = define("signature_transforms",
		"its transforms are not allowed",
		"suas transformações não são permitidas")
	SignatureWithoutCanonicalization = define("signature_without_canonicalization",
		"it does not say how the signed element is canonicalized",
		"ela não diz como o elemento assinado é canonicalizado")
	SignatureHasSeveral = define("signature_has_several",
		"it has several {part}",
		"ela tem mais de um {part}")
	SignatureHasNo = define("signature_has_no",
		"it has no {part}",
		"ela não tem {part}")
	SignaturePartNotBase64 = define("signature_part_not_base64",
		"its {part} is not base64",
		"seu {part} não é base64")
)

// What is wrong with the signer.
var (
	SignerKeyNotRSA = define("signer_key_not_rsa",
		"the signer's key is not RSA",
		"a chave do assinante não é RSA")
	SignerKeyAnother = define("signer_key_another",
		"it was not made with the key of its certificate",
		"ela não foi feita com a chave do seu certificado")
	SignerKeyTooLarge = define("signer_key_too_large",
		"its certificate has a key of more than {bits} bits",
		"seu certificado tem uma chave de mais de {bits} bits")
	SignerCertificateUnread = define("signer_certificate_unread",
		"its certificate cannot be read",
		"seu certificado não pode ser lido")
	SignerCertificateMissing = define("signer_certificate_missing",
		"it comes without a certificate",
		"ela vem sem certificado")
	SignerCertificateNotValidThen = define("signer_certificate_not_valid_then",
		"the signer's certificate was not valid at the time",
		"o certificado do assinante não valia na data")
	SignerCertificateNotTrusted = define("signer_certificate_not_trusted",
		"the signer's certificate is not of a configured root",
		"o certificado do assinante não é de uma raiz configurada")
	SignerRootMissing = define("signer_root_missing",
		"the signer's certificate leads to no root that is known: the certificate of {root} is missing",
		"o certificado do assinante não leva a uma raiz conhecida: falta o certificado de {root}")
)
