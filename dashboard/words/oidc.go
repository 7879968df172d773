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
			"passkey e liga a conta da empresa em Sua sessão.",
		"Who is invited comes in with the invitation's e-mail, verified by the provider. Who has an account already " +
			"signs in with a passkey and links the company account under Your session.",
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
