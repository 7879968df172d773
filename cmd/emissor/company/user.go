package company

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/serve"
	accesspages "emissor/dashboard/access"
	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/access"
)

func UserCommand() *cobra.Command {
	return cli.CommandGroup("user", "Manage the people of the dashboard",
		userInviteCommand(), userUninviteCommand(), userListCommand(), userLinkCommand(), userRemoveCommand())
}

// PrintedLink is a one-time link as commands show it, once.
type PrintedLink struct {
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
func printLink(ctx context.Context, s *cli.CommandRun, link access.Link, text string) error {
	printed := PrintedLink{
		Kind: link.Kind, UserID: link.UserID, Email: link.Email, Mailed: s.Sender != nil,
		OrganizationID: link.OrganizationID, Role: link.Role, Operator: link.Operator, ExpiresAt: link.ExpiresAt,
	}
	url := frame.LinkURL(s.Config.DashboardURL.URL, text)
	if printed.Mailed {
		if err := accesspages.MailLink(ctx, s.Store, s.Sender, link, url); err != nil {
			return fmt.Errorf("the link could not be mailed to %s, and nobody has it; with EMISSOR_SMTP_URL empty "+
				"this command prints one instead: %w", cli.Cell(link.Email), err)
		}
	} else {
		printed.URL = url
	}
	switch {
	case s.Json:
		return s.Print(printed, "", nil)
	case printed.Mailed:
		return s.Printf("A link was mailed to %s. It works once, until %s.\n", cli.Cell(printed.Email), printed.ExpiresAt)
	}
	return s.Printf("%s\n\nThis link is for %s. It is shown only now, and works once, until %s.\n", printed.URL,
		cli.Cell(printed.Email), printed.ExpiresAt)
}

// linkCommand completes a command that makes a link, which needs the address of the
// dashboard.
func linkCommand(
	command *cobra.Command, check func(args []string) error, run func(context.Context, *cli.CommandRun) error,
) *cobra.Command {
	return cli.CheckedCommand(command, check, func(ctx context.Context, s *cli.CommandRun) error {
		if s.Config.DashboardURL.URL == nil {
			return serve.ErrNoDashboardURL
		}
		var err error
		if s.Sender, err = s.Config.Sender(); err != nil {
			return err // before a link is made that could not be shown
		}
		return run(ctx, s)
	})
}

func userInviteCommand() *cobra.Command {
	command := cli.NewCommand("invite EMAIL --organization ORG [--role owner|developer|accountant|editor|viewer] | "+
		"invite EMAIL --operator",
		"Make a one-time link by which somebody joins an organization, or operates the installation",
		`emissor user invite ana@example.com --organization org_01m10n7b5xf0stgd3ek65gw866 --role editor
emissor user invite operator@example.com --operator`, cobra.ExactArgs(1))
	organization := command.Flags().String("organization", "", "id of the organization (org_...)")
	role := command.Flags().String("role", "", "owner, developer, accountant, editor or viewer; owner when it is not said")
	cli.CompleteFlag(command, "role", nfse.MemberRoles...)
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
				return cli.Usage("--role must be owner, developer, accountant, editor or viewer")
			}
		}
		invitation.Email, err = parseEmail(args[0])
		return errors.Join(err, checkLasts(*lasts))
	}, func(ctx context.Context, s *cli.CommandRun) error {
		if !*operator {
			if _, err := s.Store.Access.Organization(ctx, invitation.OrganizationID); err != nil {
				return err
			}
		}
		text := nfse.NewLinkText()
		link, err := s.Changes.Access.Invite(ctx, invitation, text, *lasts)
		if err != nil {
			return err
		}
		return printLink(ctx, s, link, text)
	})
}

func userUninviteCommand() *cobra.Command {
	command := cli.NewCommand("uninvite EMAIL --organization ORG | uninvite EMAIL --operator",
		"Withdraw an invitation that was not used",
		"emissor user uninvite ana@example.com --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.ExactArgs(1))
	organization := command.Flags().String("organization", "", "id of the organization (org_...)")
	operator := command.Flags().Bool("operator", false, "the invitation to operate the whole installation")
	var email string
	return cli.CheckedCommand(command, func(args []string) (err error) {
		if (*organization == "") != *operator {
			return errors.New("say --organization, or --operator for the whole installation")
		}
		email, err = parseEmail(args[0])
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		user, err := s.Store.Access.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		if err := s.Changes.Access.Uninvite(ctx, user.ID, *organization); err != nil {
			return err
		}
		return s.Print(user, "ID\tE-MAIL", [][]any{{user.ID, user.Email}})
	})
}

func parseEmail(text string) (string, error) {
	email, err := nfse.ParseEmail(text)
	if err != nil {
		return "", fmt.Errorf("EMAIL %s", cli.Message(err))
	}
	return email, nil
}

func checkLasts(lasts time.Duration) error {
	if lasts < time.Minute || lasts > 30*24*time.Hour {
		return cli.Usage("--lasts must be from 1m to 720h")
	}
	return nil
}

var userTable = cli.Table[access.ListedUser]{
	Header: "ID\tE-MAIL\tOPERATOR\tMEMBER OF\tPASSKEYS\tSIGNED IN\tCREATED",
	Row: func(u access.ListedUser) []any {
		return []any{u.ID, u.Email, u.Operator, cmp.Or(u.Memberships, "-"), u.Passkeys, cli.OrDash(u.SignedInAt),
			u.CreatedAt}
	},
}

func userListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List the people of the dashboard",
		"emissor user list", cobra.NoArgs)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		users, err := s.Store.Access.Users(ctx)
		return userTable.Show(s, users, err)
	})
}

func userLinkCommand() *cobra.Command {
	command := cli.NewCommand("link EMAIL",
		"Make a one-time link for an account that has lost its passkeys: those and its sessions end when it is used",
		"emissor user link ana@example.com --lasts 2h", cobra.ExactArgs(1))
	signIn := command.Flags().Bool("sign-in", false, "only sign in once; passkeys and sessions stay")
	lasts := command.Flags().Duration("lasts", 24*time.Hour, "how long the link works")
	var email string
	return linkCommand(command, func(args []string) (err error) {
		email, err = parseEmail(args[0])
		return errors.Join(err, checkLasts(*lasts))
	}, func(ctx context.Context, s *cli.CommandRun) error {
		user, err := s.Store.Access.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		kind := nfse.LinkRecovery
		if *signIn {
			kind = nfse.LinkSignIn
		}
		text := nfse.NewLinkText()
		link, err := s.Changes.Access.CreateLink(ctx, kind, user.ID, "", text, *lasts)
		if err != nil {
			return err
		}
		return printLink(ctx, s, link, text)
	})
}

func userRemoveCommand() *cobra.Command {
	command := cli.NewCommand("remove EMAIL", "Remove an account: its memberships, passkeys, sessions and links end",
		"emissor user remove ana@example.com", cobra.ExactArgs(1))
	var email string
	return cli.CheckedCommand(command, func(args []string) (err error) {
		email, err = parseEmail(args[0])
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		user, err := s.Store.Access.UserByEmail(ctx, email)
		if err != nil {
			return err
		}
		if err := s.Changes.Access.RemoveUser(ctx, user.ID); err != nil {
			return err
		}
		return s.Print(user, "ID\tE-MAIL", [][]any{{user.ID, user.Email}})
	})
}
