package fact

// What is wrong with a CPF or CNPJ, said after the name of the field.
var (
	TaxIDForm = define("tax_id_form",
		"must be a CPF (11 digits) or a CNPJ (14 characters, digits or letters in the first 12)",
		"deve ser um CPF (11 dígitos) ou um CNPJ (14 caracteres, algarismos ou letras nos 12 primeiros)")
	TaxIDCheckDigit = define("tax_id_check_digit",
		"has wrong check digits",
		"tem dígitos verificadores errados")
	TaxIDRepeated = define("tax_id_repeated",
		"repeats one character and is not a real tax id",
		"repete um só caractere e não é um CPF ou CNPJ de verdade")
)
