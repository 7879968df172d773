package sefin

// rejectionTexts are what the authority says with its codes, shortened.
var rejectionTexts = map[string]string{
	"RNG9999": "Requisição inválida.",

	"E0001": "O prazo de aceitação da versão do leiaute da DPS expirou.",
	"E0004": "Conteúdo do identificador informado na DPS difere da concatenação dos campos correspondentes.",
	"E0006": "Ambiente informado diverge do ambiente de recebimento para o qual o emitente enviou a DPS.",
	"E0008": "A data e hora de emissão da DPS deve ser anterior ou igual à data do seu processamento (dhProc) pelo " +
		"Sistema Nacional NFS-e.",
	"E0010": "A série informada na DPS não pertence à faixa definida para o tipo de emissor utilizado para a sua " +
		"emissão.",
	"E0014": "Conjunto de Série, Número, Código do Município Emissor e CNPJ/CPF informado nesta DPS já existe em uma " +
		"NFS-e gerada a partir de uma DPS enviada anteriormente.",
	"E0015": "A data de competência informada na DPS não pode ser posterior à data de emissão (dhEmi) da DPS.",
	"E0016": "A data de competência deve ser igual ou posterior à data de ativação do convênio do município emissor " +
		"informado na DPS.",
	"E0018": "A data de competência informada na DPS deve ser igual ou posterior à data de inscrição do CNPJ do " +
		"emitente no cadastro CNPJ.",
	"E0020": "A data de competência informada na DPS deve ser igual ou posterior à data de inscrição do CPF do " +
		"emitente no cadastro CPF.",
	"E0037": "O código do município emissor informado na DPS é inexistente no cadastro de convênio municipal do " +
		"sistema nacional.",
	"E0038": "A situação do convênio do município emissor informado na DPS deve ser \"ATIVO\" no cadastro de " +
		"convênio municipal do sistema nacional.",
	"E0039": "O município emissor informado na DPS deve estar parametrizado para utilizar os emissores públicos " +
		"nacionais.",
	"E0080": "CNPJ do prestador informado na DPS é inválido.",
	"E0084": "CNPJ do emitente prestador não possui estabelecimento ou domicílio em um município correspondente ao " +
		"município emissor, na data de competência informada na DPS.",
	"E0116": "A IM deve ser informada para o emitente prestador do serviço na DPS, conforme informações " +
		"complementares registradas no CNC NFS-e do município emissor.",
	"E0120": "IM do prestador não deve ser informado, pois não existem informações complementares registradas no CNC " +
		"NFS-e do município emissor informado na DPS.",
	"E0121": "O nome ou razão social do prestador não deve ser informado quando o emitente da DPS for o próprio " +
		"prestador.",
	"E0128": "O endereço do prestador do serviço não deve ser informado na DPS quando o próprio prestador for o " +
		"emitente da DPS.",
	"E0160": "No mês de competência da NFS-e, a opção de situação perante o Simples Nacional, do prestador, " +
		"informada na DPS não está de acordo com o cadastro Simples Nacional.",
	"E0162": "Não é permitido ao não optante do Simples Nacional e o MEI preencherem o campo de indicação do regime " +
		"de apuração dos tributos apurados.",
	"E0166": "É obrigatório o preenchimento do campo de regime de apuração dos tributos do SN para o optante do " +
		"Simples Nacional ME/EPP.",
	"E0174": "Quando o prestador da NFS-e é MEI (opSimpNac = 2) o regime especial de tributação deve ser \"Nenhum\" " +
		"(regEspTrib = 0).",
	"E0175": "Quando o prestador optante pelo Simples Nacional tiver o regime de apuração dos tributos pelo Simples " +
		"Nacional, o regime especial de tributação do ISSQN deve ser \"Nenhum\" (regEspTrib = 0).",
	"E0187": "O tomador do serviço deve ser informado para o código indicador da operação informado.",
	"E0188": "CNPJ do tomador informado na DPS é inválido.",
	"E0190": "CNPJ do tomador não encontrado no cadastro CNPJ.",
	"E0202": "Na emissão da NFS-e não é permitido que o prestador do serviço seja igual ao tomador do serviço.",
	"E0204": "CNPJ ou CPF do tomador não foi informado, mas existe uma indicação para retenção do ISSQN na DPS.",
	"E0206": "CPF do tomador informado na DPS é inválido.",
	"E0207": "CPF do tomador não encontrado no cadastro CPF.",
	"E0234": "O endereço do tomador é obrigatório para o indicador de operação informado ou quando a incidência do " +
		"ISSQN definida para o serviço prestado ocorrer no local do estabelecimento/domicílio do tomador.",
	"E0237": "O endereço nacional do tomador do serviço deve ser informado na DPS quando o valor do ISSQN for retido " +
		"pelo tomador.",
	"E0238": "O código do município informado na DPS para o endereço do tomador do serviço não existe conforme " +
		"tabela de município do IBGE.",
	"E0240": "O CEP informado para o endereço nacional do tomador do serviço não existe ou não pertence ao município " +
		"do endereço do tomador.",
	"E0247": "Email inválido.",
	"E0302": "O código do local da prestação do serviço não existe conforme a tabela de municípios IBGE.",
	"E0310": "O código de tributação nacional informado não existe conforme a lista de serviços nacional do Sistema " +
		"Nacional NFS-e.",
	"E0315": "O código de tributação municipal não pode ser 000.",
	"E0316": "Código da lista NBS informado inexistente na tabela de NBS do sistema.",
	"E0322": "É obrigatório informar o código NBS quando o grupo IBSCBS for informado.",
	"E0370": "O grupo de informações de obra é obrigatório para o código de tributação nacional informado.",
	"E0372": "O grupo de informações de obra não é permitido para o código de tributação nacional informado.",
	"E0390": "O grupo de informações de Atividade/Evento é obrigatório quando o código de tributação nacional " +
		"pertencer ao item 12 da lista de serviços.",
	"E0392": "O grupo de informações de Atividade/Evento não é permitido quando o código de tributação nacional não " +
		"pertencer ao item 12 da lista de serviços.",
	"E0583": "Não é permitido retenção do ISSQN para o prestador do serviço que seja MEI na data de competência " +
		"informada na DPS.",
	"E0588": "Não é permitido retenção do ISSQN para o prestador do serviço que tenha algum regime especial de " +
		"tributação na data de competência informada na DPS.",
	"E0595": "Não é permitido informar alíquota superior a 5%.",
	"E0600": "Não é permitido informar a alíquota para prestador de serviço optante do simples nacional do tipo MEI.",
	"E0604": "Não é permitido informar alíquota quando o prestador de serviço possui algum regime especial de " +
		"tributação.",
	"E0617": "Não é permitido informar alíquota quando o prestador de serviço não é optante do simples nacional, com " +
		"o município de incidência do ISSQN com situação \"ATIVO\" no Sistema Nacional NFS-e.",
	"E0619": "É obrigatório informar alíquota quando o prestador de serviço não é optante do simples nacional e o " +
		"município de incidência do ISSQN não está com situação \"ATIVO\" no Sistema Nacional NFS-e.",
	"E0621": "É obrigatório informar alíquota, de no mínimo 1,8%, quando há indicação de retenção do ISSQN para o " +
		"prestador ME/EPP com apuração pelo simples nacional, cujo município de incidência esteja Ativo.",
	"E0625": "Não é permitido informar alíquota quando não há indicação de retenção do ISSQN para o prestador ME/EPP " +
		"com apuração pelo simples nacional, cujo município de incidência esteja Ativo.",
	"E0628": "É obrigatório informar alíquota, de no mínimo 1,8%, quando o município de incidência não está Ativo, " +
		"para o prestador ME/EPP com apuração pelo simples nacional, com retenção do ISSQN.",
	"E0631": "Não é permitido informar alíquota quando o município de incidência não está Ativo, para o prestador " +
		"ME/EPP com apuração pelo simples nacional, sem retenção do ISSQN.",
	"E0635": "Não é permitido informar alíquota quando o município de incidência está ativo, para o prestador ME/EPP " +
		"com a apuração do ISSQN fora do Simples Nacional.",
	"E0640": "É obrigatório informar alíquota quando o prestador é ME/EPP com apuração do ISSQN fora do Simples " +
		"Nacional e o município de incidência não está \"Ativo\".",
	"E0667": "Município da incidência do ISSQN não autoriza que o CPF do tomador informado na DPS seja indicado para " +
		"retenção deste imposto.",
	"E0710": "Para MEI pTotTribSN nunca poderá ser informado.",
	"E0712": "Para ME/EPP indTotTrib nunca poderá ser informado.",
	"E0713": "Para não optante do Simples Nacional somente vTotTrib ou pTotTrib podem ser informados.",
	"E0714": "Arquivo enviado com erro na assinatura.",
	"E0715": "Certificado Digital da assinatura inválido.",
	"E0716": "Certificado Digital fora do padrão estabelecido.",
	"E0717": "A assinatura é obrigatória quando for enviado para o Web Service.",
	"E0718": "A assinatura deve ser feita com o certificado digital do emitente da DPS.",
	"E0850": "O grupo IBSCBS só pode ser informado para competências a partir de 01/01/2026.",
	"E0901": "Código indicador da operação inexistente.",
	"E0903": "Código do tipo de Operação (tpOper) deve ser informado quando se tratar de uma compra governamental ou " +
		"um dos serviços da LC 116/2003 listados: 25.05; 15.09; 17.12; 10.05.",
	"E0904": "Código do tipo de Operação (tpOper) não pode ser informado quando não se tratar de uma compra " +
		"governamental ou um dos serviços da LC 116/2003 listados: 25.05; 15.09; 17.12; 10.05.",
	"E0905": "O grupo de documentos referenciados deve ser informado para o tipo de operação (tpOper).",
	"E0906": "O grupo de documentos referenciados não pode ser informado para o tipo de operação (tpOper).",
	"E0907": "NFS-e referenciada é inválida.",
	"E0910": "O destinatário não deve ser identificado para o código indicador indDest informado.",
	"E0911": "CNPJ do destinatário informado na DPS é inválido.",
	"E0912": "CNPJ do destinatário não encontrado no cadastro CNPJ na data de competência.",
	"E0913": "CPF do destinatário informado na DPS é inválido.",
	"E0914": "CPF do destinatário não encontrado no cadastro CPF na data de competência.",
	"E0920": "O código do município para o endereço do destinatário do serviço não existe conforme tabela de " +
		"município do IBGE.",
	"E0928": "Não é permitido o grupo de informações relativo a imóvel quando o código de tributação nacional não " +
		"for de construção civil e o código indicador da operação não for relativo a operações com imóveis.",
	"E0930": "E-mail inválido.",
	"E0931": "Não é permitido o grupo de informações relativo a imóvel quando o código de tributação nacional, " +
		"relativo à construção civil, for informado na DPS.",
	"E0932": "É obrigatório o grupo de informações relativo ao imóvel na DPS quando o código indicador da operação " +
		"informado for relacionado à imóvel.",
	"E0935": "O grupo de informações de endereço da atividade sobre bem imóvel ocorrido no exterior não deve ser " +
		"informado quando o município do local da prestação for informado na DPS.",
	"E0958": "cClassTrib para IBS/CBS incorreto para operação de prestação de serviços.",
	"E0959": "cClassTrib não pertence ao grupo CST indicado.",
	"E0964": "Grupo de tributação regular não deve ser informado.",
	"E0965": "Grupo de tributação regular deve ser informado.",
	"E0969": "cClassTribReg para IBS/CBS incorreto para operação de prestação de serviços.",
	"E0970": "cClassTribReg não pertence ao grupo CST indicado em CSTReg.",
	"E0971": "Grupo de diferimento para IBS/CBS não deve ser informado.",
	"E0972": "Grupo de diferimento para IBS/CBS deve ser informado.",

	"E1200": "Certificado de transmissão inválido ou não informado.",
	"E1203": "Certificado de transmissão com data de validade expirada.",
	"E1205": "Erro na cadeia de certificação do certificado de transmissão.",
	"E1206": "Lista de certificados revogados (LCR) indisponível.",
	"E1208": "A raiz do certificado de transmissão não pertence à ICP-Brasil.",
	"E1209": "Certificado de transmissão sem a extensão de CNPJ ou CPF.",
	"E1217": "Serviço paralisado momentaneamente para manutenção.",
	"E1225": "O conteúdo enviado não está em base64.",
	"E1226": "O arquivo compactado ou o XML está mal formado.",
	"E1228": "Não é permitido o uso de prefixo no namespace.",
	"E1229": "O XML deve estar codificado em UTF-8.",
	"E1235": "Falha no esquema XML.",
	"E1242": "O documento enviado não corresponde ao serviço.",

	"E9996": "Nesta versão da aplicação, não é permitida a emissão de NFS-e pelo tomador ou intermediário.",
	"E0802": "Já existe um documento fiscal eletrônico identificado com este id no Sistema Nacional NFS-e.",
	"E0812": "O CNPJ do autor do pedido de registro de evento não corresponde à base do CNPJ informada no " +
		"certificado digital da assinatura do pedido.",
	"E0813": "O CNPJ autor informado no pedido de registro de evento não corresponde ao \"AUTOR DO PEDIDO DE " +
		"REGISTRO DE EVENTO\".",
	"E0815": "O CPF do autor do pedido de registro de evento não corresponde ao CPF informado no certificado digital " +
		"da assinatura do pedido.",
	"E0816": "O CPF autor informado no pedido de registro de evento não corresponde ao \"AUTOR DO PEDIDO DE REGISTRO " +
		"DE EVENTO\".",
	"E0822": "O prazo para o cancelamento da NFS-e expirou, conforme parametrização do município de incidência do " +
		"ISSQN.",
	"E0823": "Valor da NFS-e a ser cancelada acima do permitido pelo Município.",
	"E0824": "NFS-e sem identificação do tomador do serviço não pode ser cancelada.",
	"E0840": "O Sistema Nacional NFS-e não pode recepcionar o EVENTO DE CANCELAMENTO DE NFS-e.",
	"E0848": "O Sistema Nacional NFS-e não pode recepcionar o EVENTO DE SOLICITAÇÃO DE ANÁLISE FISCAL PARA " +
		"CANCELAMENTO DE NFS-e.",
	"E1825": "O prazo de aceitação da versão do leiaute do pedido de registro de evento expirou.",
	"E1827": "Conteúdo do identificador do Pedido de Registro de Evento difere da concatenação dos campos " +
		"correspondentes.",
	"E1831": "O pedido de registro de evento não pode ser validado pois a NFS-e indicada não existe no Ambiente de " +
		"Dados Nacional NFS-e.",
	"E1843": "A data de emissão do pedido do registro do evento não pode ser posterior à data de recebimento pelo " +
		"Sistema Nacional NFS-e.",
	"E1845": "Ambiente informado diverge do ambiente de recebimento para o qual o emitente está enviando o evento.",
	"E1980": "Arquivo enviado com erro na assinatura.",
	"E1983": "Certificado Digital da assinatura inválido.",
	"E1986": "Certificado Digital fora do padrão estabelecido.",
	"E1989": "A assinatura é obrigatória quando for enviado para o Web Service.",
}
