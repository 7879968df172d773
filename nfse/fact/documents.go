package fact

// What is wrong with an XML document from outside, or with how it was packed, said after its
// name.
var (
	DocumentNotBase64 = define("document_not_base64",
		"is not base64",
		"não é base64")
	DocumentNotGzip = define("document_not_gzip",
		"is not gzip",
		"não é gzip")
	DocumentDamaged = define("document_damaged",
		"is cut or damaged",
		"está cortado ou danificado")
	DocumentNotTheXML = define("document_not_the_xml",
		"is not the XML it should be",
		"não é o XML que devia ser")
	DocumentGoesOn = define("document_goes_on",
		"goes on after its end",
		"continua depois do fim")
)

// Which bound of what is read a document exceeds.
var (
	DocumentTooLarge = define("document_too_large",
		"is larger than {mib} MiB",
		"passa de {mib} MiB")
	DocumentTooDeep = define("document_too_deep",
		"is too deep: more than {most} elements within each other",
		"é profundo demais: mais de {most} elementos um dentro do outro")
	DocumentTooManyElements = define("document_too_many_elements",
		"has more than {most} elements",
		"tem mais de {most} elementos")
	DocumentTooManyAttributes = define("document_too_many_attributes",
		"has an element of more than {most} attributes",
		"tem um elemento de mais de {most} atributos")
	DocumentTooManyNamespaces = define("document_too_many_namespaces",
		"declares more than {most} namespaces",
		"declara mais de {most} namespaces")
)
