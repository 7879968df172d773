package dashboard

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	accesspages "emissor/dashboard/access"
	companypages "emissor/dashboard/companies"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/internal/limit"
	"emissor/internal/web"
	"emissor/internal/webhook"
	"emissor/issuing/catalogue"
)

// CheckURL says what is wrong with the address of a dashboard.
func CheckURL(address *url.URL) error {
	switch {
	case address.Scheme != "https" && address.Scheme != "http" || address.Hostname() == "":
		return errors.New("must look like https://notas.example.com")
	case address.Path != "" && address.Path != "/" || address.RawQuery != "" || address.Fragment != "" ||
		address.User != nil:
		return errors.New("must be a scheme and a host, without a path")
	case address.Scheme == "http" && address.Hostname() != "localhost":
		return errors.New("must begin with https:// unless its host is localhost: browsers have no passkeys elsewhere")
	}
	if _, err := netip.ParseAddr(address.Hostname()); err == nil {
		return errors.New("must have a name and not an IP address, which passkeys do not take")
	}
	if !asBrowsersSay(address) {
		return errors.New("must be written as browsers do: in lower case, without the scheme's own port, and names " +
			"with accents as xn--…; passkeys compare it letter by letter")
	}
	return nil
}

// asBrowsersSay reports whether an origin is written as browsers send it.
func asBrowsersSay(address *url.URL) bool {
	port := map[string]string{"http": ":80", "https": ":443"}[address.Scheme]
	return strings.Trim(address.Host, "abcdefghijklmnopqrstuvwxyz0123456789-.:") == "" &&
		!strings.HasSuffix(address.Host, port) && !strings.HasSuffix(address.Host, ":") &&
		!strings.HasSuffix(address.Hostname(), ".")
}

// New makes the dashboard.
func New(options frame.Options) (*frame.Dashboard, error) {
	if err := CheckURL(options.URL); err != nil {
		return nil, err
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	d := &frame.Dashboard{
		Options: options, Store: options.Store,
		Requests: web.Requests{Name: "page", Metrics: options.Metrics, Logger: options.Logger,
			Proxies: options.TrustedProxies, Traces: options.Traces},
		Tries:     limit.New[string](float64(options.Tries)/60, options.Tries),
		Limits:    newLimits(),
		Forwarded: web.NewForwarded(options.PerAddress, options.TrustedProxies), Known: newKnownSessions(),
		UnderWay:      limit.NewAtOnce[frame.SessionHash](options.PerAddress),
		Database:      web.NewCheck(func(ctx context.Context) error { return options.Store.Ping(ctx) }),
		Drawing:       make(chan struct{}, notepages.MostDrawn),
		WebhookClient: webhook.NewClient(options.Webhooks),
		Filling:       limit.New[string](fillsPerSecond, fillsAtOnce),
		Catalogue:     catalogue.New(options.Store, options.Resolver),
		Opening:       make(chan struct{}, companypages.MostOpened), OpeningTime: companypages.OpeningTime,
		Openers: limit.NewAtOnce[string](1), Sheets: limit.NewAtOnce[string](1),
	}
	d.Sessions = newSessions(d)
	var err error
	if d.Passkeys, err = newPasskeys(options.URL); err != nil {
		return nil, err
	}
	if d.SignOn, err = accesspages.NewSignOn(options.OIDC, options.URL, options.Now); err != nil {
		return nil, err
	}
	d.Pages, err = parseTemplates()
	return d, err
}

// Handler routes the pages. The outermost handler gets a request first.
func Handler(d *frame.Dashboard) http.Handler {
	mux := http.NewServeMux()
	for _, route := range allRoutes(d) {
		mux.Handle(route.Pattern(), serve(d, route))
	}
	return secured(d, boundStrangers(d, compressed(mux)))
}
