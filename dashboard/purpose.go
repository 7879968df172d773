package dashboard

// purpose is what somebody uses a passkey for, or goes to the provider for. What is
// answered counts for the purpose that it was asked for, and for no other.
type purpose string

const (
	toSignIn  purpose = "sign in"
	toConfirm purpose = "confirm" // that it is them, just now
	toEnrol   purpose = "enrol"   // a passkey that is made
	toLink    purpose = "link"    // their account to the provider
)
