package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"emissor/dashboard"
	"emissor/nfse"
	"emissor/store/access"
)

func userCommand() *cobra.Command {
	return commandGroup("user", "Manage the people of the dashboard",
		userInviteCommand(), userUninviteCommand(), userListCommand(), userLinkCommand(), userRemoveCommand())
}

// printedLink is a one-time link as commands show it, once.
type printedLink struct {
	URL            string         `json:"url,omitempty"` // none where it was mailed
	Kind           nfse.LinkKind  `json:"kind"`
	UserID         string         `json:"user_id"`
	Email          string         `json:"email"`
	OrganizationID *string        `json:"organization_id"`
	Role           *nfse.Role     `json:"role"`
	Operator       bool           `json:"operator"`
	ExpiresAt      nfse.Timestamp `json:"expires_at"`
	Mailed         bool           `json:"mailed"`
}

// printLink mails a link where there is a mail server, and prints it where there is
// none: a link that was mailed proves the address of who uses it.
func (s *commandRun) printLink(ctx context.Context, link access.Link, text string) error {
	printed := printedLink{
		Kind: link.Kind, UserID: link.UserID, Email: link.Email, Mailed: s.sender != nil,
		OrganizationID: link.OrganizationID, Role: link.Role, Operator: link.Operator, ExpiresAt: link.ExpiresAt,
	}
	url := dashboard.LinkURL(s.config.DashboardURL.URL, text)
	if printed.Mailed {
		if err := dashboard.MailLink(ctx, s.store, s.sender, link, url); err != nil {
			return fmt.Errorf("the link could not be mailed to %s, and nobody has it; with EMISSOR_SMTP_URL empty "+
				"this command prints one instead: %w", cell(link.Email), err)
		}
	} else {
		printed.URL = url
	}
	switch {
	case s.json:
		return s.print(printed, "", nil)
	case printed.Mailed:
		return s.printf("A link was mailed to %s. It works once, until %s.\n", cell(printed.Email), printed.ExpiresAt)
	}
	return s.printf("%s\n\nThis link is for %s. It is shown only now, and works once, until %s.\n", printed.URL,
		cell(printed.Email), printed.ExpiresAt)
}

// linkCommand completes a command that makes a link, which needs the address of the
// dashboard.
func linkCommand(
	command *cobra.Command, check func(args []string) error, run func(context.Context, *commandRun) error,
) *cobra.Command {
	return checkedCommand(command, check, func(ctx context.Context, s *commandRun) error {
		if s.config.DashboardURL.URL == nil {
			return errNoDashboardURL
		}
		var err error
		if s.sender, err = s.config.sender(); err != nil {
			return err // before a link is made that could not be shown
		}
		return run(ctx, s)
	})
}

func userInviteCommand() *cobra.Command {
	command := newCommand("invite EMAIL --organization ORG [--role owner|developer|accountant|editor|viewer] | "+
		"invite EMAIL --operator",
		"Make a one-time link by which somebody joins an organization, or operates the installation",
		`emissor user invite ana@example.com --organization org_01m10n7b5xf0stgd3ek65gw866 --role editor
emissor user invite operator@example.com --operator`, cobra.ExactArgs(1))
	organization := command.Flags().String("organization", "", "id of the organization (org_...)")
	role := command.Flags().String("role", "", "owner, developer, accountant, editor or viewer; owner when it is not said")
	completeFlag(command, "role", nfse.MemberRoles...)
	operator := command.Flags().Bool("operator", false, "of the whole installation, in every organization")
	lasts := command.Flags().Duration("lasts", 7*24*time.Hour, "how long the link works")
	var invitation access.Invitation
	return linkCommand(command, func(args []string) (err error) {
		if (*organization == "") != *operator {
			return errors.New("say --organization, or --operator for the whole installation")
		}
		if *operator && *role != "" {
			return errors.New("an operator has no --role")
		}
		invitation.OrganizationID = *organization
		if !*operator {
			invitation.Role = nfse.Role(cmp.Or(*role, string(nfse.RoleOwner)))
			if !slices.Contains(nfse.MemberRoles, invitation.Role) {
				return usage("--role must be owner, developer, accountant, editor or viewer")
			}
		}
		invitation.Email, err = parseEmail(args[0])
		return errors.Join(err, checkLasts(*lasts))
	}, func(ctx context.Context, s *commandRun) error {
		if !*operator {
			if _, err := s.store.Access.Organization(ctx, invitation.OrganizationID); err != nil {
				return err
			}
		}
		text := nfse.NewLinkText()
		link, err := s.changes.Access.Invite(ctx, invitation, text, *lasts)
		if err != nil {
			return err
		}
		return s.printLink(ctx, link, text)
	})
}

