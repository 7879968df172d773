package words

// catalogue is the pages of services and customers.
var catalogue = table{
	"catalogue.find":   {"Buscar", "Search"},
	"catalogue.save":   {"Salvar", "Save"},
	"catalogue.back":   {"Voltar sem salvar", "Go back without saving"},
	"catalogue.newest": {"Voltar ao início", "Back to the beginning"},
	"catalogue.older":  {"Mais antigos", "Older"},
	"catalogue.cities": {"Municípios encontrados: escolha um", "Municipalities found: choose one"},
	"catalogue.cities.none": {
		"Nenhum município tem esse nome. Escreva parte do nome, ou o código IBGE de 7 dígitos.",
		"No municipality has that name. Write a part of the name, or the IBGE code of 7 digits.",
	},
	"catalogue.codes": {"Códigos encontrados: escolha um", "Codes found: choose one"},
	"catalogue.codes.none": {
		"Nenhum código nacional tem essas palavras. Tente outras, ou o começo do código.",
		"No national code has these words. Try others, or the beginning of the code.",
	},
	"catalogue.conflict": {
		"Outra pessoa mudou isto enquanto você editava.",
		"Somebody else changed this while you were editing.",
	},
	"catalogue.conflict.means": {
		"Nada do que a outra pessoa fez se perdeu, e o que você digitou está abaixo, ainda não salvo. Confira o " +
			"que vale agora e salve de novo para gravar o seu.",
		"Nothing of what the other person did is lost, and what you typed is below, not saved yet. Look at what " +
			"holds now, and save again to keep yours.",
	},

	"services.expire": {
		"Serviços de teste expiram 30 dias depois de criados.",
		"Test services expire 30 days after they were created.",
	},
	"services.id":       {"Id", "Id"},
	"services.amount":   {"Valor padrão", "Default amount"},
	"services.live":     {"Para notas de produção", "For live invoices"},
	"services.ready":    {"pronto", "ready"},
	"services.until":    {"Expira", "Expires"},
	"services.inactive": {"inativo", "inactive"},
	"services.none":     {"Nenhum serviço ainda.", "No services yet."},
	"service.new":       {"Novo serviço", "New service"},
	"service.edit":      {"Serviço", "Service"},
	"service.created":   {"Serviço criado.", "Service created."},
	"service.changed":   {"Serviço alterado.", "Service changed."},
	"service.expires":   {"expira em %s", "expires on %s"},
	"service.snapshot": {
		"Notas já pedidas ficam como foram pedidas.",
		"Invoices that were asked for stay as they were.",
	},
	"service.name":          {"Nome", "Name"},
	"service.name.wrong":    {"O nome tem de 2 a 80 caracteres.", "The name has 2 to 80 characters."},
	"service.description":   {"Descrição que sai na nota", "Description printed on the invoice"},
	"service.active":        {"Ativo: pode ser usado em novas notas", "Active: new invoices can use it"},
	"service.taxation.none": {"Não informada", "Not given"},
	"service.taxation.t":    {"T: tributado no município", "T: taxed in the municipality"},
	"service.taxation.f":    {"F: tributado fora do município", "F: taxed outside of the municipality"},
	"service.description.wrong": {
		"A descrição tem de 3 a 2000 caracteres.",
		"The description has 3 to 2000 characters.",
	},
	"service.municipality_code": {
		"Município da prestação (nome ou código IBGE)",
		"Municipality where it is rendered (name or IBGE code)",
	},
	"service.municipality_code.wrong": {
		"Informe o código IBGE de 7 dígitos de um município, ou busque pelo nome.",
		"Give the IBGE code of 7 digits of a municipality, or search by its name.",
	},
	"service.default_amount_cents": {"Valor padrão em reais", "Default amount in reais"},
	"service.default_amount_cents.wrong": {
		"Escreva o valor em reais, como 150,00: de 0,01 a 9.999.999.999.999,99.",
		"Write the amount in reais, as 150.00: from 0.01 to 9,999,999,999,999.99.",
	},
	"service.national_tax_code": {
		"Código de tributação nacional (código ou palavras)",
		"National tax code (code or words)",
	},
	"service.national_tax_code.wrong": {
		"O código nacional tem 6 dígitos, como 04.01.01. Escolha um dos encontrados ou busque por outras palavras.",
		"The national code has 6 digits, as 04.01.01. Choose one of those found, or search by other words.",
	},
	"service.municipal_tax_code": {"Código municipal (opcional)", "Municipal code (optional)"},
	"service.municipal_tax_code.wrong": {
		"O código municipal tem 4 ou 5 dígitos.",
		"The municipal code has 4 or 5 digits.",
	},
	"service.municipal_taxation": {"Tributação municipal (opcional)", "Municipal taxation (optional)"},
	"service.municipal_taxation.wrong": {
		"Escolha uma das opções de tributação municipal.",
		"Choose one of the options of municipal taxation.",
	},
	"service.iss_rate": {"Alíquota de ISS em % (opcional)", "ISS rate in % (optional)"},
	"service.iss_rate.wrong": {
		"A alíquota é maior que 0 e no máximo 5, com até duas casas, como 2,01.",
		"The rate is above 0 and at most 5, with at most two decimals, as 2.01.",
	},
	"service.live": {
		"Antes de notas de produção deste serviço, falta:",
		"Before live invoices of this service, this is missing:",
	},
	"service.live.national_tax_code_missing": {"código nacional", "national tax code"},
	"service.live.E0310": {
		"código nacional fora da lista (E0310)",
		"national tax code not on the list (E0310)",
	},
	"service.live.other": {
		"descrição ou município recusados",
		"description or municipality refused",
	},
	"service.live.municipal_tax_code_missing": {"código municipal (São Paulo)", "municipal tax code (São Paulo)"},
	"service.live.municipal_taxation_missing": {
		"tributação municipal (São Paulo)",
		"municipal taxation (São Paulo)",
	},
	"service.live.city_code_missing": {
		"código do município (cTribMun), em Tributação",
		"the city's code (cTribMun), in Taxation",
	},
	"service.live.city_code_digits": {
		"código do município com outro número de dígitos",
		"the city's code with another number of digits",
	},
	"service.live.iss_rate_missing": {"alíquota do ISS", "ISS rate"},
	"service.live.unclassified":     {"classificação IBS/CBS", "IBS/CBS classification"},
	"service.live.misclassified":    {"classificação recusada hoje", "classification refused today"},
	"service.live.unlinked": {
		"combinação fora dos vínculos da calculadora",
		"combination that no link of the calculator has",
	},

	"customers.complete":   {"Dados fiscais", "Fiscal data"},
	"customers.incomplete": {"incompletos", "incomplete"},
	"customers.changed":    {"Alterado", "Changed"},
	"customers.none":       {"Nenhum tomador ainda.", "No customers yet."},
	"customers.none.found": {"Nenhum tomador encontrado.", "No customers found."},
	"customer.new":         {"Novo tomador", "New customer"},
	"customer.edit":        {"Tomador", "Customer"},
	"customer.created":     {"Tomador criado.", "Customer created."},
	"customer.changed":     {"Tomador alterado.", "Customer changed."},
	"customer.incomplete": {
		"Uma nota para este tomador ainda precisa de:",
		"An invoice for this customer still needs:",
	},
	"customer.missing.address.street":    {"logradouro", "street"},
	"customer.missing.address.number":    {"número", "number"},
	"customer.missing.address.district":  {"bairro", "district"},
	"customer.missing.address.zip_code":  {"CEP", "zip code"},
	"customer.missing.municipality_code": {"município", "municipality"},
	"customer.tax_id":                    {"CPF ou CNPJ", "CPF or CNPJ"},
	"customer.tax_id.wrong":              {"CPF ou CNPJ inválido. Confira os dígitos.", "Enter a valid CPF or CNPJ."},
	"customer.tax_id.taken": {
		"Já existe um tomador com este documento. Nada mudou: busque-o na lista para alterá-lo.",
		"There is a customer with this document already. Nothing changed: find it in the list to change it.",
	},
	"customer.name": {"Nome ou razão social", "Name"},
	"customer.name.wrong": {
		"Informe o nome ou a razão social (até 150 caracteres).",
		"Enter the name (at most 150 characters).",
	},
	"customer.nickname":       {"Apelido (opcional)", "Nickname (optional)"},
	"customer.nickname.wrong": {"O apelido tem até 80 caracteres.", "The nickname has at most 80 characters."},
	"customer.email":          {"E-mail", "E-mail"},
	"customer.email.wrong": {
		"Escreva um endereço de e-mail de até 80 caracteres, como maria@exemplo.com.br.",
		"Write an e-mail address of at most 80 characters, as maria@example.com.",
	},
	"customer.zip_code":       {"CEP", "Zip code (CEP)"},
	"customer.zip_code.wrong": {"O CEP tem 8 dígitos, como 01310-100.", "The zip code has 8 digits, as 01310-100."},
	"customer.street_type":    {"Tipo do logradouro (Rua, Avenida)", "Type of the street (Rua, Avenida)"},
	"customer.street_type.wrong": {
		"O tipo do logradouro tem até 20 caracteres.",
		"The type of the street has at most 20 characters.",
	},
	"customer.street": {"Logradouro", "Street"},
	"customer.street.wrong": {
		"O logradouro, junto com o tipo, tem até 255 caracteres.",
		"The street together with its type has at most 255 characters.",
	},
	"customer.number":       {"Número", "Number"},
	"customer.number.wrong": {"O número tem até 60 caracteres.", "The number has at most 60 characters."},
	"customer.complement":   {"Complemento (opcional)", "Complement (optional)"},
	"customer.complement.wrong": {
		"O complemento tem até 156 caracteres.",
		"The complement has at most 156 characters.",
	},
	"customer.district":       {"Bairro", "District"},
	"customer.district.wrong": {"O bairro tem até 60 caracteres.", "The district has at most 60 characters."},
	"customer.municipality_code": {
		"Município (vazio: pelo CEP; nome ou código IBGE)",
		"Municipality (empty: by the zip code; name or IBGE code)",
	},
	"customer.municipality_code.wrong": {
		"Informe o código IBGE de 7 dígitos de um município, busque pelo nome, ou deixe vazio.",
		"Give the IBGE code of 7 digits of a municipality, search by its name, or leave it empty.",
	},
	"customer.municipality_code.conflict": {
		"O CEP é de outro município. Corrija o CEP ou o município; vazio, vale o do CEP.",
		"The zip code is of another municipality. Correct either; left empty, the zip code's counts.",
	},
}

