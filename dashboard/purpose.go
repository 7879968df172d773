package dashboard

// purpose is why a passkey is used, or somebody signs in at the provider. The answer counts
// for the purpose that it was asked for only.
type purpose string

const (
	toSignIn  purpose = "sign in"
	toConfirm purpose = "confirm" // who they are, again
	toGoOn    purpose = "go on"   // after a while, by the company's sign-on
	toEnrol   purpose = "enrol"   // a passkey that is made
	toLink    purpose = "link"    // their account to the provider
)
