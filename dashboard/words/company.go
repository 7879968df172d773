package words

// company is the page of how an organization issues, and of its certificates.
var company = table{
	"company.several": {
		"Esta página é de %s. Para outra empresa sua, troque a organização no menu.",
		"This page is of %s. For another of your companies, change the organization in the menu.",
	},
	"company.missing":             {"Para emitir notas de produção", "To issue live invoices"},
	"company.missing.done":        {"pronto", "done"},
	"company.missing.do":          {"Fazer agora", "Do it now"},
	"company.missing.profile":     {"Perfil fiscal da empresa", "Fiscal profile of the company"},
	"company.missing.certificate": {"Certificado A1 válido da empresa", "Valid A1 certificate of the company"},
	"company.missing.service": {
		"Um serviço de produção ativo, com código (nacional ou, em São Paulo, municipal) e classificação",
		"An active live service with its code (national or, in São Paulo, municipal) and classification",
	},
	"company.profile": {"Perfil fiscal", "Fiscal profile"},
	"company.profile.means": {
		"Vale para as notas de produção que ainda não têm número. O que muda aqui fica no registro de auditoria.",
		"It holds for live invoices that have no number yet. What is changed here is in the audit log.",
	},
	"company.saved": {
		"Perfil fiscal salvo. Notas que esperavam por ele seguem.",
		"Fiscal profile saved. Invoices that waited for it go on.",
	},
	"company.authority": {"Sistema de emissão", "Issuing system"},
	"company.authority.means": {
		"A Prefeitura de São Paulo emite para suas empresas fora do Simples, com inscrição municipal (CCM), e os " +
			"outros municípios da lista em servidores próprios, também com inscrição; as demais, pelo sistema " +
			"nacional. Em São Paulo, para empresas isentas, imunes ou com exigibilidade suspensa, as letras de " +
			"tributação da prefeitura aparecem aqui depois de salvar com essa opção.",
		"The city of São Paulo issues for its companies outside Simples, by their municipal registration (CCM), " +
			"and the other cities of the list on servers of their own, by a registration as well; all others use the " +
			"national system. In São Paulo, for exempt, immune or suspended companies the city's letters of taxation " +
			"show here once this option is saved.",
	},
	"company.authority.off":        {"ainda não ligada", "not turned on yet"},
	"company.authority.off_cities": {"Municípios ainda não ligados", "Cities that are not turned on yet"},
	"company.where": {
		"Quem recebe hoje as notas desta empresa",
		"Who takes the invoices of this company today",
	},
	"company.where.nobody":    {"ninguém, pelo que se sabe", "nobody, as far as is known"},
	"company.authority.wrong": {"Escolha quem emite.", "Choose who issues."},
	"company.tax_id":          {"CNPJ ou CPF do prestador", "CNPJ or CPF of the issuer"},
	"company.tax_id.wrong": {
		"O CNPJ ou CPF não está certo: confira os dígitos.",
		"The CNPJ or CPF is not right: check its digits.",
	},
	"company.municipality_code": {
		"Município da empresa (nome ou código IBGE)",
		"Municipality of the company (name or IBGE code)",
	},
	"company.municipality_code.wrong": {
		"Informe o código IBGE de 7 dígitos de um município, ou busque pelo nome.",
		"Give the IBGE code of 7 digits of a municipality, or search by its name.",
	},
	"company.none":         {"Nenhum", "None"},
	"company.simples":      {"Simples Nacional", "Simples Nacional"},
	"company.simples.none": {"Não optante", "Not in Simples Nacional"},
	"company.simples.mei":  {"MEI", "MEI (microentrepreneur)"},
	"company.simples.me":   {"ME ou EPP", "ME or EPP (small company)"},
	"company.simples.missing": {
		"Escolha se a empresa é do Simples Nacional.", "Choose whether the company is in Simples Nacional.",
	},
	"company.simples_regime.missing": {
		"Escolha como sua empresa recolhe o Simples.", "Choose how your company pays Simples.",
	},
	"company.special_regime.missing": {
		"Escolha o regime especial; a maioria das empresas não tem nenhum.",
		"Choose the special regime; most companies have none.",
	},
	"company.own_contributions.missing": {
		"Escolha o que a nota declara de PIS e COFINS próprios.",
		"Choose what the invoice declares of the company's own PIS and COFINS.",
	},
	"company.simples.wrong": {
		"Escolha a opção do Simples Nacional; quem é do Simples não emite pela Prefeitura de São Paulo (641), e sim " +
			"pelo sistema nacional.",
		"Choose the option of Simples Nacional; who is in Simples does not issue by the city of São Paulo (641), but " +
			"by the national system.",
	},
	"company.simples_regime": {
		"Regime de apuração no Simples (regApTribSN)",
		"How taxes are assessed in Simples (regApTribSN)",
	},
	"company.simples_regime.1": {
		"1: tributos federais e ISS pelo Simples",
		"1: federal taxes and ISS by Simples",
	},
	"company.simples_regime.2": {
		"2: tributos federais pelo Simples e ISS fora dele",
		"2: federal taxes by Simples, ISS outside it",
	},
	"company.simples_regime.3": {
		"3: tributos federais e ISS fora do Simples",
		"3: federal taxes and ISS outside Simples",
	},
	"company.simples_regime.wrong": {
		"ME ou EPP informa a apuração; os outros, nenhuma.",
		"An ME or EPP gives the assessment; the others none.",
	},
	"company.special_regime":   {"Regime especial (regEspTrib)", "Special regime (regEspTrib)"},
	"company.special_regime.1": {"1: ato cooperado", "1: act of a cooperative"},
	"company.special_regime.2": {"2: estimativa", "2: estimate"},
	"company.special_regime.3": {"3: microempresa municipal", "3: municipal microcompany"},
	"company.special_regime.4": {"4: notário ou registrador", "4: notary or registrar"},
	"company.special_regime.5": {"5: profissional autônomo", "5: self-employed professional"},
	"company.special_regime.6": {"6: sociedade de profissionais", "6: society of professionals"},
	"company.special_regime.9": {"9: outros", "9: others"},
	"company.special_regime.wrong": {
		"Este regime especial não existe ou não vale com a opção do Simples.",
		"This special regime does not exist, or does not go with the option of Simples.",
	},
	"company.environment":            {"Ambiente da autoridade", "Environment of the authority"},
	"company.environment.restricted": {"Produção restrita (sem valor fiscal)", "Restricted (without fiscal value)"},
	"company.environment.production": {"Produção", "Production"},
	"company.environment.wrong":      {"Escolha o ambiente da autoridade.", "Choose the environment of the authority."},
	"company.series":                 {"Série", "Series"},
	"company.series.means": {
		"Use uma série exclusiva do Emissor: se outro sistema emitir nela, os números se repetem e a nota é " +
			"rejeitada.",
		"Use a series for Emissor alone: if another system issues in it, numbers repeat and invoices are " +
			"rejected.",
	},
	"company.series.wrong": {
		"A série vai de 1 a 49999; em São Paulo, a 99999.",
		"The series is from 1 to 49999; in São Paulo to 99999.",
	},
	"company.granted_numbers": {"Números concedidos pelo município", "Numbers granted by the city"},
	"company.granted_numbers.means": {
		"Só onde o município concede faixas de números: o primeiro e o último da série, como 1-500. Quando " +
			"acabam, as notas esperam pela próxima faixa.",
		"Only where the city grants ranges of numbers: the first and the last of the series, as 1-500. When they " +
			"are used up, invoices wait for the next range.",
	},
	"company.granted_numbers.wrong": {
		"Escreva o primeiro e o último número concedido, como 1-500; há municípios que exigem uma faixa.",
		"Write the first and the last number that is granted, as 1-500; some cities require a range.",
	},
	"company.numbers.few": {
		"Restam %d dos números concedidos: peça outra faixa ao município.",
		"%d of the numbers that the city granted are left: ask it for another range.",
	},
	"company.moves": {"Mudança de quem emite (opcional)", "Move to another authority (optional)"},
	"company.moves.means": {
		"A partir de um dia de competência, quem emite e em que série, como 2027-01-01=national:2; separe várias " +
			"por ponto e vírgula. Cada nota segue pelo seu dia, e a que já tem número fica onde ele foi tomado.",
		"From a day of competence on, who issues and under which series, as 2027-01-01=national:2; separate " +
			"several by semicolons. Each invoice goes by its own day, and one that has a number stays where it was " +
			"taken.",
	},
	"company.moves.wrong": {
		"Escreva dias distintos com quem emite e a série, como 2027-01-01=national:2; o perfil deve servir para quem " +
			"emite a partir de cada um.",
		"Write distinct days with who issues and the series, as 2027-01-01=national:2; the profile must be right for " +
			"who issues from each on.",
	},
	"company.numbers.on":             {"Notas de competência %s. Outras:", "Invoices of the competence %s. Others:"},
	"company.numbers.today":          {"hoje", "today"},
	"company.municipal_registration": {"Inscrição municipal (opcional)", "Municipal registration (optional)"},
	"company.municipal_registration.wrong": {
		"A inscrição tem até 15 letras, dígitos, pontos, hifens ou barras; para ser enviada, tem de existir. Em São " +
			"Paulo é o CCM: até 12 dígitos, obrigatório.",
		"The registration has at most 15 letters, digits, dots, hyphens or slashes; to be sent it must be there. In " +
			"São Paulo it is the CCM: at most 12 digits, required.",
	},
	"company.send_municipal_registration": {
		"Enviar a inscrição: só onde o município a registra na autoridade",
		"Send it: only where the municipality registers it with the authority",
	},
	"company.taxation_inside": {
		"Tributação dos serviços devidos a São Paulo (T)",
		"Taxation of services that are taxed in São Paulo (T)",
	},
	"company.taxation_inside.wrong": {
		"Escolha uma das letras de serviços devidos a São Paulo: T, A, D, M, R ou X.",
		"Choose one of the letters of services that are taxed in São Paulo: T, A, D, M, R or X.",
	},
	"company.taxation_outside": {
		"Tributação dos serviços devidos a outro município (F)",
		"Taxation of services that are taxed elsewhere (F)",
	},
	"company.taxation_outside.wrong": {
		"Escolha uma das letras de serviços devidos a outro município: F, B, N, S ou V.",
		"Choose one of the letters of services that are taxed elsewhere: F, B, N, S or V.",
	},
	"company.taxation.means": {
		"As letras só mudam para quem é isento, imune ou tem a exigibilidade suspensa, e devem ser as que constam na " +
			"prefeitura. Onde o ISS não é tributado (T ou F), ele não pode ser retido.",
		"The letters are changed only for who is exempt, immune or suspended, and must be those that the city has on " +
			"record. Where the ISS is not taxed (T or F) it cannot be withheld.",
	},
	"company.taxation.service": {"Como o serviço diz (tributado)", "As the service says (taxed)"},
	"company.taxation.T":       {"T: tributado em São Paulo", "T: taxed in São Paulo"},
	"company.taxation.A":       {"A: de São Paulo, isento", "A: of São Paulo, exempt"},
	"company.taxation.D":       {"D: de São Paulo, com isenção parcial", "D: of São Paulo, partly exempt"},
	"company.taxation.M":       {"M: de São Paulo, imune (subjetiva)", "M: of São Paulo, immune (subjective)"},
	"company.taxation.R":       {"R: de São Paulo, imune (objetiva)", "R: of São Paulo, immune (objective)"},
	"company.taxation.X":       {"X: de São Paulo, exigibilidade suspensa", "X: of São Paulo, suspended"},
	"company.taxation.F":       {"F: tributado em outro município", "F: taxed elsewhere"},
	"company.taxation.B":       {"B: de outro município, isento", "B: of elsewhere, exempt"},
	"company.taxation.N":       {"N: de outro município, imune (subjetiva)", "N: of elsewhere, immune (subjective)"},
	"company.taxation.S":       {"S: de outro município, imune (objetiva)", "S: of elsewhere, immune (objective)"},
	"company.taxation.V":       {"V: de outro município, exigibilidade suspensa", "V: of elsewhere, suspended"},
	"company.taxes": {
		"Tributos aproximados (Lei 12.741), em % do preço: fora do Simples os três primeiros, ME ou EPP o último.",
		"Approximate taxes (Law 12.741) in % of the price: outside Simples the first three, an ME or EPP the last.",
	},
	"company.tax_federal":   {"Federais em %", "Federal in %"},
	"company.tax_state":     {"Estaduais em %", "Of the state in %"},
	"company.tax_municipal": {"Municipais em %", "Municipal in %"},
	"company.tax_simples":   {"Simples em %", "Simples in %"},
	"company.percent.wrong": {
		"Escreva um percentual de 0 a 100 com até duas casas, como 13,45.",
		"Write a percentage from 0 to 100 with at most two decimals, as 13.45.",
	},
	"company.approximate_taxes.wrong": {
		"Os tributos aproximados não combinam com a opção do Simples.",
		"The approximate taxes do not go with the option of Simples.",
	},
	"company.inactive_municipalities": {
		"Municípios sem convênio ativo (códigos IBGE, opcional)",
		"Municipalities without an active agreement (IBGE codes, optional)",
	},
	"company.inactive_municipalities.wrong": {
		"Informe códigos IBGE de 7 dígitos de municípios que existem, sem repetir.",
		"Give IBGE codes of 7 digits of municipalities that exist, each once.",
	},
	"company.ignore_municipal_parameters": {
		"Emitir mesmo se os parâmetros do município estiverem desatualizados",
		"Issue even where the parameters of the city are out of date",
	},
	"company.exact_certificate": {
		"Assinar só com o certificado deste estabelecimento (CNPJ inteiro)",
		"Sign only by a certificate of this very establishment (the whole CNPJ)",
	},
	"company.reject_refused": {
		"Rejeitar as notas que a autoridade recusar pela configuração da empresa",
		"Reject invoices that the authority refuses for the company's settings",
	},
	"company.reject_refused.means": {
		"Sem isto, a nota recusada por algo da configuração ou dos cadastros da empresa aguarda a correção e " +
			"segue com a mesma referência.",
		"Without this, an invoice that is refused for something of the company's settings or registers waits " +
			"until that is put right, and goes on under the same reference.",
	},
	"company.competence_days_back": {
		"Competência: dias para trás que uma pessoa pode escolher",
		"Competence: how many days back a person may choose",
	},
	"company.competence_days_back.means": {
		"Ao emitir pelo painel, a competência é o dia de hoje ou um anterior, até tantos dias. 0 é só hoje.",
		"When an invoice is issued in the dashboard its competence is today or a day before, at most so many. 0 " +
			"is today only.",
	},
	"company.competence_days_back.wrong": {
		"Escreva um número de dias, de 0 a 1826.",
		"Write a number of days, from 0 to 1826.",
	},
	"company.cancellation_analysis": {
		"Quando o município recusa um cancelamento e cabe análise fiscal",
		"When the city refuses a cancellation and may decide by an analysis",
	},
	"company.cancellation_analysis.ask":     {"uma pessoa decide se a pede", "a person decides whether to ask for it"},
	"company.cancellation_analysis.request": {"pedir de imediato", "ask for it at once"},
	"company.cancellation_analysis.means": {
		"Cada nota tem uma só análise fiscal. O município a responde em dias ou semanas, e até lá a nota " +
			"continua emitida.",
		"An invoice has one analysis only. The city answers in days or weeks, and until then the invoice stays " +
			"issued.",
	},
	"company.cancellation_analysis.wrong": {"Escolha uma das opções.", "Choose one of the options."},
	"company.numbers":                     {"Numeração", "Numbers"},
	"company.numbers.next": {
		"A série %d continua do número %d.",
		"The series %d goes on from number %d.",
	},
	"company.numbers.means": {
		"Mude só para continuar a série de outro sistema: números pulados ficam sem nota e podem ter de ser " +
			"explicados ao fisco; a um número já usado não se volta.",
		"Change it only to continue the series of another system: numbers that are skipped have no invoice, and " +
			"may have to be explained to the authority; there is no way back to a number that was taken.",
	},
	"company.withheld.not_shown": {
		"Ainda não foi mostrado que este CNPJ ou CPF é da empresa: até que haja aqui um certificado em nome " +
			"dele, com a cadeia até uma raiz conhecida, a série não aparece, e as notas de produção esperam.",
		"It is not shown yet that this CNPJ or CPF is the company's: until there is a certificate of it here, " +
			"with a chain to a known root, its series is not shown and live invoices wait.",
	},
	"company.withheld.of_another": {
		"Este CNPJ ou CPF pertence a outra organização desta instalação: a série não aparece, e as notas de " +
			"produção esperam. Se também é desta, peça aos operadores do Emissor que o liberem.",
		"This CNPJ or CPF belongs to another organization of this installation: its series is not shown and live " +
			"invoices wait. If it is this one's too, ask the operators of Emissor to allow it.",
	},
	"company.held":       {"A série %d está bloqueada", "The series %d is on hold"},
	"company.held.since": {"desde %s", "since %s"},
	"company.held.do": {
		"As notas que esperam por ela não são enviadas até que uma pessoa saiba o que foi feito de cada número: " +
			"enviado de novo, um número cancela a nota que já tem. Esta página não pode liberá-la: peça aos " +
			"operadores do Emissor, que com o primeiro comando veem os números usados na prefeitura e, esclarecido " +
			"cada um, liberam a série com o segundo (e --yes).",
		"The invoices that wait for it are not sent until a person knows what became of each number: sent again, " +
			"a number cancels the invoice that it has. This page cannot release it: ask the operators of Emissor, " +
			"who see by the first command which numbers are used at the city and, once each is clear, release the " +
			"series by the second one (and --yes).",
	},
	"company.next_number.now":   {"Próximo número hoje", "Next number today"},
	"company.next_number":       {"Próximo número", "Next number"},
	"company.next_number.set":   {"Mudar o próximo número", "Change the next number"},
	"company.next_number.saved": {"Próximo número mudado.", "Next number changed."},
	"company.next_number.wrong": {
		"O número vai de 1 a 999999999999999.",
		"The number is from 1 to 999999999999999.",
	},
	"company.next_number.too_far": {
		"O número só pode avançar até 1000 de uma vez. Um salto maior é dos operadores do Emissor: peça a eles.",
		"The number goes forward by at most 1000 at a time. A greater jump is the operators' of Emissor: ask them.",
	},
	"company.next_number.taken": {
		"Esse número já foi usado nesta série. Nada mudou.",
		"That number was taken in this series already. Nothing changed.",
	},
	"company.next_number.changed": {
		"O próximo número mudou desde que você abriu a página: outra pessoa o mudou, ou uma nota o tomou. Nada " +
			"foi mudado; veja acima qual é agora e confirme o seu.",
		"The next number has changed since you opened the page: another person changed it, or an invoice took " +
			"it. Nothing was changed; see above which it is now and confirm yours.",
	},
	"company.next_number.series": {
		"Outra pessoa mudou o perfil enquanto você editava. Nada mudou: confira a série e salve de novo.",
		"Somebody else changed the profile while you were editing. Nothing changed: check the series, save again.",
	},
	"company.certificates":      {"Certificados A1", "A1 certificates"},
	"company.certificates.none": {"Nenhum certificado ainda.", "No certificates yet."},
	"company.city":              {"Parâmetros do município", "Parameters of the city"},
	"company.city.agreement":    {"Convênio ativo", "Agreement active"},
	"company.city.fetched":      {"Consultado", "Fetched"},
	"company.city.counts":       {"Usado na validação", "Used for checks"},
	"company.city.doubted":      {"não: a autoridade respondeu %s", "no: the authority answered %s"},
	"company.city.old":          {"não: tem mais de uma semana", "no: it is more than a week old"},
	"company.city.service":      {"Serviço", "Service"},
	"company.city.no_rates":     {"sem alíquotas", "no rates"},
	"company.city.unknown":      {"Ainda não consultado.", "Not fetched yet."},
	"company.city.failure":      {"Não foi possível consultar:", "It could not be had:"},
	"company.city.refresh":      {"Consultar de novo", "Fetch it again"},
	"company.city.refreshing": {
		"Os parâmetros serão consultados em até cinco minutos, com o certificado de uma empresa.",
		"The parameters are fetched within five minutes, with the certificate of a company.",
	},
	"company.city.waits": {
		"As notas deste perfil vão esperar até que isso mude.",
		"Invoices of this profile will wait until that changes.",
	},
	"company.city.E0038": {
		"o município não tem convênio ativo com o sistema nacional (E0038).",
		"the city has no active agreement with the national system (E0038).",
	},
	"company.city.E0039": {
		"o município emite em sistema próprio (E0039).",
		"the city issues on a system of its own (E0039).",
	},
	"company.city.E0084": {
		"o município não deixa empresas fora do Simples emitir no sistema nacional (E0084).",
		"the city lets no company outside Simples issue on the national system (E0084).",
	},
	"company.city.refuses": {"o município recusa estas notas.", "the city refuses these invoices."},

	"certificate.new": {"Enviar certificado A1", "Upload an A1 certificate"},
	"certificate.new.means": {
		"O arquivo PFX e a senha são usados só agora: a chave é cifrada na hora, e nem o arquivo nem a senha são " +
			"guardados. Notas de produção que esperam por um certificado seguem logo depois.",
		"The PFX file and its password are used only now: the key is sealed at once, and neither file nor " +
			"password is kept. Live invoices that wait for a certificate go on right after.",
	},
	"certificate.no_roots": {
		"Esta instalação não tem certificados-raiz configurados (EMISSOR_CERTIFICATE_ROOTS), e sem eles esta página " +
			"não aceita certificados: fale com quem a opera.",
		"This installation has no root certificates (EMISSOR_CERTIFICATE_ROOTS), and without them this page takes no " +
			"certificates: ask who runs it.",
	},
	"certificate.file":         {"Arquivo PFX (.pfx ou .p12)", "PFX file (.pfx or .p12)"},
	"certificate.file.missing": {"Escolha o arquivo PFX.", "Choose the PFX file."},
	"certificate.password":     {"Senha do arquivo", "Password of the file"},
	"certificate.add":          {"Enviar certificado", "Upload certificate"},
	"certificate.added":        {"Certificado salvo, cifrado.", "Certificate saved, encrypted."},
	"certificate.subject":      {"Titular", "Holder"},
	"certificate.issuer":       {"Emitido por", "Issued by"},
	"certificate.until":        {"Válido até", "Valid until"},
	"certificate.days":         {"Dias restantes", "Days left"},
	"certificate.state":        {"Situação", "Status"},
	"certificate.usable":       {"● em uso", "● usable"},
	"certificate.other_issuer": {"‖ de outro titular", "‖ of another issuer"},
	"certificate.other_establishment": {
		"De outro estabelecimento da empresa: se a autoridade recusar (E0718), guarde um deste CNPJ.",
		"Of another establishment of the company: if the authority refuses it (E0718), add one of this CNPJ.",
	},
	"certificate.not_yet": {"○ ainda não vale", "○ not valid yet"},
	"certificate.expired": {"✕ vencido", "✕ expired"},
	"certificate.refused": {"✕ recusado pela autoridade", "✕ refused by the authority"},
	"certificate.removed": {"⊘ removido", "⊘ removed"},
	"certificate.retry":   {"Tentar de novo", "Try again"},
	"certificate.retried": {"O certificado volta a ser usado.", "The certificate is used again."},
	"certificate.remove":  {"Remover", "Remove"},
	"certificate.taken_out": {
		"Certificado removido; a chave foi apagada.",
		"Certificate removed; its key was deleted.",
	},
	"certificate.remove.means": {
		"Remover esquece a chave: notas de produção esperam por outro certificado. O que ele assinou fica.",
		"Removing forgets the key: live invoices wait for another certificate. What it signed stays.",
	},
	"certificate.no_keyset": {
		"Esta instalação ainda não tem chaves para cifrar (EMISSOR_KEYSET_FILE): fale com quem a opera.",
		"This installation has no keys to seal with yet (EMISSOR_KEYSET_FILE): ask who runs it.",
	},
	"certificate.slow": {
		"O arquivo demora demais para abrir: exporte-o de novo e tente outra vez.",
		"The file takes too long to open: export it again, and try once more.",
	},
}
