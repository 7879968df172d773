package words

// groups are what services and notes have beyond the API: how the ISS is due, deductions,
// discounts, other countries, and who else is a party.
var groups = table{
	"group.title": {"ISS, exterior, obra e evento", "ISS, abroad, work and event"},
	"group.why.service": {
		"Preencha só o que vale para toda nota deste serviço. O formulário de uma nota pode dizer outra coisa.",
		"Fill in only what holds for every invoice of this service. The form of an invoice may say something " +
			"else.",
	},
	"group.details": {"Informado no formulário", "Given in the form"},
	"group.more": {
		"Mais: descontos, deduções, ISS, exterior, obra, evento, intermediário",
		"More: discounts, deductions, ISS, abroad, work, event, intermediary",
	},
	"group.more.means": {
		"Em branco vale o que está definido para o serviço e o tomador. O que for informado aqui vale só para " +
			"esta nota.",
		"What is left empty is as set for the service and the customer. What is given here holds for this " +
			"invoice alone.",
	},
	"group.choose":       {"—", "—"},
	"group.as_set":       {"conforme o serviço e o tomador", "as set for service and customer"},
	"group.discounts":    {"Descontos", "Discounts"},
	"group.deductions":   {"Deduções da base do ISS", "Deductions from the base of the ISS"},
	"group.treatment":    {"Tratamento do ISS", "Treatment of the ISS"},
	"group.trade":        {"Exterior", "Abroad"},
	"group.sites":        {"Obra e evento", "Work and event"},
	"group.withholdings": {"Retenções federais desta nota", "Federal withholdings of this invoice"},
	"group.foreign":      {"Tomador no exterior", "Customer abroad"},
	"group.foreign.means": {
		"Em lugar do tomador acima: deixe em branco os dados do tomador no Brasil.",
		"In place of the customer above: leave the data of a customer in Brazil empty.",
	},
	"group.intermediary": {"Intermediário", "Intermediary"},
	"group.intermediary.means": {
		"O endereço é obrigatório se ele retém o ISS.", "Its address is needed where it withholds the ISS.",
	},

	"group.discount_unconditional": {"Desconto incondicionado, R$", "Unconditional discount, BRL"},
	"group.discount_conditional":   {"Desconto condicionado, R$", "Conditional discount, BRL"},

	"group.deduction":           {"Deduz", "Deducts"},
	"group.deduction.none":      {"nada", "nothing"},
	"group.deduction.percent":   {"um percentual do valor", "a percentage of the price"},
	"group.deduction.amount":    {"um valor", "an amount"},
	"group.deduction.documents": {"por documentos", "by documents"},
	"group.deduction_percent": {
		"Dedução da base do ISS, % do valor",
		"Deduction from the base of the ISS, percent of the price",
	},
	"group.deduction_amount": {"Valor da dedução, R$", "Amount deducted, BRL"},
	"group.document":         {"Documento", "Document"},
	"group.document.more":    {"Mais documentos", "More documents"},
	"group.document_key": {
		"Chave da NFS-e (50 dígitos) ou NF-e (44)",
		"Access key of an NFS-e (50 digits) or NF-e (44)",
	},
	"group.document_kind":    {"Tipo", "Kind"},
	"group.document_kind.1":  {"1 alimentação, bebidas, frigobar", "1 food and drinks"},
	"group.document_kind.2":  {"2 materiais", "2 materials"},
	"group.document_kind.3":  {"3 produção externa", "3 outside production"},
	"group.document_kind.4":  {"4 reembolso de despesas", "4 expenses paid back"},
	"group.document_kind.5":  {"5 repasse consorciado", "5 passed on to a consortium"},
	"group.document_kind.6":  {"6 repasse de plano de saúde", "6 passed on by a health plan"},
	"group.document_kind.7":  {"7 serviços", "7 services"},
	"group.document_kind.8":  {"8 subempreitada de mão de obra", "8 subcontracted labour"},
	"group.document_kind.9":  {"9 profissional parceiro", "9 partner professional"},
	"group.document_kind.99": {"99 outra, a descrever", "99 another, to be described"},

	"group.document_description": {"Descrição, do tipo 99", "Description, of kind 99"},
	"group.document_issued":      {"Data de emissão", "Day of issue"},
	"group.document_deductible":  {"Valor dedutível, R$", "Deductible amount, BRL"},
	"group.document_used":        {"Usado nesta nota, R$", "Used in this invoice, BRL"},

	"group.municipal_code": {
		"Código do município que emite em servidor próprio (cTribMun)",
		"Code of the city that issues by a server of its own (cTribMun)",
	},
	"group.iss":            {"O ISS é", "The ISS is"},
	"group.iss.taxed":      {"devido", "due"},
	"group.iss.immune":     {"imune", "immune"},
	"group.iss.not_taxed":  {"não incidente", "not due"},
	"group.iss.suspended":  {"de exigibilidade suspensa", "suspended"},
	"group.iss.benefit":    {"reduzido por benefício municipal", "reduced by a municipal benefit"},
	"group.iss_immunity":   {"Tipo de imunidade", "Kind of immunity"},
	"group.iss_immunity.1": {"1 patrimônio, renda ou serviços entre entes públicos", "1 between public bodies"},
	"group.iss_immunity.2": {"2 templos", "2 temples"},
	"group.iss_immunity.3": {
		"3 partidos, sindicatos, educação e assistência",
		"3 parties, unions, education, assistance",
	},
	"group.iss_immunity.4":      {"4 livros, jornais, periódicos", "4 books, newspapers, periodicals"},
	"group.iss_immunity.5":      {"5 fonogramas e videofonogramas", "5 music recordings"},
	"group.iss_suspension":      {"Suspenso por", "Suspended by"},
	"group.iss_suspension.1":    {"decisão judicial", "a court"},
	"group.iss_suspension.2":    {"processo administrativo", "the administration"},
	"group.iss_process":         {"Número do processo", "Number of the process"},
	"group.iss_benefit":         {"Número do benefício, 14 dígitos", "Number of the benefit, 14 digits"},
	"group.iss_benefit_percent": {"Redução da base, %", "Reduction of the base, percent"},
	"group.iss_benefit_amount":  {"Redução da base, R$", "Reduction of the base, BRL"},

	"group.abroad":        {"O serviço", "The service"},
	"group.abroad.none":   {"nada tem com o exterior", "has nothing to do with another country"},
	"group.abroad.export": {"é exportado (sem ISS)", "is exported (no ISS)"},
	"group.abroad.taxed": {
		"tem parte no exterior e é tributado aqui",
		"has to do with another country and is taxed here",
	},
	"group.abroad_country": {
		"País em que é prestado (2 letras; em branco: Brasil)",
		"Country where it is rendered (2 letters; empty: Brazil)",
	},
	"group.abroad_result_country": {
		"País do resultado, de exportação prestada no Brasil",
		"Country of the result, of an export rendered in Brazil",
	},
	"group.abroad_mode":           {"Modo de prestação", "Mode"},
	"group.abroad_mode.1":         {"1 transfronteiriço", "1 across the border"},
	"group.abroad_mode.2":         {"2 consumo no Brasil", "2 consumed in Brazil"},
	"group.abroad_relationship":   {"Vínculo entre as partes", "Relationship of the parties"},
	"group.abroad_relationship.0": {"0 nenhum", "0 none"},
	"group.abroad_relationship.1": {"1 controlada", "1 controlled"},
	"group.abroad_relationship.2": {"2 controladora", "2 controlling"},
	"group.abroad_relationship.3": {"3 coligada", "3 affiliated"},
	"group.abroad_relationship.4": {"4 matriz", "4 head office"},
	"group.abroad_relationship.5": {"5 filial ou sucursal", "5 branch"},
	"group.abroad_relationship.6": {"6 outro", "6 another"},
	"group.abroad_relationship.9": {"9 desconhecido", "9 unknown"},
	"group.abroad_currency": {
		"Moeda, código BACEN (em branco: real)",
		"Currency, code of the central bank (empty: real)",
	},
	"group.abroad_amount": {"Valor na moeda", "Amount in the currency"},
	"group.abroad_provider_mechanism": {
		"Mecanismo de apoio do prestador, 01 a 08",
		"Mechanism of support of the provider, 01 to 08",
	},
	"group.abroad_taker_mechanism": {
		"Mecanismo de apoio do tomador, 01 a 26",
		"Mechanism of support of the customer, 01 to 26",
	},
	"group.abroad_goods":              {"Movimentação temporária de bens", "Goods that move for a time"},
	"group.abroad_goods.1":            {"1 não há", "1 none"},
	"group.abroad_goods.2":            {"2 importação", "2 imported"},
	"group.abroad_goods.3":            {"3 exportação", "3 exported"},
	"group.abroad_import_declaration": {"Declaração de importação (nDI)", "Import declaration (nDI)"},
	"group.abroad_export_record":      {"Registro de exportação (nRE)", "Export record (nRE)"},
	"group.abroad_to_ministry": {
		"Enviar ao ministério do comércio (MDIC)",
		"Share with the ministry of trade (MDIC)",
	},
	"group.abroad_no_foreign_currency": {
		"O pagamento da exportação não traz divisas ao país: PIS e COFINS próprios são devidos (senão: CST 08, sem valores)",
		"The payment of the export brings in no foreign currency: own PIS and COFINS are due (else: CST 08, no amounts)",
	},

	"group.work":      {"Obra", "Work"},
	"group.work.none": {"nenhuma", "none"},
	"group.work.usual": {
		"Obra a que se referem as notas deste tomador",
		"Work that this customer's invoices are usually for",
	},
	"group.event":      {"Evento", "Event"},
	"group.event.none": {"nenhum", "none"},

	"group.withheld":      {"O tomador retém", "The customer withholds"},
	"group.withheld.none": {"nada", "nothing"},
	"group.withheld.own":  {"o que segue", "as follows"},

	"group.foreign_name":        {"Nome", "Name"},
	"group.foreign_nif":         {"NIF, número fiscal no país", "NIF, tax number in its country"},
	"group.foreign_no_nif":      {"Sem NIF porque", "No NIF because"},
	"group.foreign_no_nif.1":    {"1 dispensado", "1 it is dispensed of it"},
	"group.foreign_no_nif.2":    {"2 o país não exige", "2 its country has none"},
	"group.foreign_country":     {"País, 2 letras", "Country, 2 letters"},
	"group.foreign_postal_code": {"Código postal", "Postal code"},
	"group.foreign_city":        {"Cidade", "City"},
	"group.foreign_region":      {"Estado, província ou região", "State, province or region"},
	"group.foreign_street":      {"Logradouro", "Street"},
	"group.foreign_number":      {"Número", "Number"},
	"group.foreign_complement":  {"Complemento", "Complement"},
	"group.foreign_district":    {"Bairro", "District"},

	"group.intermediary_tax_id":            {"CPF ou CNPJ", "CPF or CNPJ"},
	"group.intermediary_name":              {"Nome", "Name"},
	"group.intermediary_withholds":         {"Retém o ISS", "It withholds the ISS"},
	"group.intermediary_municipality_code": {"Município, código IBGE", "City, IBGE code"},
	"group.intermediary_zip_code":          {"CEP", "Zip code"},
	"group.intermediary_street":            {"Logradouro", "Street"},
	"group.intermediary_number":            {"Número", "Number"},
	"group.intermediary_complement":        {"Complemento", "Complement"},
	"group.intermediary_district":          {"Bairro", "District"},

	"group.wrong.discount_unconditional": {"Informe um valor maior que zero.", "Give an amount above zero."},
	"group.wrong.discount_conditional":   {"Informe um valor maior que zero.", "Give an amount above zero."},
	"group.wrong.deduction":              {"Escolha uma das opções.", "Choose one of the options."},
	"group.wrong.deduction_percent": {
		"Informe um percentual até 100, com no máximo duas casas.",
		"Give a percentage up to 100, with at most two decimals.",
	},
	"group.wrong.deduction_amount": {"Informe o valor da dedução.", "Give the amount that is deducted."},
	"group.wrong.document_key": {
		"Informe a chave, de 50 ou 44 dígitos.",
		"Give the access key, of 50 or 44 digits.",
	},
	"group.wrong.document_kind": {"Escolha o tipo.", "Choose the kind."},
	"group.wrong.document_description": {
		"Descreva a dedução, em até 150 caracteres.",
		"Describe the deduction, in up to 150 characters.",
	},
	"group.wrong.document_issued":     {"Informe a data de emissão.", "Give the day of issue."},
	"group.wrong.document_deductible": {"Informe o valor dedutível.", "Give the deductible amount."},
	"group.wrong.document_used": {
		"Informe o valor usado, até o dedutível.",
		"Give the amount that is used, up to the deductible one.",
	},

	"group.wrong.municipal_code": {
		"Informe o código do município, de 1 a 10 dígitos, sem pontos.",
		"Give the city's code, of 1 to 10 digits, without dots.",
	},
	"group.wrong.iss":          {"Escolha uma das opções.", "Choose one of the options."},
	"group.wrong.iss_immunity": {"Escolha o tipo de imunidade.", "Choose the kind of immunity."},
	"group.wrong.iss_suspension": {
		"Escolha por quem o ISS está suspenso.",
		"Choose by whom the ISS is suspended.",
	},
	"group.wrong.iss_process": {
		"Informe o processo, de 30 dígitos, ou de 20 se judicial.",
		"Give the process, of 30 digits, or of 20 if it is a court's.",
	},
	"group.wrong.iss_benefit": {
		"Informe o número do benefício, de 14 dígitos.",
		"Give the number of the benefit, of 14 digits.",
	},
	"group.wrong.iss_benefit_percent": {
		"Informe um percentual até 100, com no máximo duas casas.",
		"Give a percentage up to 100, with at most two decimals.",
	},
	"group.wrong.iss_benefit_amount": {
		"Informe um valor, ou um percentual, não os dois.",
		"Give an amount, or a percentage, not both.",
	},

	"group.wrong.abroad": {"Escolha uma das opções.", "Choose one of the options."},
	"group.wrong.abroad_country": {
		"Informe um país por seu código de 2 letras, que não BR.",
		"Give a country by its code of 2 letters, other than BR.",
	},
	"group.wrong.abroad_result_country": {
		"Informe um país por seu código de 2 letras, que não BR.",
		"Give a country by its code of 2 letters, other than BR.",
	},
	"group.wrong.abroad_mode":         {"Escolha o modo de prestação.", "Choose the mode."},
	"group.wrong.abroad_relationship": {"Escolha o vínculo.", "Choose the relationship."},
	"group.wrong.abroad_currency": {
		"A moeda tem um código de 3 dígitos, como 220.",
		"A currency has a code of 3 digits, as 220.",
	},
	"group.wrong.abroad_amount":             {"Informe um valor maior que zero.", "Give an amount above zero."},
	"group.wrong.abroad_provider_mechanism": {"Informe um código de 01 a 08.", "Give a code from 01 to 08."},
	"group.wrong.abroad_taker_mechanism":    {"Informe um código de 01 a 26.", "Give a code from 01 to 26."},
	"group.wrong.abroad_goods":              {"Escolha uma das opções.", "Choose one of the options."},
	"group.wrong.abroad_import_declaration": {"No máximo 12 caracteres.", "At most 12 characters."},
	"group.wrong.abroad_export_record":      {"No máximo 12 caracteres.", "At most 12 characters."},

	"group.wrong.withheld": {
		"Escolha “o que segue” para que valham as alíquotas informadas.",
		"Choose “as follows” for the rates that are given to count.",
	},
	"group.wrong.work": {
		"Escolha uma obra do cadastro que não esteja encerrada.",
		"Choose a work of the register that is not closed.",
	},
	"group.wrong.event": {
		"Escolha um evento do cadastro que não esteja encerrado.",
		"Choose an event of the register that is not closed.",
	},

	"group.wrong.foreign_name": {"Informe o nome.", "Give the name."},
	"group.wrong.foreign_nif":  {"No máximo 40 caracteres.", "At most 40 characters."},
	"group.wrong.foreign_no_nif": {
		"Informe o NIF, ou por que não há, não os dois.",
		"Give the NIF, or why there is none, not both.",
	},
	"group.wrong.foreign_country": {
		"Informe um país por seu código de 2 letras, que não BR.",
		"Give a country by its code of 2 letters, other than BR.",
	},
	"group.wrong.foreign_postal_code": {
		"Informe o código postal, de até 11 caracteres.",
		"Give the postal code, of up to 11 characters.",
	},
	"group.wrong.foreign_city": {"Informe a cidade.", "Give the city."},
	"group.wrong.foreign_region": {
		"Informe o estado, a província ou a região.",
		"Give the state, province or region.",
	},
	"group.wrong.foreign_street":     {"Informe o logradouro.", "Give the street."},
	"group.wrong.foreign_number":     {"Informe o número.", "Give the number."},
	"group.wrong.foreign_complement": {"No máximo 156 caracteres.", "At most 156 characters."},
	"group.wrong.foreign_district":   {"Informe o bairro.", "Give the district."},
	"group.wrong.foreign_beside": {
		"Preencha o tomador no Brasil ou o tomador no exterior, não os dois.",
		"Fill in a customer in Brazil or one abroad, not both.",
	},

	"group.wrong.intermediary_tax_id": {
		"CPF ou CNPJ inválido. Confira os dígitos.",
		"Enter a valid CPF or CNPJ.",
	},
	"group.wrong.intermediary_name": {"Informe o nome.", "Give the name."},
	"group.wrong.intermediary_withholds": {
		"Retém o ISS o tomador ou o intermediário, não os dois.",
		"Either the customer withholds the ISS or the intermediary, not both.",
	},
	"group.wrong.intermediary_municipality_code": {
		"Informe o código IBGE do município.",
		"Give the IBGE code of the city.",
	},
	"group.wrong.intermediary_zip_code":   {"Informe o CEP, de 8 dígitos.", "Give the zip code, of 8 digits."},
	"group.wrong.intermediary_street":     {"Informe o logradouro.", "Give the street."},
	"group.wrong.intermediary_number":     {"Informe o número.", "Give the number."},
	"group.wrong.intermediary_complement": {"No máximo 156 caracteres.", "At most 156 characters."},
	"group.wrong.intermediary_district":   {"Informe o bairro.", "Give the district."},
}
