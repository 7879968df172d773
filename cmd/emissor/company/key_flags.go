package company

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
)

// keyFlags are what may be chosen of a key, as given on the command line.
type keyFlags struct {
	label, expires string
	networks       []string
	nfse.Defaults
}

// The words that remove a limit of a key.
const (
	neverExpires = "never"
	anyNetwork   = "any"
)

// add adds the flags to the command.
func (f *keyFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.label, "label", "", "what the key is for, for people; it shows in histories, so name no person")
	flags.StringVar(&f.expires, "expires", neverExpires,
		"when the key ends by itself: in 12h or 90d, at 2027-11-21T08:00:00Z, or never")
	flags.StringSliceVar(&f.networks, "allow-network", []string{anyNetwork},
		"network (CIDR, IPv4 or IPv6) or address from which the key may be used; repeat it for more; "+
			"together they replace those before; any lifts the limit")
	cli.CompleteFlag(command, "expires", neverExpires)
	cli.CompleteFlag(command, "allow-network", anyNetwork)
	flags.BoolVar(&f.EmailCustomer, "email-customer", false,
		"send the customer an e-mail after authorization (live only)")
	flags.BoolVar(&f.RegisterLedger, "register-ledger", false, "register a ledger entry at closing (live only)")
	flags.BoolVar(&f.ConfirmMunicipalOperation, "confirm-municipal-operation", false,
		"confirm the default municipal operation where the authority has one (live only)")
}

// change puts what was given into the key.
func (f *keyFlags) change(key *nfse.APIKey, given func(flag string) bool, now time.Time) error {
	for _, part := range []struct {
		flag string
		set  func() error
	}{
		{"label", func() error { key.Label = f.label; return nil }},
		{"expires", func() (err error) { key.ExpiresAt, err = f.expiry(now); return err }},
		{"allow-network", func() (err error) { key.AllowedNetworks, err = f.allowed(); return err }},
		{"email-customer", func() error { key.EmailCustomer = f.EmailCustomer; return nil }},
		{"register-ledger", func() error { key.RegisterLedger = f.RegisterLedger; return nil }},
		{"confirm-municipal-operation", func() error {
			key.ConfirmMunicipalOperation = f.ConfirmMunicipalOperation
			return nil
		}},
	} {
		if !given(part.flag) {
			continue
		}
		if err := part.set(); err != nil {
			return cli.Usage("--%s %w", part.flag, err)
		}
	}
	return nil
}

func (f *keyFlags) expiry(now time.Time) (*nfse.Timestamp, error) {
	if f.expires == neverExpires {
		return nil, nil
	}
	moment, err := cli.ParseUntil(f.expires, now)
	return &nfse.Timestamp{Time: moment}, err
}

func (f *keyFlags) allowed() (networks nfse.Networks, err error) {
	if len(f.networks) == 1 && f.networks[0] == anyNetwork {
		return nil, nil
	}
	if len(f.networks) == 0 { // perhaps from a variable that is not set: that removes no limit
		return nil, fmt.Errorf("must name a network, or be %s", anyNetwork)
	}
	for _, text := range f.networks {
		network, err := nfse.ParseNetwork(text)
		if err != nil {
			return nil, fmt.Errorf("%q %w", text, err)
		}
		networks = append(networks, network)
	}
	return networks, nil
}
