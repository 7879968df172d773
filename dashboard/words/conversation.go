package words

// conversation is what the form of a note says in answer to what is chosen, and what fills in forms.
var conversation = table{
	"issue.customer_words": {
		"Nome, CPF ou CNPJ de um tomador do cadastro", "Name, CPF or CNPJ of a customer on record",
	},
	"issue.customer.other":    {"Trocar", "Change"},
	"issue.customer.complete": {"Completar o cadastro", "Complete the record"},
	"issue.customer.new":      {"Ou informe os dados de um novo tomador:", "Or enter the data of a new customer:"},
	"issue.customers":         {"Tomadores encontrados", "Customers found"},
	"issue.customers.none": {
		"Nenhum tomador do cadastro tem essas palavras no nome, nem esse começo de CPF ou CNPJ.",
		"No customer on record has these words in their name, or a CPF or CNPJ that begins like this.",
	},
	"issue.wrong.customer_none": {
		"Nenhum tomador do cadastro foi encontrado. Confira o nome, ou informe os dados de um novo tomador.",
		"No customer on record was found. Check the name, or enter the data of a new customer.",
	},
	"issue.wrong.customer_several": {
		"Há mais de um tomador com esse nome: escolha um.",
		"There is more than one customer by this name: choose one.",
	},
	"issue.service_and_amount": {"Serviço e valor", "Service and amount"},
	"issue.service.complete":   {"Completar o serviço", "Complete the service"},
	"issue.description.of_service": {
		"Vazia, vale a do serviço: %s", "Empty, that of the service counts: %s",
	},
	"issue.email": {"E-mail do tomador", "Customer's e-mail"},
	"issue.email.means": {
		"Para enviar a nota. Fica no cadastro do tomador.",
		"Where the invoice is sent. It is kept on the customer's record.",
	},
	"issue.wrong.email": {"Informe um e-mail válido, como nome@exemplo.com.br.", "Enter a valid e-mail address."},
	"issue.copy":        {"Duplicar nota", "Duplicate"},

	"review.base": {"Base de cálculo do ISS", "Base of the ISS"},
	"review.iss":  {"ISS", "ISS"},
	"review.iss.at": {
		"%s (alíquota de %s %%)", "%s (at a rate of %s %%)",
	},
	"review.iss.unknown": {"Calculado pela autoridade", "Computed by the authority"},
	"review.total":       {"Total a cobrar do tomador", "Total to charge the customer"},
	"review.ibs_cbs":     {"IBS e CBS", "IBS and CBS"},
	"review.ibs_cbs.stated": {
		"Calculados pela autoridade e informados no documento; antes de 2027 não são cobrados do tomador",
		"Computed by the authority and stated in the document; before 2027 the customer is not charged for them",
	},
	"review.ibs_cbs.charged": {
		"Calculados pela autoridade e somados ao total",
		"Computed by the authority and added to the total",
	},
	"review.rules": {"De onde vem a alíquota", "Where the rate comes from"},
	"review.rules.service": {
		"Cadastro do serviço", "The service's record",
	},
	"review.rules.authority": {
		"Parâmetros do município e regime da empresa", "The city's parameters and the company's regime",
	},
	"review.rules.city": {
		"Parâmetros do município", "The city's parameters",
	},
	"review.rate.city": {
		"O cadastro do serviço diz ISS de %s; o município, %s: vale a do município. A nota segue sem alíquota, e a " +
			"autoridade aplica a que o município definiu.",
		"The service's record says an ISS rate of %s, the city %s: the city's counts. The invoice is sent without a " +
			"rate, and the authority applies the one that the city has set.",
	},
	"review.rules.none": {
		"Não informada: a autoridade usa a do município", "Not set: the authority uses the city's",
	},
	"review.lacks": {"Para emitir em produção, falta ao serviço:", "For live invoices this service still lacks:"},

	"fill.zip_code": {"Buscar endereço", "Find address"},
	"fill.tax_id":   {"Buscar dados", "Find company"},
	"fill.city":     {"Município (opcional)", "City (optional)"},
	"fill.zip_code.wrong": {
		"Para buscar o endereço, informe um CEP de 8 dígitos.",
		"To find the address, enter a zip code of 8 digits.",
	},
	"fill.zip_code.unknown": {
		"CEP não encontrado. Confira os dígitos, ou preencha o endereço.",
		"Unknown CEP. Check its digits, or enter the address.",
	},
	"fill.street": {
		"Este CEP não traz o nome da rua: preencha.",
		"This CEP does not tell the street: enter it.",
	},
	"fill.unavailable": {
		"A consulta não está respondendo. Preencha os dados, ou tente de novo em instantes.",
		"The look-up does not answer right now. Enter the data, or try again in a moment.",
	},
	"fill.many": {
		"Muitas consultas seguidas. Espere alguns segundos e tente de novo.",
		"Too many look-ups in a row. Wait a few seconds and try again.",
	},
	"fill.tax_id.wrong": {
		"Para buscar os dados, informe um CNPJ válido.",
		"To find the company, enter a valid CNPJ.",
	},
	"fill.tax_id.unknown": {
		"CNPJ não encontrado na consulta. Confira os dígitos, ou preencha os dados.",
		"The look-up does not know this CNPJ. Check its digits, or enter the data.",
	},
	"fill.tax_id.inactive": {
		"A situação cadastral deste CNPJ não é ativa. Confira antes de emitir.",
		"The registration of this CNPJ is not active. Check before you issue.",
	},

	"customers.find": {"Nome, CPF ou CNPJ", "Name, CPF or CNPJ"},
	"customers.more": {
		"Há mais tomadores assim: acrescente outra palavra do nome.",
		"There are more of them: add another word of the name.",
	},
	"customers.empty": {
		"Aqui ficam os tomadores das suas notas. Quem recebe uma nota entra sozinho; você também pode cadastrar antes.",
		"This is where the customers of your invoices are. Whoever gets an invoice is added by itself; you can " +
			"also add them before.",
	},
	"customer.city":       {"Município (vazio, vale o do CEP)", "City (empty: that of the zip code)"},
	"customer.notes":      {"Notas deste tomador", "Invoices to this customer"},
	"customer.notes.all":  {"Ver todas as notas deste tomador", "See all invoices to this customer"},
	"customer.notes.none": {"Ainda não há notas para este tomador.", "There are no invoices to this customer yet."},
	"customer.totals": {
		"Notas: %d; emitidas: %d, no valor de %s.", "Invoices: %d; issued: %d, worth %s.",
	},
	"customer.totals.latest": {
		"Últimas notas: %d; emitidas: %d, no valor de %s.", "Latest invoices: %d; issued: %d, worth %s.",
	},

	"company.city.name": {"Município da empresa", "Company's city"},
	"company.city.national": {
		"Usa o emissor nacional", "Uses the national issuer",
	},
	"company.city.rfb": {
		"Emissão padrão para quem só tem CNPJ na Receita Federal",
		"Issues by default for who is only registered at the Receita Federal",
	},
	"company.simples.means": {
		"MEI paga um valor fixo por mês (DAS-MEI). ME e EPP do Simples pagam uma guia única (DAS) sobre o " +
			"faturamento. " +
			"Não optante é quem está no lucro presumido ou no lucro real.",
		"A MEI pays a fixed amount a month (DAS-MEI). ME and EPP in Simples pay one bill (DAS) on their revenue. " +
			"Outside of Simples are those on presumed or real profit.",
	},
	"company.simples_regime.means": {
		"Na dúvida, escolha a opção 1: a guia do Simples inclui os tributos federais e o ISS. Seu contador confirma.",
		"If in doubt, choose option 1: the bill of Simples includes federal taxes and ISS. Your accountant can tell.",
	},
	"company.taxes.title": {"Tributos da empresa", "The company's taxes"},
	"company.more":        {"Casos especiais", "Special cases"},
	"company.more.means": {
		"A maioria das empresas não precisa mudar nada aqui.", "Most companies need not change anything here.",
	},

	"overview.first.test": {
		"Depois da nota de teste, passe para Produção: lá estão os passos para emitir com valor fiscal.",
		"After the test invoice, switch to Live: there are the steps to invoices with fiscal value.",
	},
	"overview.step.profile.means": {
		"O CNPJ, o município e o regime tributário da sua empresa.",
		"Your company's CNPJ, city and tax regime.",
	},
	"overview.step.certificate.means": {
		"O arquivo .pfx ou .p12 que assina as notas, com a senha dele. É guardado cifrado.",
		"The .pfx or .p12 file that signs invoices, with its password. It is kept encrypted.",
	},
	"overview.step.service.means": {
		"O que você vende: nome, descrição, valor e o município onde presta.",
		"What you sell: name, description, price and the city where you do it.",
	},
	"overview.step.classification.means": {
		"Diz à Receita que tipo de serviço é. Sugerimos uma pelo código do serviço; você confere e salva.",
		"Tells the tax authority what kind of service it is. We suggest one by the service's code; check and save it.",
	},
	"overview.step.note.means": {
		"Escolha o tomador e o serviço, revise e emita.",
		"Choose customer and service, review and issue.",
	},
	"services.empty": {
		"Aqui ficam os serviços que você vende. Cada nota é de um deles: o valor e a descrição vêm daqui.",
		"This is where the services are that you sell. Each invoice is of one: price and description come from here.",
	},

	"service.city": {"Município onde o serviço é prestado", "City where the service is rendered"},

	"classify.examples": {"O que são estes códigos? Exemplos", "What are these codes? Examples"},
	"classify.examples.nbs": {
		"O que o serviço é: 115021000 é o desenvolvimento e a instalação de programas não personalizados; 126050000, " +
			"serviços domésticos.",
		"What the service is: 115021000 is making and installing programs that are not tailored; 126050000 is " +
			"domestic services.",
	},
	"classify.examples.cindop": {
		"Onde o serviço conta como prestado: 100301, no domicílio principal de quem o adquire, como um programa; " +
			"outros códigos, no endereço do imóvel ou no lugar do evento.",
		"Where the service counts as rendered: 100301, at the acquirer's main domicile, as of a program; " +
			"other codes, " +
			"where the property or the event is.",
	},
	"classify.examples.cclasstrib": {
		"Como IBS e CBS incidem: 000001 é a tributação integral, de quase todos os serviços; 200029, a saúde humana, " +
			"com alíquota reduzida. Na dúvida, aceite a sugestão e confirme com o seu contador.",
		"How IBS and CBS apply: 000001 is full taxation, of nearly all services; 200029 is human health, at " +
			"a reduced " +
			"rate. If in doubt, accept the suggestion and ask your accountant.",
	},
}
