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

		{"GET", "/{$}", viewer, nothing, d.showOverview},

		{"GET", "/notes", viewer, nothing, d.listNotes},
		{"GET", "/notes.csv", viewer, nothing, d.downloadNotes},
		{"GET", "/notes/new", editor, nothing, d.newNote},
		{"POST", "/notes", editor, nothing, d.issueNote},
		{"GET", "/notes/{id}", viewer, nothing, d.showNote},
		{"GET", "/notes/{id}/xml", viewer, nothing, d.downloadXML},
		{"GET", "/notes/{id}/danfse", viewer, nothing, d.downloadDANFSe},
		{"POST", "/notes/{id}/cancel", editor, freshInLive, d.cancelNote},
		{"POST", "/notes/{id}/redrive", editor, nothing, d.redriveNote},
		{"POST", "/notes/{id}/deliveries/{delivery}/resend", editor, nothing, d.resendOfNote},

		{"GET", "/integrations", viewer, nothing, d.showIntegrations},
		{"POST", "/integrations/keys", owner, freshPasskey, d.createKey},
		{"GET", "/integrations/keys/{id}", viewer, nothing, d.showKey},
		{"POST", "/integrations/keys/{id}", owner, freshPasskey, d.changeKey},
		{"POST", "/integrations/keys/{id}/revoke", owner, freshPasskey, d.revokeKey},
		{"POST", "/integrations/endpoints", owner, freshPasskey, d.addEndpoint},
		{"GET", "/integrations/endpoints/{id}", viewer, nothing, d.showEndpoint},
		{"POST", "/integrations/endpoints/{id}/test", editor, aTry, d.testEndpoint},
		{"POST", "/integrations/endpoints/{id}/rotate", owner, freshPasskey, d.rotateSecret},
		{"POST", "/integrations/endpoints/{id}/disable", owner, freshPasskey, d.disableEndpoint},
		{"POST", "/integrations/endpoints/{id}/enable", owner, nothing, d.enableEndpoint},
		{"POST", "/integrations/endpoints/{id}/remove", owner, freshPasskey, d.removeEndpoint},
		{"POST", "/integrations/endpoints/{id}/resend", editor, nothing, d.resendFailed},
		{"GET", "/integrations/deliveries", viewer, nothing, d.listDeliveries},
		{"GET", "/integrations/deliveries/{id}", viewer, nothing, d.showDelivery},
		{"POST", "/integrations/deliveries/{id}/resend", editor, nothing, d.resendDelivery},
		{"GET", "/integrations/receiver", viewer, nothing, d.showReceiver},

		{"GET", "/people", viewer, nothing, d.listPeople},
		{"POST", "/people/invitations", owner, freshPasskey, d.invite},
		{"POST", "/people/invitations/{id}/revoke", owner, freshPasskey, d.revokeInvitation},
		{"POST", "/people/{id}/role", owner, freshPasskey, d.changeRole},
		{"POST", "/people/{id}/link", owner, freshPasskey, d.recoverMember},
		{"POST", "/people/{id}/remove", owner, freshPasskey, d.removeMember},
	}
}
