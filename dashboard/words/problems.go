package words

// problems are the pages that say why something cannot be shown or done.
var problems = table{
	"problem.not_found": {"Não encontrado", "Not found"},
	"problem.not_found.text": {
		"Este endereço não leva a nada que você possa ver. Confira a organização e o ambiente; se recebeu o " +
			"endereço de alguém, a pessoa pode ter acesso a outra organização.",
		"This address leads to nothing that you can see. Check the organization and the environment; if somebody " +
			"sent you the address, they may have access to another organization.",
	},
	"problem.no_danfse": {"Esta nota não tem DANFSe", "This invoice has no DANFSe"},
	"problem.no_danfse.text": {
		"A própria prefeitura a emitiu: a página da nota leva à da prefeitura, que a mostra e imprime.",
		"The city itself issued it: the page of the invoice leads to the city's own, which shows and prints it.",
	},
	"problem.forbidden": {"Seu papel não permite isto", "Your role does not allow this"},
	"problem.forbidden.text": {
		"Nada foi mudado. Quem é responsável pela organização pode dar a você outro papel, em Usuários.",
		"Nothing was changed. An owner of the organization can give you another role, under Users.",
	},
	"problem.nowhere": {"Você não é de nenhuma organização", "You belong to no organization"},
	"problem.nowhere.text": {
		"Peça um convite a quem é responsável por ela.",
		"Ask one of its owners for an invitation.",
	},
	"problem.environment": {"O formulário é do outro ambiente", "The form is of the other environment"},
	"problem.environment.text": {
		"Ele foi aberto em um ambiente (teste ou produção) e enviado a outro. Nada foi mudado. Volte, escolha o " +
			"ambiente e envie de novo.",
		"It was opened in one environment (test or live) and sent to the other. Nothing was changed. Go back, " +
			"choose the environment and send it again.",
	},
	"problem.cross_origin": {"A requisição veio de outro site", "The request came from another site"},
	"problem.cross_origin.text": {
		"Por segurança nada foi feito. Abra o painel pelo seu endereço e faça de novo.",
		"To be safe nothing was done. Open the dashboard by its own address and do it again.",
	},
	"problem.too_many": {"Tentativas demais", "Too many attempts"},
	"problem.too_many.text": {
		"Espere um minuto e tente de novo. Nada foi mudado.",
		"Wait a minute and try again. Nothing was changed.",
	},
	"problem.busy": {"Muitas requisições ao mesmo tempo", "Many requests at a time"},
	"problem.busy.text": {
		"Tente de novo em alguns segundos. Nada foi mudado.",
		"Try again in a few seconds. Nothing was changed.",
	},
	"problem.too_large": {"O que foi enviado é grande demais", "What was sent is too large"},
	"problem.too_large.text": {
		"Nada foi salvo. Envie menos e tente de novo.",
		"Nothing was saved. Send less and try again.",
	},
	"problem.slow": {"O envio demorou demais", "Sending took too long"},
	"problem.slow.text": {
		"Nada foi salvo. Verifique a conexão e tente de novo.",
		"Nothing was saved. Check your connection and try again.",
	},
	"problem.unreadable": {"Não entendemos o que foi enviado", "We did not understand what was sent"},
	"problem.unreadable.text": {
		"Nada foi mudado. Volte, recarregue a página e tente de novo.",
		"Nothing was changed. Go back, reload the page and try again.",
	},
	"problem.unavailable": {"O serviço não responde agora", "The service does not answer right now"},
	"problem.unavailable.text": {
		"Notas já recebidas não se perdem. Se você estava salvando algo, confira se foi salvo antes de repetir.",
		"Invoices that were received are not lost. If you were saving something, check whether it was saved " +
			"before you repeat it.",
	},
	"problem.archive": {"O arquivo não responde agora", "The archive does not answer right now"},
	"problem.archive.text": {
		"O documento desta nota está no arquivo, que não responde neste momento. Nada se perdeu; tente de novo em " +
			"alguns minutos.",
		"This invoice's document is in the archive, which does not answer at the moment. Nothing is lost; try again " +
			"in some minutes.",
	},
	"problem.internal": {"Algo deu errado do nosso lado", "Something went wrong on our side"},
	"problem.internal.text": {
		"Já está no registro de erros. Se for preciso, informe o número da requisição abaixo.",
		"It is in the error log. If need be, mention the request number below.",
	},
	"problem.request": {"Requisição", "Request"},
	"problem.home":    {"Ir para a visão geral", "Go to the overview"},
}
