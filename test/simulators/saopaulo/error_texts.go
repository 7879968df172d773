package saopaulo

import "fmt"

// publishedText is what the manual says of a code, with its placeholders.
func publishedText(code int) string {
	if text, known := publishedTexts[code]; known {
		return text
	}
	return fmt.Sprintf("Erro %d.", code)
}

// publishedTexts are the texts of the manual 3.3.5, section 4.5, for the codes that this package uses. The wording of
// 223, 637 and 640 is not published; it is made up.
var publishedTexts = map[int]string{
	104: "A Data Inicial de emissão das Notas Fiscais enviadas não pode ser inferior a 01/06/2006.",
	106: "A Data Final de emissão das Notas Fiscais enviadas não pode ser inferior a 01/06/2006.",
	107: "A Data Final de emissão das Notas Fiscais enviadas não pode ser superior a <data atual>.",
	108: "A Data Final de emissão das Notas Fiscais enviadas deverá ser superior a Data Inicial.",
	206: "Tipo de tributação inválido. Para mais informações consulte o item 14.20 da seção de perguntas e " +
		"respostas.",
	207: "Data de Emissão do RPS não está compreendida entre <data inicio de emissão do lote> e <data fim de " +
		"emissão do lote> conforme especificado no cabeçalho da mensagem XML.",
	208: "Alíquota informada (<valor da alíquota>) difere da alíquota vigente (<valor da alíquota vigente>) " +
		"para o código de serviço informado (<código de atividade>). O sistema irá adotar a alíquota vigente.",
	209: "O código de serviço prestado não permite retenção de ISS.",
	214: "Cidade/UF informada (<cidade do Tomador>)/(<UF do Tomador>) não foi encontrada na base de dados.",
	215: "RPS em duplicidade na mensagem XML enviada. RPS: <Número do RPS> Série: <Série do RPS>.",
	216: "RPS já foi convertido individualmente em NF-e através do site e não será processado novamente.",
	217: "RPS reenviado. A NF-e (<número da NF-e>) referente ao RPS (Número: <número do RPS >, Série: <séria " +
		"do RPS >) foi cancelada e uma nova NF-e foi emitida.",
	218: "RPS não poderá ser enviado novamente, pois está incluído em Guia de Recolhimento.",
	219: "O campo Inscrição Municipal do Tomador (<Inscrição Municipal Tomador>) só deverá ser preenchido " +
		"para tomadores estabelecidos no município de São Paulo.",
	220: "CPF/CNPJ do Tomador (<CPF/CNPJ do Tomador>) possui mais de uma inscrição municipal, sendo obrigatório o " +
		"preenchimento do campo Inscrição Municipal do Tomador.",
	221: "O CNPJ informado (<CNPJ>) possui inscrição municipal em São Paulo, porém foi informado endereço de fora " +
		"do município (<cidade/UF>).",
	222: "O código de serviço informado não corresponde à prestação de serviço.",
	223: "RPS já convertido em NFS-e cancelada não poderá ser enviado novamente.",
	225: "O Valor da Alíquota deverá estar entre 2% e 5%.",
	243: "Ao indicar o {0}, informar uma das opções, CPF ou CNPJ ou NIF ou o NaoNIF.",
	246: "Código do município do endereço do {0} deve existir na tabela do IBGE.",
	247: "Informações do endereço do {0} no Brasil e no exterior não devem ser preenchidas",
	251: "Bairro do {0} não informado.",
	252: "Logradouro do {0} não informado.",
	253: "Número do endereço do {0} não informado.",
	256: "Código do país do endereço do {0} no exterior não pode se referir ao Brasil. Para os casos em que o " +
		"domicílio do {0} estiver no Brasil, deve ser preenchido o campo de código do município do endereço " +
		"do {0}.",
	260: "CEP do {0} informado inválido.",
	261: "E-mail informado do {0} inválido.",
	263: "Local de prestação do serviço determinado a partir dos dados informados é o local do domicílio",
	265: "Código do município do local da prestação do serviço informado inválido.",
	267: "Código do país onde ocorreu a prestação do serviço no exterior não pode se referir ao Brasil. Para " +
		"os casos em que a prestação de serviço ocorrer no Brasil, deve ser preenchido o campo de código do " +
		"município do local da prestação do serviço no país.",
	268: "Código NBS informado inválido",
	270: "Código CIB inválido.",
	273: "Classificação tributária do IBS e da CBS inválida.",
	274: "Classificação tributária regular do IBS e da CBS inválida.",
	277: "Não é permitida a utilização da classificação tributária informada. Caso necessário, orienta-se a",
	280: "utilização do emissor estadual. Não é permitida a utilização da classificação tributária regular " +
		"informada. Caso necessário, orienta-se a utilização do emissor estadual.",
	281: "Classificação tributária do IBS e da CBS regular deve indicar a classificação tributária adequada " +
		"caso os requisitos de suspensão não sejam futuramente cumpridos.",
	282: "Campo classificação tributária regular não pode ser preenchida.",
	283: "Preenchimento do campo de tipo do ente da compra governamental não é permitido.",
	285: "valores informados. Pelo menos uma das informações do {0} de endereço nacional ou exterior devem " +
		"ser preenchidas.",
	295: "O tipo de operação com entes governamentais ou outros serviços deverá ser informado.",
	296: "Informar o número no CIB - Cadastro Imobiliário Brasileiro ou o número no CNO - Cadastro Nacional de " +
		"Obras /CEI - Cadastro Específico do INSS ou Endereço.",
	299: "O destinatário não deve ser identificado para o código indicador informado.",
	301: "O tomador de serviços informado é o próprio prestador.",
	302: "CNPJ do Tomador de Serviços inválido (dígitos verificadores não conferem).",
	303: "O Valor dos serviços deverá ser superior a R$ 0,00 (zero).",
	304: "O Valor das deduções deverá ser inferior ao valor dos serviços.",
	306: "Código do Serviço Prestado <código enviado> do RPS inexistente.",
	307: "<código de atividade> da NFS-e não está cadastrado para o prestador de serviço.",
	308: "Código do Serviço Prestado <código enviado> do RPS não permite dedução na base de cálculo.",
	309: "Código do Serviço Prestado <código enviado> do RPS não permite tributação fora do município.",
	310: "Código do Serviço Prestado <código enviado> não informado.",
	311: "Apenas empresas tomadoras de serviços inscritas no município ou Órgãos públicos podem efetuar " +
		"retenção de ISS (CPF/CNPJ = <CPF/CNPJ do Tomador>).",
	313: "A data da emissão do RPS não poderá ser superior a data de hoje.",
	314: "A data da emissão do RPS não poderá ser inferior a 01/06/2006.",
	315: "Número do RPS não informado.",
	317: "Campo Endereço não preenchido (obrigatório para tomador com CNPJ).",
	318: "Campo Cidade/UF não preenchido (obrigatório para tomador com CNPJ).",
	321: "Apenas Notas com tributação no município ou fora do município podem sofrer retenção de ISS.",
	323: "Nota não pode ser cancelada. Ver detalhes no Manual.",
	324: "Operação não autorizada por meio eletrônico em razão de ter sido ultrapassado o prazo permitido.",
	335: "A data da prestação do serviço deverá estar contida no Período de Vigência do Código de Serviço",
	337: "Dígitos verificadores do CPF do Tomador de Serviços não conferem. Não haverá geração de crédito.",
	338: "RPS não poderá ser enviado novamente. A NFS-e (<NFS-e informada>) não pôde ser cancelada",
	342: "Campo CEP inválido",
	359: "Emissão por prestadores MEI não permitida desde 03/04/2023. Utilizar a Nota Fiscal de Serviços " +
		"Eletrônica – NFS-e de padrão nacional.",
	361: "Código do Serviço Prestado <código de atividade> não permitido.",
	367: "Código do Serviço <código de atividade> não pode ser utilizado pelo prestador de serviço.",
	372: "RPS já convertido em NFS-e aceita pelo tomador ou intermediário.",
	373: "RPS já convertido em NFS-e rejeitada com emissão de NFTS pelo tomador ou intermediário.",
	386: "NFS-e a ser cancelada foi selecionada para deduções de subempreitadas.",
	505: "CNPJ do Intermediário de Serviços inválido (dígitos verificadores não conferem).",
	620: "O grupo de informações relativo ao imóvel deve constar na NFS-e para o indicador da operação informado.",
	621: "O grupo de informações relativo ao imóvel não deve constar na NFS-e para o indicador da operação " +
		"informado. Outros documentos fiscais só podem ser informados quando a data de competência for " +
		"anterior",
	627: "A data final do evento não pode ser anterior a data inicial do evento.",
	628: "Classificação tributária inexistente ou não vigente.",
	629: "Local de prestação do serviço determinado a partir do indicador de operação informado é o local do {0} " +
		"e deve ser informado.",
	630: "Código indicador da operação inexistente.",
	631: "Emissões com fato gerador a partir de {0} deverão utilizar o leiaute 2.",
	637: "O preenchimento do grupo atvEvento é obrigatório para o indicador da operação informado.",
	640: "O campo ValorInicialCobrado foi descontinuado. Utilize o campo ValorFinalCobrado.",
	641: "Contribuinte cadastrado como Simples Nacional na data informada. Deverá ser utilizado o leiaute 1",
	1000: "Protocolo TLS 1.0 ou 1.1 utilizado na comunicação será desativado gradualmente até o dia " +
		"16/03/2025. Atualize para a versão 1.2 ou superior.",
	1001: "XML não compatível com Schema.",
	1002: "Versão do Schema XML Incorreto.",
	1050: "Rejeição: Certificado Assinatura Inválido.",
	1051: "Rejeição: Certificado Assinatura Data Validade.",
	1052: "Rejeição: Certificado Assinatura sem CNPJ.",
	1053: "Rejeição: Certificado Assinatura – Erro Cadeia de Certificação.",
	1054: "Rejeição: Certificado Assinatura revogado.",
	1055: "Rejeição: Certificado Assinatura difere ICP-Brasil.",
	1056: "Rejeição: Assinatura – Digest difere do calculado.",
	1057: "Rejeição: Assinatura difere do calculado.",
	1100: "O CNPJ do usuário autorizado a enviar a mensagem XML não confere com o CNPJ usado na " +
		"C,D,E,F,G,H,I,J,K,L comunicação.",
	1101: "Tamanho da mensagem XML ultrapassou o limite máximo permitido de 500 Kbytes. C,D,E,F,G,H,I,J,K,L",
	1102: "Mensagem XML de Pedido do serviço sem conteúdo. C,D,E,F,G,H,I,J,K,L",
	1106: "NF-e não encontrada.",
	1107: "O CPF/CNPJ da assinatura da mensagem XML não corresponde ao CPF/CNPJ do Prestador de Serviços.",
	1109: "CPF/CNPJ inválido.",
	1110: "Não foi possível processar a requisição, por favor, envie novamente para uma nova tentativa.",
	1201: "Só é permitido o envio de RPS emitidos por um único Prestador de Serviços (mesma inscrição " +
		"municipal).",
	1202: "Prestador de Serviços não encontrado no Cadastro Municipal (CCM).",
	1203: "Total de RPS não confere com o enviado (<total de RPS enviados no arquivo>).",
	1206: "Assinatura Digital do RPS incorreta.",
	1207: "Prestador de Serviços não autorizado a emitir NF-e.",
	1208: "A Inscrição Municipal do Prestador de Serviços consta como cancelada. Emissão de NFS-e não " +
		"autorizada.",
	1212: "NFS-e não permite indicação de imunidade. CCM do prestador não cadastrado por meio do sistema de " +
		"declaração de imunidades (SDI) para a data do fato gerador informada.",
	1213: "NFS-e não permite indicação de imunidade. Código de serviço informado na NFS-e não cadastrado por meio " +
		"do sistema de declaração de imunidades (SDI) para a data do fato gerador informada.",
	1222: "Obrigatório informar o município onde o serviço foi prestado.",
	1223: "Para serviço tributado em São Paulo ou exportação de serviços não informe o município onde o " +
		"serviço foi prestado.",
	1225: "Município onde o serviço foi prestado inexistente.",
	1227: "O prestador de serviços deverá registrar a solicitação de imunidade por meio do sistema de declaração " +
		"de imunidades (Instrução Normativa no. XX/2014).",
	1228: "Exportação de serviços não permite a indicação de retenção pelo tomador ou pelo intermediário.",
	1229: "Cadastro Específico do INSS (CEI) inválido.",
	1232: "O município de São Paulo foi informado como Município da Prestação mas o serviço é tributado fora " +
		"de São Paulo.",
	1233: "NFS-e não permite indicação de imunidade ou isenção para profissional autônomo",
	1234: "Código do Serviço Prestado {0} não permite indicação do número do Cadastro Especifico do INSS (CEI)",
	1236: "Código de serviço não permite a indicação de imunidade objetiva",
	1251: "O código de serviço e o tipo de isenção do ISS deverão ser declarados pelo prestador ou tomador de " +
		"serviços, conforme o caso, por meio do Sistema de Gestão de Benefícios Fiscais (GBF). Para mais " +
		"informações, clique aqui.",
	1252: "O código de serviço e o tipo de isenção do ISS deverão ser declarados pelo prestador ou tomador de " +
		"serviços, conforme o caso, por meio do Sistema de Gestão de Benefícios Fiscais (GBF). Para mais " +
		"informações, clique aqui.",
	1253: "A isenção cadastrada no Sistema de Gestão de Benefícios Fiscais (GBF) para o prestador de serviços está " +
		"vinculada a um CNPJ de tomador diferente do informado, para a data de prestação de serviço informada.",
	1254: "Prestador, tomador, código de serviço e/ou tipo de benefício fiscal não cadastrados por meio do Sistema " +
		"de Gestão de Benefícios Fiscais (GBF) para a data de prestação informada. Para mais informações, " +
		"clique aqui.",
	1255: "Prestador, tomador, código de serviço e/ou tipo de benefício fiscal não cadastrados por meio do Sistema " +
		"de Gestão de Benefícios Fiscais (GBF) para a data de prestação informada. Para mais informações, " +
		"clique aqui.",
	1256: "A isenção cadastrada no Sistema de Gestão de Benefícios Fiscais (GBF) para o prestador de serviços está " +
		"vinculada a um CNPJ de tomador diferente do informado, para a data de prestação de serviço informada.",
	1301: "NF-e já cancelada em <data de cancelamento>.",
	1302: "NF-e em duplicidade na mensagem XML enviada.",
	1303: "Só é permitido o cancelamento de NF-e emitidas por um único Prestador de Serviços (mesma inscrição " +
		"municipal).",
	1304: "Erro ao cancelar NF-e.",
	1305: "Assinatura de cancelamento da NF-e incorreta.",
	1306: "A NF-e que se deseja cancelar não foi gerada via Web Service.",
	1401: "Só é permitido consultar NF-e emitidas por um único Prestador de Serviços (mesma inscrição " +
		"municipal).",
	1403: "As datas informadas compreendem um período maior que o permitido. O período não pode abranger mais " +
		"que 31 dias.",
	1405: "Não há nenhuma Inscrição Municipal vinculada ao CPF/CNPJ informado.",
	1417: "O preenchimento do CNPJ ou do CCM do intermediário implica a obrigatoriedade do preenchimento do " +
		"campo ISS Retido Intermediário.",
	1418: "O preenchimento do ISSRetidoIntermediário implica a obrigatoriedade do preenchimento do CNPJ ou do " +
		"CCM do Intermediário.",
	1419: "Se o intermediário for informado, o campo ISS Retido pelo tomador deve ser preenchido com 'false'.",
	1421: "Valor do parâmetro ISS intermediário não é um valor válido.",
	1422: "ISS não pode ser retido pelo tomador e pelo intermediário.",
	1612: "Isenção Parcial (D): Conforme legislação vigente, os benefícios fiscais não podem implicar em uma " +
		"alíquota efetiva inferior a 2%",
	1613: "NFS-e não permite a indicação de isenção parcial para profissional autônomo",
	1614: "NFS-e não permite a indicação de isenção parcial para Sociedade de Profissionais",
	1615: "A indicação de isenção parcial (D) somente é permitida para serviços com data de fato gerador a partir " +
		"de {0}.",
	1616: "Pessoa física não pode ser responsável tributário",
	1631: "Quando informado, o valor do campo Valor Total Recebido deverá ser maior ou igual ao do campo Valor " +
		"Total do Serviço.",
	1633: "Os campos Valor Total Recebido e Valor Total das Deduções não podem ser preenchidos simultaneamente.",
}