// classify is the page of how a service is classified.
var classify = table{
	"classify.title": {"Classificação IBS/CBS", "IBS/CBS classification"},
	"classify.why": {
		"Diz como o serviço é tributado por IBS e CBS. É uma decisão fiscal: na dúvida, pergunte ao seu " +
			"contador. Notas de produção que esperam por ela seguem assim que for salva.",
		"It says how the service is taxed by IBS and CBS. It is a decision about tax: when in doubt, ask your " +
			"accountant. Live invoices that wait for it go on as soon as it is saved.",
	},
	"classify.saved": {"Classificação salva.", "Classification saved."},
	"classify.removed": {
		"Classificação removida. Notas já aceitas ficam como estão.",
		"Classification removed. Invoices that were accepted stay as they are.",
	},
	"classify.chosen": {
		"A sugestão está no formulário e ainda não foi salva: confira e salve.",
		"The suggestion is in the form and not saved yet: check it, and save.",
	},
	"classify.rule":        {"Regra %s", "Rule %s"},
	"classify.more":        {"Casos especiais", "Special cases"},
	"classify.suggestions": {"Sugestões da tabela de correlação", "Suggestions of the correlation table"},
	"classify.suggestions.means": {
		"Vêm do Anexo VIII, que não tem força legal. Nenhuma é aplicada sozinha: Usar só preenche o formulário.",
		"They come from Annex VIII, which has no legal force. None is applied by itself: Use only fills the form.",
	},
	"classify.no_correlation": {
		"A tabela de correlação (Anexo VIII) não foi importada nesta instalação.",
		"The correlation table (Annex VIII) was not imported into this installation.",
	},
	"classify.no_suggestion": {
		"A tabela não sugere nada para o código nacional deste serviço.",
		"The table suggests nothing for the national tax code of this service.",
	},
	"classify.when":        {"Quando", "When"},
	"classify.accept":      {"Aceitar", "Accept"},
	"classify.use":         {"Usar", "Use"},
	"classify.unusable":    {"não aceita hoje", "not accepted today"},
	"classify.always":      {"sempre", "always"},
	"classify.onerous":     {"oneroso", "for payment"},
	"classify.not_onerous": {"não oneroso", "free of charge"},
	"classify.abroad":      {"adquirente no exterior", "acquirer abroad"},
	"classify.in_country":  {"adquirente no país", "acquirer in the country"},
	"classify.remove":      {"Remover classificação", "Remove classification"},
	"classify.remove.means": {
		"Sem classificação, notas de produção deste serviço esperam quando a autoridade a exige.",
		"Without it, live invoices of this service wait where the authority requires it.",
	},
	"classify.unsaid": {"Não informado", "Not given"},
	"classify.nbs":    {"NBS (cNBS, 9 dígitos)", "NBS (cNBS, 9 digits)"},
	"classify.cindop": {
		"Indicador da operação (cIndOp, 6 dígitos)",
		"Indicator of the operation (cIndOp, 6 digits)",
	},
	"classify.cst": {"CST (3 dígitos; vazio: os do cClassTrib)", "CST (3 digits; empty: the cClassTrib's)"},
	"classify.cclasstrib": {
		"Classificação tributária (cClassTrib, 6 dígitos)",
		"Tax classification (cClassTrib, 6 digits)",
	},
	"classify.indfinal":       {"Uso ou consumo pessoal (indFinal)", "Personal use or consumption (indFinal)"},
	"classify.cst-reg":        {"CST da tributação regular", "CST of the regular taxation"},
	"classify.cclasstrib-reg": {"cClassTrib da tributação regular", "cClassTrib of the regular taxation"},
	"classify.pdif-uf":        {"Diferimento do IBS estadual em %", "Deferral of the state's IBS in %"},
	"classify.pdif-mun":       {"Diferimento do IBS municipal em %", "Deferral of the city's IBS in %"},
	"classify.pdif-cbs":       {"Diferimento da CBS em %", "Deferral of the CBS in %"},
	"classify.ccredpres":      {"Crédito presumido (cCredPres)", "Presumed credit (cCredPres)"},
	"classify.tp-ente-gov": {
		"Ente público comprador: 1 União, 2 estado, 3 DF, 4 município",
		"Government that buys: 1 union, 2 state, 3 federal district, 4 city",
	},
	"classify.tp-oper": {
		"Fornecimento e pagamento: 1 pago depois, 4 pago antes, 5 na hora",
		"Supply and payment: 1 paid later, 4 paid before, 5 at once",
	},
	"classify.property-registration": {"Imóvel: inscrição municipal", "Property: registration by the city"},
	"classify.property-cib":          {"Imóvel: CIB (8 caracteres)", "Property: CIB (8 characters)"},
	"classify.property-zip-code":     {"Imóvel: CEP", "Property: zip code"},
	"classify.property-street":       {"Imóvel: tipo e logradouro", "Property: kind and name of the street"},
	"classify.property-number":       {"Imóvel: número", "Property: number"},
	"classify.property-complement":   {"Imóvel: complemento", "Property: complement"},
	"classify.property-district":     {"Imóvel: bairro", "Property: district"},
	"classify.defect.form":           {"O que foi digitado não pode ser lido.", "What was typed cannot be read."},
	"classify.defect.schema":         {"O leiaute não aceita este valor.", "The layout does not take this value."},
	"classify.defect.table": {
		"A tabela não permite isto com este cClassTrib.",
		"The table does not allow this with this cClassTrib.",
	},
	"classify.defect.E0316": {"Este código não está na NBS (Anexo B).", "This code is not in the NBS (Annex B)."},
	"classify.defect.E0901": {
		"Este cIndOp não está no Anexo C, pelo qual o leiaute é conferido.",
		"This cIndOp is not in Annex C, by which the layout is checked.",
	},
	"classify.defect.E0958": {
		"Este cClassTrib não vale hoje para NFS-e.",
		"This cClassTrib is not valid for NFS-e today.",
	},
	"classify.defect.E0959": {
		"O cClassTrib não é deste CST: os três primeiros dígitos são o CST.",
		"The cClassTrib is not of this CST: its first three digits are.",
	},
	"classify.defect.E0964": {
		"Este cClassTrib não permite a tributação regular: deixe-a vazia.",
		"This cClassTrib does not allow the regular taxation: leave it empty.",
	},
	"classify.defect.E0965": {
		"Este cClassTrib exige a tributação regular: informe-a.",
		"This cClassTrib requires the regular taxation: give it.",
	},
	"classify.defect.E0971": {
		"Este CST não permite diferimento: deixe-o vazio.",
		"This CST does not allow a deferral: leave it empty.",
	},
	"classify.defect.E0972": {
		"Este CST exige o diferimento: informe os três percentuais.",
		"This CST requires a deferral: give its three percentages.",
	},
	"classify.defect.E0903": {
		"Este serviço pede a ordem de fornecimento e pagamento (tpOper).",
		"This service needs the order of supply and payment (tpOper).",
	},
	"classify.defect.268": {"Este código não está na NBS (Anexo B).", "This code is not in the NBS (Annex B)."},
	"classify.defect.281": {
		"Este cClassTrib exige a tributação regular: informe-a.",
		"This cClassTrib requires the regular taxation: give it.",
	},
	"classify.defect.282": {
		"Este cClassTrib não permite a tributação regular: deixe-a vazia.",
		"This cClassTrib does not allow the regular taxation: leave it empty.",
	},
	"classify.defect.620": {
		"Este cIndOp exige os dados do imóvel: informe o CIB ou o endereço.",
		"This cIndOp requires the data of the property: give its CIB or its address.",
	},
	"classify.defect.621": {
		"Este cIndOp não permite dados de imóvel: deixe-os vazios.",
		"This cIndOp does not allow the data of a property: leave them empty.",
	},
	"classify.defect.628": {
		"Este cClassTrib não vale hoje para NFS-e.",
		"This cClassTrib is not valid for NFS-e today.",
	},
	"classify.defect.630": {
		"Este cIndOp não está no Anexo VII, pelo qual a prefeitura confere.",
		"This cIndOp is not in Annex VII, by which the city checks.",
	},
	"classify.defect.other": {
		"A autoridade recusaria esta combinação.",
		"The authority would refuse this combination.",
	},
	"classify.warning.unconfirmed": {
		"O cClassTrib %s está na tabela, mas a autoridade ainda pode recusá-lo (E0958).",
		"The cClassTrib %s is listed, and the authority may still refuse it (E0958).",
	},
	"classify.warning.ends": {
		"O cClassTrib %s tem data para acabar.",
		"The cClassTrib %s has a day on which it ends.",
	},
	"classify.warning.elsewhere": {
		"O cIndOp %s muda de sentido no leiaute da NT 009: escolha de novo quando ele vier.",
		"The cIndOp %s means another place in the layout of NT 009: choose anew when it comes.",
	},
	"classify.warning.dropped": {
		"O cIndOp %s não existe mais no leiaute da NT 009: escolha de novo quando ele vier.",
		"The cIndOp %s is no longer in the layout of NT 009: choose anew when it comes.",
	},
	"classify.warning.roads": {
		"O cIndOp %s é da NFS-e Via, que este programa não emite.",
		"The cIndOp %s is for NFS-e Via, which this program does not issue.",
	},
	"classify.warning.unlinked": {
		"A calculadora não tem vínculo para NBS / cClassTrib / cIndOp %s juntos: a autoridade pode recusá-los.",
		"The calculator has no link for NBS / cClassTrib / cIndOp %s together: the authority may refuse them.",
	},
	"classify.warning.recipient": {
		"O cIndOp %s ocorre no endereço de um destinatário que não é o adquirente, e que não é declarado aqui.",
		"The cIndOp %s takes place at a recipient other than the acquirer, whom this program does not declare.",
	},
}
