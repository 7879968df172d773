package words

// webhooks is the page of an endpoint, the deliveries to it and their attempts, and the
// samples of receivers.
var webhooks = table{
	"endpoints.title": {"Endpoints de webhook", "Webhook endpoints"},
	"endpoints.one":   {"Endpoint de webhook", "Webhook endpoint"},
	"endpoints.none": {
		"Nenhum endpoint ainda. Adicione o endereço do seu servidor: cada evento de uma nota é enviado para lá.",
		"No endpoints yet. Add the address of your server: each event of an invoice is sent there.",
	},
	"endpoints.url":        {"Endereço", "URL"},
	"endpoints.created":    {"Desde", "Since"},
	"endpoints.both_until": {"Segredo anterior vale até", "Old secret valid until"},
	"endpoints.add":        {"Adicionar endpoint", "Add an endpoint"},
	"endpoints.add.means": {
		"Os eventos deste ambiente são enviados por POST a este endereço, " +
			"assinados com um segredo que aparece uma vez.",
		"The events of this environment are posted to this address, signed with a secret that you see once.",
	},
	"endpoints.too_many": {
		"A empresa já tem tantos endpoints neste ambiente quanto pode ter. Remova um antes.",
		"The organization has as many endpoints in this environment as it may have. Remove one first.",
	},
	"endpoints.url.address": {
		"O endereço não é público: só enviamos para endereços públicos.",
		"The address is not public: we send to public addresses only.",
	},
	"endpoints.state.enabled":  {"Ativo", "Enabled"},
	"endpoints.state.disabled": {"Desativado", "Disabled"},
	"endpoints.state.removed":  {"Removido", "Removed"},
	"endpoints.new":            {"O segredo do endpoint", "The endpoint's secret"},
	"endpoints.new.means": {
		"Copie ou baixe o segredo antes de sair desta página. Se ele se perder, gire-o para receber outro.",
		"Copy or download the secret before you leave this page. If it is lost, rotate it to get another.",
	},
	"endpoints.latest":         {"Entregas recentes", "Latest deliveries"},
	"endpoints.all_deliveries": {"Todas as entregas deste endpoint", "All deliveries to this endpoint"},
	"endpoints.test":           {"Enviar chamada de teste", "Send a test call"},
	"endpoints.test.means": {
		"Envia agora um evento webhook.test, assinado como os outros, e mostra a resposta.",
		"Sends an event webhook.test now, signed like the others, and shows the answer.",
	},
	"endpoints.call":  {"A chamada de teste", "The test call"},
	"endpoints.retry": {"Reenviar as que falharam", "Retry failed deliveries"},
	"endpoints.retry.means": {
		"Reenvia as entregas deste endpoint que falharam desde um momento, até 1000 de cada vez: o mesmo corpo, " +
			"o endereço e o segredo de agora.",
		"Sends again the deliveries to this endpoint that failed since a moment, up to 1000 at a time: " +
			"the same body, with the present URL and secret.",
	},
	"endpoints.since": {"Desde (horário de Brasília)", "Since (time of Brasília)"},
	"endpoints.since.wrong": {
		"Escreva um momento que já passou, como 2026-11-22T08:00.",
		"Write a moment that has passed, as 2026-11-22T08:00.",
	},
	"endpoints.resent":     {"%d entregas a caminho outra vez.", "%d deliveries are on their way again."},
	"endpoints.resent.one": {"%d entrega a caminho outra vez.", "%d delivery is on its way again."},
	"endpoints.resent.more": {
		"Pode haver mais: repita para continuar.",
		"There may be more: repeat to go on.",
	},
	"endpoints.rotate": {"Gerar novo segredo", "Create a new secret"},
	"endpoints.rotate.means": {
		"Faz um segredo novo. Por 24 horas o de antes assina também, para você trocar sem perder eventos.",
		"Makes a new secret. For 24 hours the one before signs as well, so that you can switch without losing events.",
	},
	"endpoints.rotating.until": {
		"Os dois segredos assinam até %s; depois, só o novo.",
		"Both secrets sign until %s; after that only the new one.",
	},
	"endpoints.force": {
		"Gerar já: o segredo mais antigo deixa de assinar agora",
		"Create it already: the oldest secret stops signing now",
	},
	"endpoints.rotating": {
		"Um novo segredo foi gerado há menos de 24 horas. Nada mudou: marque que quer gerar outro já.",
		"A new secret was created less than 24 hours ago. Nothing changed: tick that you want another one " +
			"already.",
	},
	"endpoints.events":          {"Eventos", "Events"},
	"endpoints.events.all":      {"todos", "all"},
	"endpoints.events.none":     {"Marque pelo menos um evento.", "Tick at least one event."},
	"endpoints.event.issued":    {"Nota emitida (nfse.issued)", "Invoice issued (nfse.issued)"},
	"endpoints.event.rejected":  {"Nota rejeitada (nfse.rejected)", "Invoice rejected (nfse.rejected)"},
	"endpoints.event.cancelled": {"Nota cancelada (nfse.cancelled)", "Invoice cancelled (nfse.cancelled)"},
	"endpoints.change":          {"Endereço e eventos", "URL and events"},
	"endpoints.change.means": {
		"O segredo continua o mesmo. O que está a caminho segue para o novo endereço, que recebe na hora uma " +
			"chamada de teste. A escolha de eventos vale a partir do próximo evento.",
		"The secret stays the same. What is on its way goes to the new URL, which gets a test call at once. The " +
			"choice of events counts from the next event on.",
	},
	"endpoints.change.save": {"Salvar", "Save"},
	"endpoints.changed": {
		"Endpoint alterado. Está no registro de auditoria, que os membros podem ver.",
		"Endpoint changed. It is in the audit log, which members can see.",
	},
	"endpoints.changed.tested": {
		"Endereço alterado. Abaixo, a resposta dele à chamada de teste.",
		"URL changed. Below is its answer to the test call.",
	},
	"endpoints.conflict": {
		"Outra pessoa alterou este endpoint antes de você. Nada foi salvo: confira e salve de novo.",
		"Somebody else changed this endpoint before you. Nothing was saved: check it and save again.",
	},
	"endpoints.end":     {"Parar", "Stop"},
	"endpoints.disable": {"Desativar", "Disable"},
	"endpoints.disable.means": {
		"Desativar para as entregas: o que está a caminho é pulado, até alguém ativar outra vez.",
		"Disabling stops deliveries: what is on its way is skipped, until somebody enables it again.",
	},
	"endpoints.disabled": {
		"Endpoint desativado. Está no registro de auditoria, que os membros podem ver.",
		"Endpoint disabled. It is in the audit log, which members can see.",
	},
	"endpoints.enable": {"Ativar", "Enable"},
	"endpoints.enable.means": {
		"Ativar envia a partir do próximo evento. O que foi pulado pode ser reenviado na página de cada entrega.",
		"Enabling sends from the next event on. What was skipped can be sent again on the page of each delivery.",
	},
	"endpoints.enabled": {
		"Endpoint ativo. Está no registro de auditoria, que os membros podem ver.",
		"Endpoint enabled. It is in the audit log, which members can see.",
	},
	"endpoints.remove": {"Remover", "Remove"},
	"endpoints.remove.means": {
		"Remover acaba com o endpoint para sempre; o registro das entregas fica.",
		"Removing ends the endpoint for good; its deliveries stay on record.",
	},
	"endpoints.removed": {
		"Endpoint removido. Está no registro de auditoria, que os membros podem ver.",
		"Endpoint removed. It is in the audit log, which members can see.",
	},
	"endpoints.is_removed": {
		"O endpoint foi removido: nada é enviado para lá. Nada mudou.",
		"The endpoint was removed: nothing is sent there. Nothing changed.",
	},
	"endpoints.is_disabled": {
		"O endpoint está desativado. Nada mudou: ative-o antes.",
		"The endpoint is disabled. Nothing changed: enable it first.",
	},

	"deliveries.title":            {"Entregas", "Deliveries"},
	"deliveries.one":              {"Entrega", "Delivery"},
	"deliveries.back":             {"Voltar a Entregas", "Back to Deliveries"},
	"deliveries.event":            {"Evento", "Event"},
	"deliveries.event_at":         {"Quando", "When"},
	"deliveries.endpoint":         {"Endpoint", "Endpoint"},
	"deliveries.note":             {"Nota", "Invoice"},
	"deliveries.about":            {"Sobre a entrega", "About the delivery"},
	"deliveries.attempts":         {"Tentativas", "Attempts"},
	"deliveries.no_attempts":      {"Nenhuma tentativa ainda.", "No attempts yet."},
	"deliveries.next":             {"Próxima tentativa", "Next attempt"},
	"deliveries.resolved":         {"Terminou", "Ended"},
	"deliveries.reason":           {"Motivo", "Reason"},
	"deliveries.status.pending":   {"A caminho", "On its way"},
	"deliveries.status.delivered": {"Entregue", "Delivered"},
	"deliveries.status.failed":    {"Falhou", "Failed"},
	"deliveries.status.skipped":   {"Não enviada", "Not sent"},
	"deliveries.retrying":         {"Nova tentativa às %s", "Next attempt at %s"},
	"deliveries.retrying.soon":    {"Nova tentativa em breve", "Next attempt soon"},
	"deliveries.payload":          {"Conteúdo enviado", "Payload"},
	"deliveries.payload.means": {
		"O corpo do POST, %d bytes: os mesmos em toda tentativa. Aqui, com quebras de linha para ler.",
		"The body of the POST, %d bytes: the same in every attempt. Here with line breaks, to be read.",
	},
	"deliveries.payload.exact": {"Bytes exatos, como foram assinados", "Exact bytes, as they were signed"},
	"deliveries.payload.copy":  {"Copiar os bytes exatos", "Copy the exact bytes"},
	"deliveries.headers":       {"Cabeçalhos enviados", "Headers sent"},
	"deliveries.headers.means": {
		"No lugar da assinatura está como ela é feita: o segredo é do endpoint, e body são os bytes exatos. " +
			"Durante a troca do segredo há um v1 para cada um dos dois.",
		"In place of the signature is how it is made: the secret is the endpoint's, and body is the exact bytes. " +
			"While a secret is being rotated there is a v1 for each of the two.",
	},
	"deliveries.state.wrong":    {"Escolha uma das situações.", "Choose one of the statuses."},
	"deliveries.endpoint.wrong": {"Escolha um dos endpoints.", "Choose one of the endpoints."},
	"deliveries.none": {
		"Nenhuma entrega ainda: cada evento de uma nota, a partir do endpoint, aparece aqui com todas as " +
			"tentativas.",
		"No deliveries yet: each event of an invoice, once there is an endpoint, is here with all of its " +
			"attempts.",
	},
	"deliveries.none.found": {"Nenhuma entrega corresponde ao filtro.", "No delivery matches the filter."},
	"deliveries.retry":      {"Reenviar", "Send again"},
	"deliveries.retry.means": {
		"Envia o mesmo corpo outra vez, agora, com o endereço e o segredo de hoje.",
		"Sends the same body again, now, with the present URL and secret.",
	},
	"deliveries.retry.editor": {
		"Quem tem o papel Edição, Desenvolvimento ou Responsável pode reenviar.",
		"Who has the role Editor, Developer or Owner may send it again.",
	},
	"deliveries.resent": {
		"A entrega está a caminho outra vez. Está no registro de auditoria, que os membros podem ver.",
		"The delivery is on its way again. It is in the audit log, which members can see.",
	},
	"deliveries.is_delivered": {
		"Foi entregue: não há o que reenviar.",
		"It was delivered: there is nothing to send again.",
	},
	"deliveries.is_old": {
		"O evento é tão antigo que o seu conteúdo não é mais guardado: não há o que reenviar.",
		"The event is so old that its content is no longer kept: there is nothing to send again.",
	},

	"attempts.accepted":  {"Aceita", "Accepted"},
	"attempts.no_answer": {"sem resposta", "no answer"},
	"attempts.answer":    {"Começo da resposta", "Beginning of the answer"},

	"receiving.title": {"Receber webhooks", "Receive webhooks"},
	"receiving.means": {
		"Um servidor pequeno, pronto para rodar, que confere a assinatura, responde logo e ignora repetições. " +
			"Ele lê o segredo do endpoint do ambiente:",
		"A small server, ready to run, that checks the signature, answers quickly and ignores repeats. " +
			"It reads the endpoint's secret from the environment:",
	},
	"receiving.copied": {
		"Um servidor pequeno, pronto para rodar. O que você copia daqui já tem este segredo; o que você vê o lê do " +
			"ambiente.",
		"A small server, ready to run. What you copy from here has this secret in it; what you see reads it from the " +
			"environment.",
	},
}
