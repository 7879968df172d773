package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"slices"
	"strings"
)

// demoEmail is the account of the dashboard: an owner of the demo's organizations.
const demoEmail = "demo@example.com"

// listedUser is what the demo reads of an account.
type listedUser struct{ Email, Memberships string }

// signInLink makes a link that signs in at once, as an owner of the organizations.
func (e *emissor) signInLink(ctx context.Context, organizations []string) (string, error) {
	var users []listedUser
	if err := e.ask(ctx, &users, "user", "list"); err != nil {
		return "", err
	}
	memberships := ""
	if at := slices.IndexFunc(users, func(u listedUser) bool { return u.Email == demoEmail }); at >= 0 {
		memberships = users[at].Memberships
	}
	visitor := &visitor{emissor: e, known: memberships != ""}
	for _, organization := range organizations {
		if strings.Contains(memberships, organization) {
			continue
		}
		if err := visitor.join(ctx, organization); err != nil {
			return "", err
		}
	}
	return e.userLink(ctx, "link", demoEmail, "--sign-in")
}

// userLink runs a command that makes a link.
func (e *emissor) userLink(ctx context.Context, arguments ...string) (string, error) {
	var link struct{ URL string }
	err := e.ask(ctx, &link, append([]string{"user"}, arguments...)...)
	return link.URL, err
}

// visitor uses links as the account's browser does.
type visitor struct {
	emissor *emissor
	known   bool         // the account has something: an invitation alone does not sign it in any more
	browser *http.Client // that is signed in; nil before
}

// join makes the account an owner of an organization.
func (v *visitor) join(ctx context.Context, organization string) error {
	if v.known && v.browser == nil {
		link, err := v.emissor.userLink(ctx, "link", demoEmail, "--sign-in")
		if err != nil {
			return err
		}
		if err := v.use(ctx, link); err != nil {
			return err
		}
	}
	link, err := v.emissor.userLink(ctx, "invite", demoEmail, "--organization", organization)
	if err != nil {
		return err
	}
	v.known = true
	return v.use(ctx, link)
}

// use uses a link of the dashboard as the button on its page does.
func (v *visitor) use(ctx context.Context, link string) error {
	if v.browser == nil {
		jar, err := cookiejar.New(nil)
		if err != nil {
			return err
		}
		v.browser = &http.Client{Jar: jar}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, link, nil)
	if err != nil {
		return err
	}
	response, err := v.browser.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK { // of the page that it leads to
		return fmt.Errorf("a link for %s was answered %s", demoEmail, response.Status)
	}
	return nil
}
