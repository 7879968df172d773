package sefin

// groupTexts are what the authority says with the codes of the groups beside taker, service and
// ISS, shortened.
var groupTexts = map[string]string{
	"E0042": "Chave de NFS-e a ser substituída é inválida.",
	"E0044": "NFS-e não existe na base de dados do autorizador de NFS-e nacional. Informe uma chave de NFS-e " +
		"existente.",
	"E0046": "Uma NFS-e cancelada não pode ser substituída. Informe uma chave de NFS-e não cancelada " +
		"anteriormente.",
	"E0050": "Uma NFS-e não pode ser substituída fora do prazo estabelecido pelo município emissor da NFS-e.",
	"E0056": "NFS-e não pode ser substituída pois não possui identificação do tomador.",
	"E0058": "Não poderá ocorrer a substituição de NFS-e com alteração da identificação do não emitente, conforme " +
		"parametrização do município emissor da NFS-e.",
	"E0060": "Os campos data de competência, subitem da lista nacional de serviços, código complementar municipal " +
		"e local da prestação não podem ser alterados quando a opção do simples nacional for Não Optante.",
	"E0061": "Os campos identificação do Tomador, data de competência, e valor do serviço, não podem ser alterados " +
		"quando a opção do simples nacional for MEI ou ME/EPP.",
	"E0065": "Não é possível substituição da NFS-e que tenha sido gerada em ambientes geradores diferentes.",
	"E0068": "Não é possível a substituição desta NFS-e pois a mesma possui registro de Evento de Solicitação de " +
		"Análise Fiscal para Cancelamento de NFS-e aguardando resposta. Para mais informações, consultar a " +
		"Administração Tributária Municipal do município emissor da NFS-e.",
	"E0070": "Não é possível a substituição desta NFS-e pois já ocorreu uma manifestação de confirmação de " +
		"serviço. Para mais informações, consultar a Administração Tributária Municipal do município emissor " +
		"da NFS-e.",
	"E0072": "Não é possível a substituição desta NFS-e pois já ocorreu uma manifestação tácita da NFS-e. Para " +
		"mais informações, consultar a Administração Tributária Municipal do município emissor da NFS-e.",
	"E0074": "Não é permitido realizar a substituição para NFS-e que possua Evento de Tributos Recolhidos " +
		"vinculado, conforme parametrização do município de incidência do ISSQN. Para mais informações, " +
		"consultar a Administração Tributária Municipal do município emissor da NFS-e.",
	"E0076": "Não é permitido realizar a substituição para NFS-e que possua Evento de Bloqueio de Ofício para o " +
		"Evento de Cancelamento de NFS-e por Substituição vigente.",
	"E0078": "Quando o campo cMotivo = 99, o campo xMotivo deve informado obrigatoriamente.",
	"E0082": "CNPJ do emitente prestador não encontrado no cadastro CNPJ na data de competência.",
	"E0098": "CPF do emitente prestador não encontrado no cadastro CPF na data de competência.",
	"E0119": "IM do emitente prestador não está autorizado a emitir NFS-e, conforme informações complementares " +
		"registradas no CNC NFS-e do município emissor informado na DPS.",
	"E0124": "O IM informado está inativo no CNC NFS-e do município emissor para a data de competência informada " +
		"na DPS.",
	"E0172": "O Regime Especial de Tributação deve ser 'Nenhum' quando o serviço prestado for diferente de " +
		"Tributável, ou seja, tribISSQN = 2, 3 ou 4.",
	"E0223": "O NIF ou cNaoNIF do tomador deve ser informado quando o grupo de informações de endereço no exterior " +
		"do tomador de serviços foi informado.",
	"E0226": "Valor 0 para o motivo da não informação do NIF do tomador não é permitido na Sefin do Sistema " +
		"Nacional NFS-e.",
	"E0242": "O grupo de informações de endereço no exterior deve ser informado obrigatoriamente quando o tomador " +
		"for identificado pelo NIF e o emitente por CNPJ.",
	"E0246": "O código de país informado para o endereço no exterior do tomador do serviço não existe ou é igual " +
		"ao código do Brasil. Informe um código de país existente e diferente do codigo do Brasil para o " +
		"endereço no exterior do tomador do serviço, conforme tabela de país do " +
		"ANEXO_A-MUNICIPIO_IBGE-PAISES_ISO2-SNNFSe-ESPEC.",
	"E0248": "CNPJ do intermediário informado na DPS é inválido.",
	"E0250": "CNPJ do intermediário não encontrado no cadastro CNPJ.",
	"E0262": "Na emissão da NFS-e não é permitido que o prestador do serviço seja igual ao intermediário do " +
		"serviço.",
	"E0264": "CNPJ ou CPF do intermediário não foi informado, mas existe uma indicação para retenção do ISSQN na " +
		"DPS no campo de tipo de 'Retenção do ISSQN'.",
	"E0266": "CPF do intermediário informado na DPS é inválido.",
	"E0268": "CPF do intermediário não encontrado no cadastro CPF.",
	"E0281": "O NIF ou cNaoNIF do intermediário deve ser informado quando o grupo de informações de endereço no " +
		"exterior do intermediário de serviços foi informado.",
	"E0286": "Valor 0 para o motivo da não informação do NIF do intermediário não é permitido na Sefin do Sistema " +
		"Nacional NFS-e.",
	"E0293": "O endereço nacional do intermediário do serviço deve ser informado na DPS quando o valor do ISSQN " +
		"for retido pelo intermediário, exceto se o emitente da DPS é o intermediário do serviço.",
	"E0294": "O código do município informado na DPS para o endereço do intermediário do serviço não existe " +
		"conforme tabela de município do IBGE.",
	"E0296": "O CEP informado para o endereço nacional do intermediário do serviço não existe ou não pertence ao " +
		"município do endereço do intermediário.",
	"E0298": "O grupo de informações de endereço no exterior deve ser informado obrigatoriamente quando o " +
		"intermediário for identificado pelo NIF e o emitente por CNPJ.",
	"E0299": "O código de país informado para o endereço no exterior do intermediário do serviço não existe ou é " +
		"igual ao código do Brasil. Informe um código de país existente e diferente do codigo do Brasil para " +
		"o endereço no exterior do intermediário do serviço, conforme tabela de país do " +
		"ANEXO_A-MUNICIPIO_IBGE-PAISES_ISO2-SNNFSe-ESPEC.",
	"E0300": "Email inválido.",
	"E0304": "Informe um código de país existente e diferente de Brasil, conforme tabela de país do " +
		"ANEXO_A-MUNICIPIO_IBGE-PAISES_ISO2-SNNFSe-ESPEC.",
	"E0312": "O código de tributação nacional informado não está administrado pelo município de incidência do " +
		"ISSQN na data de competência informada na DPS, conforme a lista de serviços nacional do Sistema " +
		"Nacional NFS-e.",
	"E0314": "O código de tributação municipal informado não existe ou não está administrado pelo município de " +
		"incidência do ISSQN na data de competência informada na DPS,.",
	"E0318": "É obrigatório informar na DPS um item da NBS para casos de exportação de serviço.",
	"E0330": "É obrigatório prestar informações de comércio exterior para as situações de exportação de serviços.",
	"E0333": "Valor 0 para o modo de prestação não é permitido na Sefin do Sistema Nacional NFS-e.",
	"E0341": "Valor 0 para o Mecanismo de apoio/fomento ao Comércio Exterior utilizado pelo prestador do serviço " +
		"não é permitido na Sefin do Sistema Nacional NFS-e.",
	"E0343": "Valor 0 para o Mecanismo de apoio/fomento ao Comércio Exterior utilizado pelo tomador do serviço não " +
		"é permitido na Sefin do Sistema Nacional NFS-e.",
	"E0345": "Valor 0 para o Vínculo da Operação à Movimentação Temporária de Bens não é permitido na Sefin do " +
		"Sistema Nacional NFS-e.",
	"E0352": "O preenchimento do campo nDI é obrigatório quando o campo Vínculo da Operação à Movimentação " +
		"Temporária de Bens for igual a 2.",
	"E0354": "O preenchimento dos campos nDI ou do nRE não é permitido quando o campo Vínculo da Operação à " +
		"Movimentação Temporária de Bens for igual a 1.",
	"E0356": "O preenchimento do campo nRE é obrigatório quando o campo Vínculo da Operação à Movimentação " +
		"Temporária de Bens for igual a 3.",
	"E0380": "Informe um CEP correspondente ao município do local da prestação do serviço informado nesta DPS para " +
		"indicar corretamente o endereço da obra.",
	"E0382": "O CEP não deve ser informado quando o endereço da obra ocorrer no exterior do país.",
	"E0384": "O grupo de informações de endereço da atividade de obra ocorrido no exterior deve ser informado " +
		"quando o país do local da prestação for informado na DPS.",
	"E0386": "O grupo de informações de endereço da atividade de obra ocorrido no exterior não deve ser informado " +
		"quando o município do local da prestação for informado na DPS.",
	"E0398": "Informe um CEP correspondente ao município do local da prestação do serviço informado nesta DPS para " +
		"indicar corretamente o endereço da atividade ou evento.",
	"E0400": "O CEP não deve ser informado quando o endereço da atividade de evento ocorrer no exterior do país.",
	"E0402": "O grupo de informações de endereço da atividade de evento ocorrido no exterior deve ser informado " +
		"quando o país do local da prestação for informado na DPS.",
	"E0404": "O grupo de informações de endereço da atividade de evento ocorrido no exterior não deve ser " +
		"informado quando o município do local da prestação for informado na DPS.",
	"E0424": "O valor recebido não deve ser informado na DPS quando o prestador ou tomador do serviço for o " +
		"emitente da DPS.",
	"E0427": "O valor do serviço deve ser maior ou igual ao somatório dos valores informados para Desconto " +
		"Incondicionado, Deduções/Reduções e Benefício Municipal.",
	"E0428": "O valor do serviço deve ser maior ou igual ao somatório dos valores informados para Desconto " +
		"Incondicionado, Desconto Condicionado, Deduções/Reduções, Benefício Municipal, valores de tributos " +
		"devidos CP, IRRF, CSLL e ISSQN se o valor deste tributo for retido.",
	"E0429": "O ISSQN não pode ser objeto de redução de base de cálculo que resulte em carga tributária menor que " +
		"a decorrente da aplicação da alíquota mínima de 2,0% do valor do serviço, exceto para os serviços a " +
		"que se referem aos subitens 042201, 042301, 050901, 070201, 070202, 070501 , 070502, 090201, 090202, " +
		"100101, 100102, 100103, 100104, 100105, 100201, 100202, 100301, 100401, 100402, 100403, 100501, " +
		"100502, 100601, 100701, 100801, 100901, 101001, 150101, 150102, 150103, 150104, 150105, 151001, " +
		"151002, 151003, 151004, 151005, 160101, 160102, 160103, 160104, 160201, 170501, 170601, 171001, " +
		"171002, 171101, 171102, 171201, 210101, 250301, da lista de serviços nacional do Sistema Nacional " +
		"NFS-e.",
	"E0431": "O valor do desconto incondicionado informado na DPS deve ser menor que o valor do serviço e maior " +
		"que zero.",
	"E0432": "O valor do desconto condicionado informado na DPS deve ser menor que o valor do serviço e maior que " +
		"zero.",
	"E0435": "Não é permitido o preenchimento dos campos do grupo de informações relativas à Dedução/Redução do " +
		"ISSQN quando ocorrer Imunidade, Exportação do serviço ou Não incidência.",
	"E0436": "Não é permitido o preenchimento dos campos do grupo de informações relativas à Dedução/Redução do " +
		"ISSQN quando o prestador de serviço é MEI.",
	"E0438": "Não é permitido o preenchimento dos campos do grupo de informações relativas à Dedução/Redução do " +
		"ISSQN, quando o prestador de serviço tiver algum regime especial de tributação.",
	"E0439": "Não é permitido o preenchimento dos campos do grupo de informações relativas à Dedução/Redução do " +
		"ISSQN, quando o benefício municipal informado na DPS for do tipo 'Isenção'.",
	"E0440": "O tipo de dedução/redução informado na DPS não é permitida pelo município de incidência do ISSQN, " +
		"conforme parametrizações do código de serviço do município de incidência.",
	"E0441": "Não é permitido o preenchimento de informações relativas à Dedução/Redução para o prestador de " +
		"serviço ME/EPP, apurando pelo SN conforme parametrização do código de serviço admnistrado pelo " +
		"municipio de incidência do ISSQN.",
	"E0442": "O tipo de dedução/redução informado na DPS não é permitida para o prestador de serviço ME/EPP, " +
		"apurando pelo SN.",
	"E0444": "O valor percentual de dedução/redução informado na DPS não pode reduzir o valor da BC de forma que " +
		"resulte no valor do ISSQN a uma alíquota efetiva menor que 2%, exceto para os códigos listados da " +
		"lista de serviços nacional do Sistema Nacional NFS-e.",
	"E0446": "Código de serviço informado na DPS não permite dedução/redução na base de cálculo do ISSQN por valor " +
		"monetário.",
	"E0447": "O valor de dedução/redução informado na DPS não pode reduzir o valor da BC de forma que resulte no " +
		"valor do ISSQN a uma alíquota efetiva menor que 2%, exceto para os códigos listados da lista de " +
		"serviços nacional do Sistema Nacional NFS-e.",
	"E0449": "Código de serviço informado na DPS não permite dedução/redução na base de cálculo do ISSQN por " +
		"documento informado.",
	"E0453": "O valor percentual para dedução/redução deve ser maior que 0 e menor ou igual a 100%.",
	"E0454": "Código de serviço informado na DPS não permite dedução/redução na base de cálculo do ISSQN por " +
		"percentual.",
	"E0455": "Informe uma chave de NFS-e válida.",
	"E0456": "NFS-e não existe na base de dados do autorizador de NFS-e nacional. Informe uma chave de NFS-e " +
		"existente.",
	"E0458": "Uma NFS-e cancelada não pode ser informada para dedução/redução.",
	"E0460": "Informe uma chave de NF-e válida.",
	"E0462": "NF-e não existe na base de dados do autorizador de NF-e nacional. Informe uma chave de NF-e " +
		"existente.",
	"E0464": "Uma NF-e cancelada não pode ser informada para dedução/redução.",
	"E0466": "Informe um código de município existente para o documento de nota, conforme tabela de municípios do " +
		"IBGE.",
	"E0468": "Informar, obrigatoriamente, o campo de descrição no caso ideDedRed igual a 99 – Outras deduções.",
	"E0470": "Não informar o campo de descrição no caso ideDedRed diferente a 99 – Outras deduções.",
	"E0472": "A data de emissão do documento informado na DPS não pode ser posterior à data de competência da DPS.",
	"E0474": "O valor de dedução/redução não pode ser superior ao valor dedutível/redutível.",
	"E0476": "O valor de dedução/redução informado na DPS não pode ser superior ao valor do serviço.",
	"E0477": "O grupo de informações para o fornecedor deve ser informado obrigatoriamente para o tipo de " +
		"documento de dedução/redução informado na DPS.",
	"E0478": "CNPJ do fornecedor informado na DPS é inválido.",
	"E0482": "CNPJ do fornecedor informado na DPS não encontrado no cadastro CNPJ.",
	"E0484": "CPF do fornecedor informado na DPS é inválido.",
	"E0488": "CPF do fornecedor informado na DPS não encontrado no cadastro CPF.",
	"E0490": "Valor 0 para o motivo da não informação do NIF do fornecedor não é permitido na Sefin do Sistema " +
		"Nacional NFS-e.",
	"E0492": "O grupo de informações de endereço nacional deve ser informado obrigatoriamente quando o fornecedor " +
		"for identificado pelo CPF ou CNPJ.",
	"E0494": "O código do município informado na DPS para o endereço do fornecedor do serviço não existe conforme " +
		"tabela de município do IBGE.",
	"E0496": "O CEP informado para o endereço nacional do fornecedor não existe ou não pertence ao município do " +
		"endereço do fornecedor.",
	"E0498": "O grupo de informações de endereço no exterior deve ser informado obrigatoriamente quando o " +
		"fornecedor for identificado pelo NIF.",
	"E0499": "O código de país informado para o endereço no exterior do fornecedor não existe ou é igual ao código " +
		"do Brasil. Informe um código de país existente e diferente do codigo do Brasil para o endereço no " +
		"exterior do fornecedor, conforme tabela de país do ANEXO_A-MUNICIPIO_IBGE-PAISES_ISO2-SNNFSe-ESPEC.",
	"E0529": "O sistema considera este cenário para a prestação de serviço informada na DPS uma operação " +
		"tributável. Não é permitido ao emitente da DPS informar que a prestação de serviço se trata de uma " +
		"exportação de serviço.",
	"E0530": "O sistema considera este cenário para a prestação de serviço informada na DPS uma exportação de " +
		"serviço. Não é permitido ao emitente da DPS informar que a prestação de serviço se trata de uma " +
		"operação tributável.",
	"E0532": "O campo que informa sobre a tributação do ISSQN deve ser '4 - Não Incidência', quando houver o " +
		"serviço prestado for 99.01.01 - Serviços sem a incidência de ISSQN e ICMS.",
	"E0533": "Não é permitido informar Benefício Municipal quando o serviço prestado diferente de Tributável, ou " +
		"seja, tribISSQN = 2, 3 ou 4.",
	"E0534": "Não é permitido o preenchimento de informações relativas à benefício municipal para o prestador de " +
		"serviço MEI.",
	"E0535": "Não é permitido informar benefício municipal quando o prestador de serviço tiver um regime especial " +
		"de tributação, ou seja, o campo que indica o regime especial de tributação é diferente de 0,.",
	"E0536": "Não é permitido o preenchimento de informações relativas à benefício municipal para o prestador de " +
		"serviço ME/EPP, apurando pelo SN, conforme parametrização do código de serviço admnistrado pelo " +
		"municipio de incidência do ISSQN.",
	"E0537": "Não é permitido informar benefício municipal quando o município de incidência do ISSQN não está " +
		"'Ativo' no Sistema Nacional NFS-e.",
	"E0539": "Não é permitido informar não incidência do ISSQN = 4 para qualquer subitem da lista nacional de " +
		"serviço informado na DPS, se o subitem for incidente, conforme a parametrização do município de " +
		"incidência do ISSQN.",
	"E0540": "Não há incidência do ISSQN pois a parametrização do muncípio de incidência do ISSQN indica que o " +
		"código de serviço prestado, informado na DPS, não é incidente neste município.",
	"E0541": "Não existe o código de identificação do benefício municipal informado na DPS para o municipío de " +
		"incidência do ISSQN.",
	"E0544": "Período de vigência expirado para o código de identificação do Benefício Municipal no municipío de " +
		"incidência do ISSQN para a data de competência informada na DPS.",
	"E0548": "O Benefício Municipal informado na DPS não permite benefício para prestadores de serviço que não " +
		"estejam estabelecidos no município de incidência do ISSQN.",
	"E0550": "O código de identificação de Benefício Municipal, informada na DPS, não permite benefício para o " +
		"código de tributação e/ou prestador informado na DPS, conforme parametrização do município de " +
		"incidência do ISSQN.",
	"E0565": "Não é permitido informar um valor monetário de redução de base de cálculo do ISSQN por benefício " +
		"municipal, se o código de identificação do Benefício Municipal não corresponder ao tipo de redução " +
		"por valor monetário.",
	"E0567": "É obrigatório informar vRedBCBM quando o código de identificação do Benefício Municipal for um " +
		"benefício do tipo Redução de Base de Cálculo por Valor Monetário.",
	"E0574": "O valor monetário do benefício municipal informado na DPS não pode ser superior ao valor do serviço.",
	"E0575": "O valor monetário do benefício municipal informado na DPS não pode reduzir o valor da BC de forma " +
		"que resulte no valor do ISSQN a uma alíquota efetiva menor que 2%, exceto para os códigos listados " +
		"da lista de serviços nacional do Sistema Nacional NFS-e.",
	"E0577": "Não é permitido informar um valor percentual de redução de base de cálculo do ISSQN por benefício " +
		"municipal, se o código de identificação do Benefício Municipal não corresponder ao tipo de redução " +
		"por valor percentual.",
	"E0579": "É obrigatório informar pRedBCBM quando o código de identificação do Benefício Municipal for um " +
		"benefício do tipo Redução de Base de Cálculo por percentual.",
	"E0580": "Não é permitido haver retenção quando o campo referente à tributação do ISSQN indicar imunidade, " +
		"exportação ou não incidência.",
	"E0585": "Somente é permitido informar suspensão de exigibilidade quando a opção da tributação do ISSQN for " +
		"uma operação tributável.",
	"E0586": "O valor percentual para redução da base de cálculo deve ser maior que 0 e menor ou igual ao " +
		"percentual parametrizado pelo município de incidência do ISSQN.",
	"E0587": "O valor percentual do benefício municipal informado na DPS não pode reduzir o valor da BC de forma " +
		"que resulte no valor do ISSQN a uma alíquota efetiva menor que 2%, exceto para os códigos listados " +
		"da lista de serviços nacional do Sistema Nacional NFS-e.",
	"E0590": "É obrigatório informar o código do país onde ocorreu o resultado do serviço prestado para os " +
		"cenários 2, 30, 58, 62, 72, 76, conforme a planilha 'EXPORTACAO_EMISSÃO_NFS-e'.",
	"E0591": "Não é permitido informar o código do país onde ocorreu o resultado do serviço prestado para os " +
		"cenários diferentes de 2, 30, 58, 62, 72, 76 conforme a planilha 'EXPORTACAO_EMISSÃO_NFS-e'.",
	"E0592": "O tipo de imunidade é obrigatório e deve ser informado somente quando o campo referente à tributação " +
		"do ISSQN for igual a '2 - Imunidade'.",
	"E0593": "Não permitido o valor '0 - Imunidade' na DPS quando utilizado os Emissores Públicos Nacionais para " +
		"emissao de NFS-e.",
	"E0594": "Não é permitido retenção do ISSQN quando houver Benefício Municipal do tipo Isenção.",
	"E0596": "Não é permitido retenção do ISSQN quando o serviço prestado corresponder ao subitem 220101 - Serviço " +
		"de exploração de rodovia da lista de serviços do Sistema Nacional NFS-e.",
	"E0602": "Não é permitido informar alíquota quando o campo referente à tributação do ISSQN indicar imunidade, " +
		"exportação ou não incidência.",
	"E0612": "Não é permitido informar alíquota quando o benefício municipal informado na DPS for do tipo " +
		"'Isenção' ou 'Alíquota Diferenciada'.",
	"E0670": "Município da incidência do ISSQN não autoriza que o CPF do intermediário informado na DPS seja " +
		"indicado para retenção deste imposto.",
	"E0675": "Não é permitido a prestação de informações relativas aos tributos federais quando o emitente da DPS " +
		"for identificado por um pessoa física.",
	"E0676": "Não é permitido o preenchimento das informações relativas aos tributos federais quando o emitente " +
		"for identificado como MEI na data de competência informada na DPS.",
	"E0677": "O valor da BC para Pis/Cofins deve ser menor ou igual ao valor do serviço informado na DPS.",
	"E0694": "O valor do Pis informado não corresponde ao resultado da BC Pis/Cofins x Alíquota Pis, que foram " +
		"informados na DPS.",
	"E0696": "O valor do Cofins informado não corresponde ao resultado da BC Pis/Cofins x Alíquota Cofins, que " +
		"foram informados na DPS.",
	"E0699": "O valor do tributo CP deve ser maior que zero e menor que o valor do serviço informado na DPS.",
	"E0700": "O valor do tributo IRRF deve ser maior que zero e menor que o valor do serviço informado na DPS.",
	"E0701": "O valor do tributo CSLL deve ser maior que zero e menor que o valor do serviço informado na DPS.",
	"E0720": "Se o tipo de retenção do PIS/COFINS for igual a '0 - PIS/COFINS/CSLL Não Retidos', então não é " +
		"permitido informar o campo vRetCSLL.",
	"E0724": "Se o tipo de retenção do PIS/COFINS for diferente de '0 - PIS/COFINS/CSLL Não Retidos' ou de '2 - " +
		"PIS/COFINS Não Retido', então é obrigatório informar o campo vRetCSLL.",
	"E0827": "Não é permitido realizar um Evento de Cancelamento para NFS-e que possua Evento de Tributos " +
		"Recolhidos vinculado, conforme parametrização do município de incidência do ISSQN da NFS-e.",
	"E0831": "O pedido de registro deste evento de NFS-e deve ser enviado para o ambiente que gerou a NFS-e " +
		"referenciada no pedido.",
	"E0854": "Somente é permitio declarar informações de IBS/CBS a partir da versão 1.01 da DPS.",
	"E0845": "O Sistema Nacional NFS-e não pode recepcionar o EVENTO DE CANCELAMENTO DE NFS-e POR SUBSTITUIÇÃO.",
	"E0934": "O grupo de informações de endereço da atividade sobre bem imóvel ocorrido no exterior deve ser " +
		"informado quando o país do local da prestação for informado na DPS.",
	"E1538": "O NIF ou cNaoNIF do fornecedor deve ser informado quando o grupo de informações de endereço no " +
		"exterior do fornecedor de serviços for informado.",
	"E1861": "O tipo de evento informado não é aceito por esta API.",
}
