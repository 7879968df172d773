package words

// integrations is the list of API keys and endpoints, the page of a key, and what is
// shown once.
var integrations = table{
	"integrations.more": {"Também aqui", "Also here"},
	"integrations.back": {"Voltar a Integrações", "Back to Integrations"},

	"keys.title":   {"Chaves de API", "API keys"},
	"keys.one":     {"Chave de API", "API key"},
	"keys.label":   {"Nome", "Label"},
	"keys.unnamed": {"sem nome", "no label"},
	"keys.prefix":  {"Chave", "Key"},
	"keys.no_last_four": {
		"Chave criada antes de guardarmos os quatro últimos caracteres: só o início dela é conhecido.",
		"Created before the last four characters were kept: only its beginning is known.",
	},
	"keys.requests":    {"Requisições desta chave", "Requests of this key"},
	"keys.api_address": {"Endereço da API:", "API address:"},
	"keys.who_creates": {
		"Quem tem o papel Desenvolvimento ou Responsável cria e revoga chaves.",
		"Who has the role Developer or Owner creates and revokes keys.",
	},
	"keys.used":    {"Último uso", "Last use"},
	"keys.expires": {"Vence", "Expires"},
	"keys.now":     {"Como está agora", "As it is now"},

	"keys.none.test": {
		"Nenhuma chave de teste ainda. Crie uma; com ela em $KEY, a primeira requisição:",
		"No test key yet. Create one; with it in $KEY, the first request:",
	},
	"keys.none.live": {
		"Nenhuma chave de produção ainda. Crie uma quando o teste estiver pronto; com ela em $KEY, a primeira " +
			"requisição:",
		"No live key yet. Create one once the test works; with it in $KEY, the first request:",
	},
	"keys.create":      {"Criar chave", "Create a key"},
	"keys.create.test": {"Criar chave de teste", "Create a test key"},
	"keys.create.live": {"Criar chave de produção", "Create a live key"},
	"keys.create.means.test": {
		"Uma chave do ambiente de teste: nada do que ela faz tem valor fiscal. " +
			"Para uma de produção, troque o ambiente.",
		"A key of the test environment: nothing that it does has fiscal value. For a live one, switch the environment.",
	},
	"keys.create.means.live": {
		"Uma chave de produção: quem a tem emite notas fiscais de verdade em nome desta organização.",
		"A live key: whoever has it issues real invoices in the name of this organization.",
	},
	"keys.label.wrong": {
		"Escreva um nome de até 100 letras, em uma linha.",
		"Write a label of at most 100 characters, in one line.",
	},
	"keys.too_many": {
		"A empresa já tem tantas chaves válidas neste ambiente quanto pode ter. Revogue uma antes.",
		"The organization has as many valid keys in this environment as it may have. Revoke one first.",
	},
	"keys.defaults": {"Padrões", "Defaults"},
	"keys.defaults.means": {
		"O que acontece com cada nota de produção que esta chave emite.",
		"What happens to each live invoice that this key issues.",
	},
	"keys.email_customer": {
		"Enviar e-mail ao tomador depois da autorização",
		"Send the customer an e-mail after authorization",
	},
	"keys.register_ledger": {"Registrar em Lançamentos ao concluir", "Register a ledger entry once it has ended"},
	"keys.confirm_municipal_operation": {
		"Confirmar a operação municipal padrão, onde a autoridade tem uma",
		"Confirm the default municipal operation, where the authority has one",
	},
	"keys.email_customer.short":              {"E-mail ao tomador", "E-mail to the customer"},
	"keys.register_ledger.short":             {"Registro em Lançamentos", "Ledger entry"},
	"keys.confirm_municipal_operation.short": {"Operação municipal", "Municipal operation"},
	"keys.expires.form": {
		"Vale até o fim do dia (vazio: não vence)",
		"Expires at the end of (empty: never)",
	},
	"keys.expires.wrong": {
		"Escolha hoje ou um dia que ainda vem, como 2027-11-22, ou deixe vazio.",
		"Choose today or a day to come, as 2027-11-22, or leave it empty.",
	},
	"keys.networks":     {"Redes permitidas", "Allowed networks"},
	"keys.networks.any": {"qualquer uma", "any"},
	"keys.networks.form": {
		"Redes permitidas, separadas por vírgula (vazio: qualquer uma)",
		"Allowed networks, separated by commas (empty: any)",
	},
	"keys.networks.wrong": {
		"Escreva redes como 203.0.113.0/24 ou 2001:db8::/48, ou endereços.",
		"Write networks as 203.0.113.0/24 or 2001:db8::/48, or addresses.",
	},
	"keys.state.valid":   {"Válida", "Valid"},
	"keys.state.expired": {"Vencida", "Expired"},
	"keys.state.revoked": {"Revogada", "Revoked"},
	"keys.change":        {"Mudar", "Change"},
	"keys.save":          {"Salvar", "Save"},
	"keys.changed": {
		"Chave alterada. Vale para as próximas requisições e está no registro de auditoria, que os membros podem " +
			"ver.",
		"Key changed. It holds for the next requests and is in the audit log, which members can see.",
	},
	"keys.conflict": {"Outra pessoa mudou esta chave antes de você", "Somebody else changed this key before you"},
	"keys.conflict.text": {
		"Abaixo está como ela é agora. Nada do que a outra pessoa fez se perdeu, e a sua mudança não foi salva.",
		"Below is what it is now. Nothing of what the other person did is lost, and your change was not saved.",
	},
	"keys.revoke": {"Revogar", "Revoke"},
	"keys.revoke.means": {
		"A próxima requisição com esta chave é recusada, para sempre. As notas que ela emitiu ficam como estão.",
		"The next request with this key is refused, for ever. The invoices that it issued stay as they are.",
	},
	"keys.revoked": {
		"Chave revogada: a próxima requisição com ela é recusada. Está no registro de auditoria, que os membros " +
			"podem ver.",
		"Key revoked: the next request with it is refused. It is in the audit log, which members can see.",
	},
	"keys.revoked_at": {"Revogada em", "Revoked at"},
	"keys.new":        {"Chave criada", "Key created"},
	"keys.new.means": {
		"Copie ou baixe a chave antes de sair desta página. Guardamos só um resumo dela: se ela se perder, crie outra.",
		"Copy or download the key before you leave this page. " +
			"We keep only a hash of it: if it is lost, create another.",
	},
	"secret.once":     {"Aparece só agora.", "Shown only now."},
	"secret.download": {"Baixar", "Download"},
	"secret.back":     {"Já guardei, continuar", "I have kept it, go on"},
}
