package words

// classNames are the official names of the cClassTrib whose names in the built-in table are ours. An
// imported table has the official words, which stay as they are.
var classNames = map[string]string{
	"30 % reduction, by a self-employed professional": "" +
		"Fornecimento dos serviços com redução de alíquota de 30% realizado por autônomo",
	"60 % reduction, by a self-employed professional": "" +
		"Fornecimento dos serviços com redução de alíquota de 60% realizado por autônomo",
	"Brazilian music recordings and videos": "" +
		"Fornecimentos de fonogramas e videofonogramas musicais produzidos no Brasil",
	"FGTS operations not by Caixa Econômica Federal": "Operações do FGTS não realizadas pela Caixa Econômica Federal",
	"accessibility devices (Annex V)": "" +
		"Fornecimento dos dispositivos de acessibilidade próprios para pessoas com deficiência (Anexo V)",
	"accessibility devices (Annex XIII)": "" +
		"Fornecimento dos dispositivos de acessibilidade próprios para pessoas com deficiência (Anexo XIII)",
	"accessibility devices for public bodies (Annex V)": "" +
		"Fornecimento dos dispositivos de acessibilidade próprios para pessoas com deficiência adquiridos por " +
		"órgãos da administração pública (Anexo V)",
	"agricultural and aquaculture inputs (Annex IX)": "Fornecimento dos insumos agropecuários e aquícolas (Anexo IX)",
	"bonus goods in the document that depend on no later event": "" +
		"Fornecimento de bonificações quando constem no documento fiscal e que não dependam de evento " +
		"posterior",
	"books, newspapers, periodicals and their paper": "" +
		"Fornecimentos de livros, jornais, periódicos e do papel destinado a sua impressão",
	"brokerage of health plans": "Intermediação de planos de assistência à saúde",
	"charge for supplies declared in another document": "" +
		"Cobrança relativa a fornecimentos declarados em outro documento",
	"condominiums outside the regular regime": "Fornecimento de condomínio edilício não optante pelo regime regular",
	"conservation or recovery of native vegetation": "" +
		"Fornecimento de serviços ambientais de conservação ou recuperação da vegetação nativa",
	"cooperatives under the specific regime": "" +
		"Operação praticada por sociedades cooperativas optantes por regime específico do IBS e CBS",
	"credit annulled for immune or exempt supplies": "Anulação de Crédito por Saídas Imunes/Isentas",
	"debits of invoices that were not processed":    "Débitos de notas fiscais não processadas na apuração",
	"deferred agricultural and aquaculture inputs (Annex IX)": "" +
		"Operações, sujeitas a diferimento, com insumos agropecuários e aquícolas (Anexo IX)",
	"donation with annulled credit":        "Doação com anulação de crédito",
	"donations without anything in return": "Doações sem contraprestação em benefício do doador",
	"education (Annex II)":                 "Fornecimento dos serviços de educação (Anexo II)",
	"education under Prouni": "" +
		"Fornecimento dos serviços de educação relacionados ao Programa Universidade para Todos (Prouni)",
	"export of a service or of an immaterial good": "Exportação de serviço ou de bem imaterial",
	"exports of goods and services":                "Exportações de bens e serviços",
	"financial services":                           "Operações do serviço financeiro",
	"free broadcasting of sound and images": "" +
		"Fornecimentos de serviço de comunicação nas modalidades de radiodifusão sonora e de sons e imagens " +
		"de recepção livre e gratuita",
	"full taxation": "Situações tributadas integralmente pelo IBS e CBS",
	"full taxation, by a self-employed professional": "" +
		"Situações tributadas integralmente pelo IBS e CBS realizadas por autônomo",
	"goods from an agricultural cooperative to a member outside the regular regime": "" +
		"Fornecimento de bem material pela cooperativa de produção agropecuária a associado não sujeito ao " +
		"regime regular do IBS e da CBS",
	"gratuitous operations that no other code is for": "" +
		"Operações não onerosas sem previsão de tributação, não especificadas anteriormente",
	"hotels, amusement and theme parks":                 "Hotelaria, Parques de Diversão e Parques Temáticos",
	"human health (Annex III)":                          "Fornecimento dos serviços de saúde humana (Anexo III)",
	"importer of financial services that is a taxpayer": "Importador dos serviços financeiros contribuinte",
	"incentives for infrastructure (Reidi)":             "Regime Especial de Incentivos para o Desenvolvimento da Infraestrutura",
	"incentives for low-carbon hydrogen (Rehidro)": "" +
		"Regime Especial de Incentivos para a Produção de Hidrogênio de Baixa Emissão de Carbono (Rehidro)",
	"information and cyber security by a company with a Brazilian partner (Annex XI)": "" +
		"Operações e prestações de serviços de segurança da informação e segurança cibernética desenvolvidos " +
		"por sociedade que tenha sócio brasileiro (Anexo XI)",
	"information on betting and lotteries": "" +
		"Documento com informações de prestação de serviços de consursos de prognósticos",
	"information on financial services": "Documento com informações de fornecimento de serviços financeiros",
	"information on funeral plans": "" +
		"Documento com informações de fornecimento de serviços de planos de assistência funerária",
	"information on health plans (art. 234)": "" +
		"Documento com informações de fornecimento de serviços de planos de assistência à saúde elencados no " +
		"art. 234 da Lei Complementar nº214, de 2025",
	"information on health plans for pets": "" +
		"Documento com informações de fornecimento de serviços de planos de assistência à saúde de animais " +
		"domésticos",
	"information on the exploration of roads": "" +
		"Documento com informações de fornecimento de serviços de exploração de via",
	"institutional communication for public bodies": "" +
		"Fornecimento de serviços de comunicação institucional à administração pública",
	"intellectual professions": "Prestação de serviços de profissões intelectuais",
	"leaving Simples Nacional": "Desenquadramento do Simples Nacional",
	"management and exploration of sports (art. 141, II)": "" +
		"Fornecimento de serviço de gestão e exploração do desporto (art. 141. II)",
	"medical devices (Annex IV)":  "Venda dos dispositivos médicos (Anexo IV)",
	"medical devices (Annex XII)": "Fornecimento de dispositivos médicos (Anexo XII)",
	"medical devices for public bodies and immune health entities (Annex IV)": "" +
		"Fornecimento de dispositivos médicos para órgãos da administração pública e entidades de saúde " +
		"imunes (Anexo IV)",
	"merger, split or incorporation": "Fusão, cisão ou incorporação",
	"nano-entrepreneur":              "Fornecimento realizado por nanoempreendedor",
	"national artistic, cultural, press and audiovisual productions, and events (Annex X)": "" +
		"Fornecimento dos bens e serviços relacionados com produções nacionais artísticas, culturais, de " +
		"eventos, jornalísticas e audiovisuais (Anexo X)",
	"operations of the FGTS":   "Operações relacionadas ao FGTS",
	"operations with property": "Operações com bens imóveis",
	"parties, unions, and institutions of education and social assistance": "" +
		"Fornecimentos realizados por partidos políticos, entidades sindicais e instituições de educação e de " +
		"assistência social",
	"public health emergency": "Situação de emergência de saúde pública reconhecida pelo Poder público",
	"public passenger transport by rail or water": "" +
		"Serviços de transporte público coletivo de passageiros ferroviário e hidroviário",
	"public passenger transport by road or metro": "" +
		"Fornecimento de serviços de transporte público coletivo de passageiros rodoviário e metroviário",
	"real-estate and agribusiness investment funds (FII, Fiagro)": "" +
		"Operações de Fundos de Investimento Imobiliário (FII) e Fundos de Investimento nas Cadeias " +
		"Produtivas do Agronegócio (Fiagro)",
	"rehabilitation of historic and critical urban areas": "" +
		"Operações relacionadas a projetos de reabilitação urbana de zonas históricas e de áreas críticas de " +
		"recuperação e reconversão urbanística",
	"religious entities and temples":            "Fornecimentos realizados por entidades religiosas e templos de qualquer culto",
	"rental of property in rehabilitated zones": "Locação de imóveis localizados nas zonas reabilitadas",
	"rental, onerous cession and lease of property": "" +
		"Operações de locação, cessão onerosa e arrendamento de bens imóveis",
	"rental, onerous cession or lease of property, rate on gross revenue": "" +
		"Locação, cessão onerosa ou arrendamento de bem imóvel com alíquota sobre a receita bruta",
	"research and development by a scientific institution (ICT)": "" +
		"Prestação de serviços de pesquisa e desenvolvimento por Instituição Científica, Tecnológica e de " +
		"Inovação (ICT)",
	"rural producer who is no taxpayer":        "Fornecimento de produtor rural não contribuinte",
	"self-employed carrier who is no taxpayer": "Fornecimento por transportador autônomo não contribuinte",
	"sovereignty and security for public bodies (Annex XI)": "" +
		"Fornecimento à administração pública dos serviços e dos bens relativos à soberania (Anexo XI)",
	"sports education (art. 141, I)": "Fornecimento de serviço de educação desportiva (art. 141. I)",
	"supplies by the Union, states, federal district and cities": "" +
		"Fornecimentos realizados pela União, pelos Estados, pelo Distrito Federal e pelos Municípios",
	"transfer of a member's credit, also of single cooperatives": "" +
		"Transferência de crédito do associado, inclusive as cooperativas singulares",
	"transport to, and of exports from, export processing zones": "" +
		"Serviços de transporte de bens até as zonas de processamento de exportação e bens exportados a " +
		"partir das zonas de processamento de exportação",
	"travel agencies": "Agências de Turismo",
}

// ClassName is the name of a cClassTrib, in the reader's language.
func (l Language) ClassName(name string) string {
	if portuguese, ours := classNames[name]; ours && l == Portuguese {
		return portuguese
	}
	return name
}
