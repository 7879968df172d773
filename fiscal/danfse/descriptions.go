package danfse

// Codes are printed as what they mean, in the words of the official layout. An
// unknown code is printed itself.

type descriptions map[string]string

func (d descriptions) of(code string) string {
	if description, known := d[code]; known {
		return description
	}
	return code
}

var (
	environments = descriptions{"1": "Produção", "2": "Homologação"}
	generators   = descriptions{"1": "Prefeitura", "2": "Sistema Nacional da NFS-e"}
	issuers      = descriptions{"1": "Prestador", "2": "Tomador", "3": "Intermediário"}
	situations   = descriptions{
		"100": "NFS-e Gerada", "102": "NFS-e de Decisão Judicial", "103": "NFS-e Avulsa", "107": "NFS-e MEI",
	}
	purposes      = descriptions{"0": "NFS-e regular"}
	withoutNIF    = descriptions{"0": "NIF não informado", "1": "Dispensado do NIF", "2": "Não exigência do NIF"}
	simplesOption = descriptions{
		"1": "Não Optante",
		"2": "Optante - Microempreendedor Individual (MEI)",
		"3": "Optante - Microempresa ou Empresa de Pequeno Porte (ME/EPP)",
	}
	simplesRegimes = descriptions{
		"1": "Regime de apuração dos tributos federais e municipal pelo Simples Nacional",
		"2": "Regime de apuração dos tributos federais pelo SN e ISSQN por fora do SN conforme respectiva " +
			"legislação municipal do tributo",
		"3": "Regime de apuração dos tributos federais e municipal por fora do SN conforme respectivas " +
			"legislações federal e municipal de cada tributo",
	}
	specialRegimes = descriptions{
		"0": "Nenhum", "1": "Ato Cooperado (Cooperativa)", "2": "Estimativa", "3": "Microempresa Municipal",
		"4": "Notário ou Registrador", "5": "Profissional Autônomo", "6": "Sociedade de Profissionais", "9": "Outros",
	}
	taxations = descriptions{
		"1": "Operação Tributável", "2": "Imunidade", "3": "Exportação de Serviço", "4": "Não Incidência",
	}
	immunities = descriptions{
		"0": "Imunidade (tipo não informado na nota de origem)",
		"1": "Patrimônio, renda ou serviços, uns dos outros",
		"2": "Templos de qualquer culto",
		"3": "Patrimônio, renda ou serviços dos partidos políticos, entidades sindicais, instituições de educação " +
			"e de assistência social",
		"4": "Livros, jornais, periódicos e o papel destinado a sua impressão",
		"5": "Fonogramas e videofonogramas musicais produzidos no Brasil",
	}
	suspensions = descriptions{
		"1": "Exigibilidade Suspensa por Decisão Judicial",
		"2": "Exigibilidade Suspensa por Processo Administrativo",
	}
	benefits = descriptions{
		"1": "Isenção", "2": "Redução da BC em percentual", "3": "Redução da BC em valor", "4": "Alíquota Diferenciada",
	}
	withholdings  = descriptions{"1": "Não Retido", "2": "Retido pelo Tomador", "3": "Retido pelo Intermediário"}
	contributions = descriptions{
		"0": "PIS/COFINS/CSLL Não Retidos",
		"1": "PIS/COFINS Retidos",
		"2": "PIS/COFINS Não Retidos",
		"3": "PIS/COFINS/CSLL Retidos",
		"4": "PIS/COFINS Retidos, CSLL Não Retido",
		"5": "PIS Retido, COFINS/CSLL Não Retido",
		"6": "COFINS Retido, PIS/CSLL Não Retido",
		"7": "PIS Não Retido, COFINS/CSLL Retidos",
		"8": "PIS/COFINS Não Retidos, CSLL Retido",
		"9": "COFINS Não Retido, PIS/CSLL Retidos",
	}
)
