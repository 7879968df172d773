package words

// signIn is the pages for signing in: the sign-in, one-time links, the first passkey.
var signIn = table{
	"sign_in.title": {"Entrar", "Sign in"},
	"sign_in.text": {
		"Use a passkey deste aparelho, do telefone ou da sua chave de segurança.",
		"Use the passkey of this device, of your phone or of your security key.",
	},
	"sign_in.button": {"Entrar com passkey", "Sign in with passkey"},
	"sign_in.lost": {
		"Perdeu a passkey? Quem é responsável pela sua organização, ou quem opera a instalação, pode lhe dar um " +
			"novo link.",
		"Lost your passkey? An owner of your organization, or who runs this installation, can give you a new link.",
	},
	"sign_in.again": {"Entre para continuar.", "Sign in to go on."},
	"link.title":    {"Link de acesso", "Access link"},
	"link.invitation": {
		"%s: você foi convidado a entrar em %s com o papel %s.",
		"%s: you are invited to join %s as %s.",
	},
	"link.operator": {
		"%s: você foi convidado a operar esta instalação. Quem opera vê todas as organizações.",
		"%s: you are invited to operate this installation. Operators see every organization.",
	},
	"link.recovery": {
		"%s: este link recupera a sua conta. As passkeys e sessões de antes deixam de valer, e você cria uma nova " +
			"passkey.",
		"%s: this link recovers your account. Your passkeys and sessions from before end, and you create a new " +
			"passkey.",
	},
	"link.sign_in": {"%s: este link abre uma sessão, uma única vez.", "%s: this link opens a session, once."},
	"link.once": {
		"O link vale uma única vez, até %s. Só continue se você o pediu ou esperava.",
		"The link works once, until %s. Only go on if you asked for it or expected it.",
	},
	"link.button": {"Continuar", "Continue"},
	"link.own_sign_in": {
		"Esta conta já existe: o convite vale depois que ela mesma entrar com a sua passkey.",
		"This account exists already: the invitation takes effect once it has signed in with its own passkey.",
	},
	"link.not_mine": {
		"Perdeu a passkey, ou não foi você que criou esta conta? Peça um novo link a quem opera esta instalação: " +
			"quando ele é usado, as passkeys e sessões de antes deixam de valer. O convite continua aberto.",
		"Lost the passkey, or was it not you who made this account? Ask who runs this installation for a new link: " +
			"when it is used, passkeys and sessions from before end. The invitation stays open.",
	},
	"link.anew": {
		"Não foi você que criou esta conta, ou perdeu a passkey dela? Ninguém mostrou até hoje que este endereço é " +
			"seu, e este convite chegou por ele: você pode começar de novo. A sua conta nova tem o que este convite " +
			"dá; a de antes fica com o que tem, sem este endereço.",
		"Was it not you who made this account, or did you lose its passkey? Nobody has shown so far that this " +
			"address is theirs, and this invitation came to it: you can start anew. Your new account has what this " +
			"invitation gives; the one from before keeps what it has, without this address.",
	},
	"link.anew.button": {"Começar de novo", "Start anew"},
	"link.other": {
		"Você entrou como %s, e este convite é de %s. Saia, e o convite aparece de novo: ele continua aberto.",
		"You are signed in as %s, and this invitation is for %s. Sign out, and the invitation is shown again: it " +
			"stays open.",
	},
	"link.to_sign_in": {"Entrar e aceitar", "Sign in and accept"},
	"link.gone":       {"Este link não vale mais", "This link does not work any more"},
	"link.gone.text": {
		"Ele já foi usado, venceu ou nunca existiu. Nada foi mudado. Peça um novo a quem o enviou.",
		"It was used, has expired or never existed. Nothing was changed. Ask whoever sent it for a new one.",
	},
	"link.accepted": {"Convite aceito.", "Invitation accepted."},
	"passkeys.new":  {"Criar passkey", "Create a passkey"},
	"passkeys.new.text": {
		"A passkey fica no seu aparelho e substitui a senha. Com ela você entra e confirma ações sensíveis.",
		"The passkey stays on your device and replaces a password. With it you sign in and confirm sensitive " +
			"actions.",
	},
	"passkeys.label":         {"Nome do aparelho", "Name of the device"},
	"passkeys.label.example": {"Notebook do escritório", "Office laptop"},
	"passkeys.create":        {"Criar passkey", "Create passkey"},
	"passkeys.added":         {"Passkey criada.", "Passkey created."},
}
