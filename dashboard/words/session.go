package words

// session is the page of the user's own account.
var session = table{
	"session.account":        {"Conta", "Account"},
	"session.sign_out":       {"Sair", "Sign out"},
	"session.passkeys":       {"Passkeys", "Passkeys"},
	"session.passkey.used":   {"usada %s", "used %s"},
	"session.passkey.unused": {"nunca usada", "never used"},
	"session.passkey.remove": {"Remover", "Remove"},
	"session.passkey.last": {
		"A última passkey não pode ser removida: crie outra antes. Nada mudou.",
		"The last passkey cannot be removed: create another one first. Nothing changed.",
	},
	"session.passkey.removed": {
		"Passkey removida. Ela não entra mais.",
		"Passkey removed. It does not sign in any more.",
	},
	"session.sessions": {"Sessões abertas", "Open sessions"},
	"session.this":     {"esta sessão", "this session"},
	"session.seen":     {"vista %s", "seen %s"},
	"session.until":    {"até %s", "until %s"},
	"session.on":       {"%s no %s", "%s on %s"},
	"session.unknown":  {"Navegador desconhecido", "Unknown browser"},
	"session.end":      {"Encerrar", "End"},
	"session.ended":    {"Sessão encerrada.", "Session ended."},
}
