package national

// rulesOfSignature are about the signature of the DPS.
var rulesOfSignature = []rule{
	{"E0714", "", "The signature of the document does not verify at the authority.", ourFault,
		cannot("Every rendering is signed over the bytes that are sent.")},
	{"E0715", "", "The certificate that signed is expired, revoked, or of a chain that the authority does not accept.", newCertificate,
		leave("Dates are checked before signing; revocation and chain only the authority knows.")},
	{"E0716", "", "The certificate that signed is not an ICP-Brasil one for signing with a CNPJ or CPF in it.", newCertificate,
		leave("Looked at when the certificate is added, not at every note.")},
	{"E0717", "", "The document carries no signature.", ourFault, cannot("Every rendering is signed.", always("DPS/Signature"))},
	{"E0718", "", "The certificate that signed is not the issuing organization's.", newCertificate,
		leave("Looked at when the certificate is added, not at every note.")},
}
