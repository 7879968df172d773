package fact

// What the law changes for a company from a day of competence on: package taxes has the days.
var (
	IBSCBSStated = define("ibs_cbs_stated",
		"Notes of services in general state IBS and CBS. The national system still takes those without.",
		"Notas de serviços em geral destacam IBS e CBS. O sistema nacional ainda aceita as que não destacam.")
	IBSCBSStatedByOthers = define("ibs_cbs_stated_by_others",
		"The same holds for digital platforms, rents, intangibles, condominiums and the subitems 1.03, 1.05, 1.09 "+
			"and 16.01.",
		"O mesmo vale para plataformas digitais, locações, bens imateriais, condomínios e os subitens 1.03, 1.05, "+
			"1.09 e 16.01.")
	SimplesIssuesNationally = define("simples_issues_nationally",
		"Small companies of Simples Nacional issue by the national system, whatever their city has set.",
		"ME e EPP do Simples Nacional emitem pelo sistema nacional, seja qual for a opção do município.")
	LinksApplied = define("links_applied",
		"The calculator of IBS and CBS applies its links of NBS, cClassTrib and cIndOp. Import them to see which "+
			"services they do not fit.",
		"A calculadora de IBS e CBS aplica os vínculos entre NBS, cClassTrib e cIndOp. Importe-os para ver a quais "+
			"serviços não servem.")
	IBSCBSRequired = define("ibs_cbs_required",
		"Every note states IBS and CBS: one whose service is not classified waits.",
		"Toda nota destaca IBS e CBS: a de um serviço sem classificação espera.")
	IBSCBSRequiredInSimples = define("ibs_cbs_required_in_simples",
		"Notes of Simples Nacional state IBS and CBS, too: one whose service is not classified waits.",
		"As notas do Simples Nacional também destacam IBS e CBS: a de um serviço sem classificação espera.")
	IBSCBSOnTop = define("ibs_cbs_on_top",
		"IBS and CBS are charged in addition to the price: the total of a note is more than its net amount.",
		"IBS e CBS são cobrados além do preço: o total da nota é maior que o valor líquido.")
	IBSCBSOnTopInSimples = define("ibs_cbs_on_top_in_simples",
		"Whether IBS and CBS are charged in addition to the price is not settled for Simples Nacional: layout 1.01 "+
			"adds them for every issuer, NT 009 only where they are assessed outside Simples. The total of the "+
			"document counts.",
		"Se IBS e CBS são cobrados além do preço ainda não está definido para o Simples Nacional: o leiaute 1.01 os "+
			"soma para todo emitente, a NT 009 só quando apurados fora do Simples. Vale o total do documento.")
	NextLayout = define("next_layout",
		"The layout of NT 009 has neither schema nor day yet. Until then notes go out in layout 1.01.",
		"O leiaute da NT 009 ainda não tem esquema nem data. Até lá as notas saem no leiaute 1.01.")
)
