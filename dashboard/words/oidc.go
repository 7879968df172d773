package words

// oidc is a company's own sign-on.
var oidc = table{
	"oidc.sign_in": {"Entrar com %s", "Sign in with %s"},
	"oidc.confirm": {"Confirmar com %s", "Confirm with %s"},
	"oidc.confirm.text": {
		"Sem passkey, você confirma entrando de novo em %s, em outra aba. Depois volte aqui e continue.",
		"Without a passkey you confirm by signing in to %s again, in another tab. Then come back here and go on.",
	},
	"oidc.continue":  {"Já confirmei: continuar", "I have confirmed: go on"},
	"oidc.confirmed": {"Confirmado", "Confirmed"},
	"oidc.confirmed.text": {
		"Feche esta aba e continue na outra, onde o que você preencheu está à espera.",
		"Close this tab and go on in the other one, where what you filled in is waiting.",
	},
	"oidc.failed": {"A entrada da empresa não foi aceita", "The company sign-on was not accepted"},
	"oidc.failed.text": {
		"Nada mudou. Comece de novo, nesta mesma janela; se demorou, o pedido venceu.",
		"Nothing changed. Start again, in this same window; if it took long, the request has expired.",
	},
	"oidc.stale": {"A entrada não é recente", "The sign-in is not recent"},
	"oidc.stale.text": {
		"O provedor não confirmou que você acabou de entrar. Nada mudou; tente de novo, ou crie uma passkey.",
		"The provider did not say that you signed in just now. Nothing changed; try again, or create a passkey.",
	},
	"oidc.unknown": {
		"Esta conta da empresa não está ligada a nenhuma daqui",
		"This company account is linked to none here",
	},
	"oidc.unknown.text": {
		"Quem é convidado entra com o e-mail do convite, verificado pelo provedor. Quem já tem conta entra com a sua " +
			"passkey e liga a conta da empresa em Minha conta.",
		"Who is invited comes in with the invitation's e-mail, verified by the provider. Who has an account already " +
			"signs in with a passkey and links the company account under My account.",
	},
	"oidc.unavailable": {"O provedor da entrada não responde", "The sign-on's provider does not answer"},
	"oidc.unavailable.text": {
		"Nada mudou. Tente de novo em alguns minutos, ou entre com a sua passkey.",
		"Nothing changed. Try again in a few minutes, or sign in with your passkey.",
	},
	"oidc.account": {"Entrada da empresa", "Company sign-on"},
	"oidc.is":      {"Você entra também com %s.", "You also sign in with %s."},
	"oidc.is_not": {
		"Ligue sua conta a %s para entrar também por lá.",
		"Link your account to %s to sign in that way too.",
	},
	"oidc.link":   {"Ligar", "Link"},
	"oidc.unlink": {"Desligar", "Unlink"},
	"oidc.linked": {"Conta da empresa ligada.", "Company account linked."},
	"oidc.anew": {
		"A conta que havia com este endereço nunca o comprovou. Você tem uma conta nova, com o que o convite dá; a " +
			"de antes fica com o que tem, sem este endereço.",
		"The account that had this address never proved it. You have a new account, with what the invitation gives; " +
			"the one from before keeps what it has, without this address.",
	},
	"oidc.choose": {"Esta conta é sua?", "Is this account yours?"},
	"oidc.choose.text": {
		"Já existe uma conta com o endereço %s, e há um convite para ele. Nada mudou ainda.",
		"There is an account with the address %s already, and an invitation for it. Nothing has changed yet.",
	},
	"oidc.choose.mine": {
		"Se a conta é sua, entre com a passkey dela e ligue-a a %s: ela fica com tudo o que tem. O convite continua " +
			"aberto: aceite-o depois pelo link que você recebeu.",
		"If the account is yours, sign in with its passkey and link it to %s: it keeps all that it has. The " +
			"invitation stays open: accept it afterwards by the link that you were sent.",
	},
	"oidc.choose.sign_in": {"Entrar com a passkey e ligar", "Sign in with the passkey and link"},
	"oidc.choose.anew": {
		"Não foi você que criou esta conta, ou perdeu a passkey dela? Então comece de novo: a sua conta nova tem o " +
			"que o convite dá; a de antes fica com o que tem, sem este endereço. Isso não se desfaz.",
		"Was it not you who made this account, or did you lose its passkey? Then start anew: your new account has " +
			"what the invitation gives; the one from before keeps what it has, without this address. It is not undone.",
	},
	"oidc.unlinked": {
		"Conta da empresa desligada. Ela não entra mais.",
		"Company account unlinked. It does not sign in any more.",
	},
	"oidc.last": {
		"Sem passkey, esta é a sua única entrada: crie uma passkey antes. Nada mudou.",
		"Without a passkey this is your only way in: create a passkey first. Nothing changed.",
	},
	"oidc.taken": {
		"Essa conta da empresa já está ligada a outra conta, ou a sua já está ligada. Nada mudou.",
		"That company account is linked to another account already, or yours is linked. Nothing changed.",
	},
}
