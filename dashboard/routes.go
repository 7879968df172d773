package dashboard

// routes are all that the dashboard answers to, and who may. A page of an
// organization names it in its address (?org=…&env=test|live).
func (d *Dashboard) routes() []route {
	return []route{
		{"GET", "/health", stranger, nothing, d.health},
		{"GET", "/assets/{file}", stranger, nothing, d.asset},
		{"any", "/", visitor, nothing, d.notFound},

		// The way in, and one's own account.
		{"GET", "/sign-in", visitor, nothing, d.showSignIn},
		{"POST", "/sign-in/options", visitor, aTry, d.beginSignIn},
		{"POST", "/sign-in", visitor, aTry, d.finishSignIn},
		{"GET", "/link/{text}", visitor, aTry, d.showLink},
		{"POST", "/link/{text}", visitor, aTry, d.useLink},
		{"POST", "/language", visitor, nothing, d.setLanguage},
		{"GET", "/session", user, nothing, d.showSession},
		{"POST", "/session/sign-out", user, nothing, d.signOut},
		{"POST", "/session/sessions/{id}/end", user, nothing, d.endSession},
		{"GET", "/session/passkeys/new", user, ownPasskey, d.newPasskey},
		{"POST", "/session/passkeys/options", user, ownPasskey, d.beginPasskey},
		{"POST", "/session/passkeys", user, ownPasskey, d.finishPasskey},
		{"POST", "/session/passkeys/{id}/remove", user, freshPasskey, d.removePasskey},
		{"POST", "/confirm/options", user, aTry, d.beginConfirmation},
		{"POST", "/confirm", user, aTry, d.finishConfirmation},

		{"GET", "/oidc/sign-in", visitor, aTry, d.signInByProvider},
		{"GET", "/oidc/callback", visitor, aTry, d.arriveFromProvider},
		{"GET", "/oidc/confirm", user, aTry, d.confirmByProvider},
		{"GET", "/oidc/link", user, freshPasskey | aTry, d.linkProvider},
		{"POST", "/oidc/unlink", user, freshPasskey, d.unlinkProvider},

		{"GET", "/{$}", viewer, nothing, d.showOverview},

		{"GET", "/notes", viewer, nothing, d.listNotes},
		{"GET", "/notes/{id}", viewer, nothing, d.showNote},
		{"GET", "/notes/{id}/xml", viewer, nothing, d.downloadXML},

		{"GET", "/emails", viewer, nothing, d.listEmails},
		{"POST", "/emails/retry-failed", editor, nothing, d.retryFailedEmails},
		{"POST", "/emails/{id}/retry", editor, nothing, d.retryEmail},

		{"GET", "/ledger", viewer, nothing, d.showLedger},
		{"GET", "/ledger.csv", viewer, nothing, d.downloadLedger},

		{"GET", "/audit", viewer, nothing, d.showAudit},
		{"GET", "/operations", operator, nothing, d.showOperations},

		{"GET", "/people", viewer, nothing, d.listPeople},
		{"POST", "/people/invitations", owner, freshPasskey, d.invite},
		{"POST", "/people/invitations/{id}/revoke", owner, freshPasskey, d.revokeInvitation},
		{"POST", "/people/{id}/role", owner, freshPasskey, d.changeRole},
		{"POST", "/people/{id}/link", owner, freshPasskey, d.recoverMember},
		{"POST", "/people/{id}/remove", owner, freshPasskey, d.removeMember},
	}
}
