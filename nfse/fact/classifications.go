package fact

// What is wrong with the classification of a service, said after the name of its part.
var (
	MustBeDigits = define("must_be_digits",
		"must be {digits} digits",
		"deve ter {digits} dígitos")
	MustBeCIB = define("must_be_cib",
		"must be 8 capital letters and digits",
		"deve ter 8 letras maiúsculas e algarismos")
	MustBePercentage = define("must_be_percentage",
		"must be from 0 to 100",
		"deve ser de 0 a 100")
	MustBeGiven = define("must_be_given",
		"must be given, with at most {most} characters that documents carry",
		"deve ser informado, com no máximo {most} caracteres que documentos aceitam")

	NBSUnknown = define("nbs_unknown",
		"{nbs} is not in the NBS of Annex B",
		"{nbs} não está na NBS do Anexo B")
	IndicatorOfAnnexVII = define("indicator_of_annex_vii",
		"{indicator} is in Annex VII alone; layout 1.01 takes the codes of Annex C",
		"{indicator} está só no Anexo VII; o leiaute 1.01 usa os códigos do Anexo C")
	IndicatorUnknown = define("indicator_unknown",
		"{indicator} is not in Annex C, by which layout 1.01 is checked",
		"{indicator} não está no Anexo C, pelo qual o leiaute 1.01 é conferido")
	ClassTribOfAnotherCST = define("class_trib_of_another_cst",
		"{class_trib} is not of the CST {cst}: its first three digits are",
		"{class_trib} não é do CST {cst}: os três primeiros dígitos são")
	CSTUnknown = define("cst_unknown",
		"{cst} is no CST of IBS and CBS",
		"{cst} não é um CST de IBS e CBS")
	ClassTribUnknown = define("class_trib_unknown",
		"{class_trib} is not in the table in force on {day}",
		"{class_trib} não está na tabela em vigor em {day}")
	ClassTribNotForNFSe = define("class_trib_not_for_nfse",
		"{class_trib} is not for NFS-e",
		"{class_trib} não é para NFS-e")
	CodeNotYetValid = define("code_not_yet_valid",
		"{classified} is valid only from {from}",
		"{classified} só vale a partir de {from}")
	CodeNoLongerValid = define("code_no_longer_valid",
		"{classified} was valid only until {until}",
		"{classified} só valeu até {until}")

	RegularTaxationRequired = define("regular_taxation_required",
		"must be given, with cst-reg: the cClassTrib {class_trib} requires it",
		"deve ser informado, com cst-reg: o cClassTrib {class_trib} o exige")
	RegularTaxationForbidden = define("regular_taxation_forbidden",
		"must not be given: the cClassTrib {class_trib} does not allow it",
		"não deve ser informado: o cClassTrib {class_trib} não o permite")
	DeferralRequired = define("deferral_required",
		"must be given, with pdif-mun and pdif-cbs: the CST {cst} requires a deferral",
		"deve ser informado, com pdif-mun e pdif-cbs: o CST {cst} exige diferimento")
	DeferralForbidden = define("deferral_forbidden",
		"must not be given: the CST {cst} does not allow a deferral",
		"não deve ser informado: o CST {cst} não permite diferimento")
	PresumedCreditForbidden = define("presumed_credit_forbidden",
		"must not be given: the cClassTrib {class_trib} allows no presumed credit",
		"não deve ser informado: o cClassTrib {class_trib} não permite crédito presumido")
	PresumedCreditUnknown = define("presumed_credit_unknown",
		"{presumed_credit} is not in the table of presumed credits",
		"{presumed_credit} não está na tabela de créditos presumidos")

	GovernmentUnknown = define("government_unknown",
		"must be 1 (union), 2 (state), 3 (federal district) or 4 (city)",
		"deve ser 1 (União), 2 (estado), 3 (Distrito Federal) ou 4 (município)")
	OperationOfGovernmentMissing = define("operation_of_government_missing",
		"must be given with tp-ente-gov: 1, 4 or 5",
		"deve ser informado com tp-ente-gov: 1, 4 ou 5")
	OperationMissing = define("operation_missing",
		"must be given for the national tax code {tax_code}: 1, 4 or 5",
		"deve ser informado para o código de tributação nacional {tax_code}: 1, 4 ou 5")
	OperationOfAnotherNote = define("operation_of_another_note",
		"must be 1, 4 or 5: 2 and 3 refer to another NFS-e, which is not supported",
		"deve ser 1, 4 ou 5: 2 e 3 se referem a outra NFS-e, o que não é atendido")
	OperationUnknown = define("operation_unknown",
		"must be 1, 4 or 5",
		"deve ser 1, 4 ou 5")
	OperationForbidden = define("operation_forbidden",
		"must not be given: it is for purchases of the government (tp-ente-gov), and for the subitems 25.05, 15.09, "+
			"17.12 and 10.05",
		"não deve ser informado: é para compras governamentais (tp-ente-gov) e para os subitens 25.05, 15.09, 17.12 "+
			"e 10.05")

	PropertyMissing = define("property_missing",
		"or the address of the property must be given with the cIndOp {indicator}",
		"ou o endereço do imóvel deve ser informado com o cIndOp {indicator}")
	PropertyOfConstruction = define("property_of_construction",
		"and the other parts of a property must not be given for construction ({tax_code})",
		"e as outras partes do imóvel não devem ser informadas para construção ({tax_code})")
	PropertyForbidden = define("property_forbidden",
		"and the other parts of a property must not be given with the cIndOp {indicator}: they are for 020101, 020201 "+
			"and 020301",
		"e as outras partes do imóvel não devem ser informadas com o cIndOp {indicator}: são para 020101, 020201 e "+
			"020301")
	PropertyTwice = define("property_twice",
		"or an address of the property must be given, and not both",
		"ou um endereço do imóvel deve ser informado, e não ambos")
)

// What cannot be read of what was typed, said after the name of its part.
var (
	MustBeTrueOrFalse = define("must_be_true_or_false",
		"must be true or false",
		"deve ser true ou false")
	MustBeOneDigit = define("must_be_one_digit",
		"must be a digit",
		"deve ser um dígito")
	MustBeGivenWithPercentages = define("must_be_given_with_percentages",
		"must be given with the other percentages",
		"deve ser informado com os outros percentuais")
	MustBeTypedPercentage = define("must_be_typed_percentage",
		"must be a percentage from 0 to 100 with at most two decimals, as 13.45",
		"deve ser um percentual de 0 a 100 com no máximo duas decimais, como 13.45")
)