func userUninviteCommand() *cobra.Command {
	command := newCommand("uninvite EMAIL --organization ORG | uninvite EMAIL --operator",
		"Withdraw an invitation that was not used",
		"emissor user uninvite ana@example.com --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.ExactArgs(1))
	organization := command.Flags().String("organization", "", "id of the organization (org_...)")
	operator := command.Flags().Bool("operator", false, "the invitation to operate the whole installation")
	var email string
	return checkedCommand(command, func(args []string) (err error) {
		if (*organization == "") != *operator {
			return errors.New("say --organization, or --operator for the whole installation")
		}
		email, err = parseEmail(args[0])
		return err
	}, func(ctx context.Context, s *commandRun) error {
		user, err := s.store.Access.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		if err := s.changes.Access.Uninvite(ctx, user.ID, *organization); err != nil {
			return err
		}
		return s.print(user, "ID\tE-MAIL", [][]any{{user.ID, user.Email}})
	})
}

func parseEmail(text string) (string, error) {
	email, err := nfse.ParseEmail(text)
	if err != nil {
		return "", fmt.Errorf("EMAIL %s", message(err))
	}
	return email, nil
}

func checkLasts(lasts time.Duration) error {
	if lasts < time.Minute || lasts > 30*24*time.Hour {
		return usage("--lasts must be from 1m to 720h")
	}
	return nil
}

var userTable = table[access.ListedUser]{
	"ID\tE-MAIL\tOPERATOR\tMEMBER OF\tPASSKEYS\tSIGNED IN\tCREATED",
	func(u access.ListedUser) []any {
		return []any{u.ID, u.Email, u.Operator, cmp.Or(u.Memberships, "-"), u.Passkeys, orDash(u.SignedInAt),
			u.CreatedAt}
	},
}

func userListCommand() *cobra.Command {
	command := newCommand("list", "List the people of the dashboard",
		"emissor user list", cobra.NoArgs)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		users, err := s.store.Access.Users(ctx)
		return userTable.show(s, users, err)
	})
}

func userLinkCommand() *cobra.Command {
	command := newCommand("link EMAIL",
		"Make a one-time link for an account that has lost its passkeys: those and its sessions end when it is used",
		"emissor user link ana@example.com --lasts 2h", cobra.ExactArgs(1))
	signIn := command.Flags().Bool("sign-in", false, "only sign in once; passkeys and sessions stay")
	lasts := command.Flags().Duration("lasts", 24*time.Hour, "how long the link works")
	var email string
	return linkCommand(command, func(args []string) (err error) {
		email, err = parseEmail(args[0])
		return errors.Join(err, checkLasts(*lasts))
	}, func(ctx context.Context, s *commandRun) error {
		user, err := s.store.Access.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		kind := nfse.LinkRecovery
		if *signIn {
			kind = nfse.LinkSignIn
		}
		text := nfse.NewLinkText()
		link, err := s.changes.Access.CreateLink(ctx, kind, user.ID, "", text, *lasts)
		if err != nil {
			return err
		}
		return s.printLink(ctx, link, text)
	})
}

func userRemoveCommand() *cobra.Command {
	command := newCommand("remove EMAIL", "Remove an account: its memberships, passkeys, sessions and links end",
		"emissor user remove ana@example.com", cobra.ExactArgs(1))
	var email string
	return checkedCommand(command, func(args []string) (err error) {
		email, err = parseEmail(args[0])
		return err
	}, func(ctx context.Context, s *commandRun) error {
		user, err := s.store.Access.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		if err := s.changes.Access.RemoveUser(ctx, user.ID); err != nil {
			return err
		}
		return s.print(user, "ID\tE-MAIL", [][]any{{user.ID, user.Email}})
	})
}
