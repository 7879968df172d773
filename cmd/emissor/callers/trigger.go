package callers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/cmd/emissor/cli"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

func TriggerCommand() *cobra.Command {
	events := nfse.EventTypes
	names := cli.Mapped(events, func(event nfse.EventType) string { return string(event) })
	command := cli.NewCommand("trigger "+strings.Join(names, "|"),
		"Have an event happen: a real test note reaches its state, through the API",
		`emissor trigger nfse.issued
emissor trigger nfse.rejected --with reference=order-1001 --with amount_cents=9900
emissor trigger nfse.cancelled --with reason_code=2 --json`, cobra.ExactArgs(1))
	command.Long = command.Short + ".\n\nIt needs a test key in EMISSOR_API_KEY, and makes a test service of its own. " +
		"Webhooks of the test environment receive the event."
	command.ValidArgs = names
	with := command.Flags().StringArray("with", nil, "a field of the request, as amount_cents=100; repeat it for more")
	_ = command.RegisterFlagCompletionFunc("with", cobra.FixedCompletions(triggerFieldNames("="),
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	timeout := cli.TimeoutFlag(command, time.Minute)
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		event := nfse.EventType(s.Args[0])
		if !slices.Contains(events, event) {
			return cli.Usage("there is no event %q: it is one of %s", s.Args[0], strings.Join(names, ", "))
		}
		if s.Client.Livemode() {
			return errors.New("trigger makes test notes only, and EMISSOR_API_KEY is a live key: use a test key (svc_test_...)")
		}
		trigger, err := newTrigger(event, *with)
		if err != nil {
			return err
		}
		ctx, cancel := cli.Within(ctx, *timeout)
		defer cancel()
		note, err := trigger.run(ctx, s.Client)
		if err != nil {
			return err
		}
		return cli.CallerNotes.PrintOne(&s.CommandRun, note)
	})
}

// trigger is a note that is to be brought to the state of an event.
type trigger struct {
	event  nfse.EventType
	body   map[string]any // of the issuance
	cancel client.CancelNfse
}

// triggerFields are what --with can set, each with how its value is read: an error is what it must be. Dots lead into
// objects.
var triggerFields = map[string]func(string) (any, error){
	"reference": asText, "service_id": asText, "amount_cents": asWhole, "service.description": asText,
	"iss_withheld": asBoolean, "customer_id": asText, "customer.document": asText, "customer.name": asText,
	"customer.municipality_code": asText, "customer.address.zip_code": asText, "customer.address.street_type": asText,
	"customer.address.street": asText, "customer.address.number": asText, "customer.address.district": asText,
	"customer.address.complement": asText,
	// Of the cancellation, which is sent after the note was issued.
	"reason_code": ruled(catalogue.ReasonCode), "reason_text": ruled(catalogue.ReasonText),
}

// ruled reads a text by the API's rule of it.
func ruled(rule func(string) (string, error)) func(string) (any, error) {
	return func(value string) (any, error) {
		text, err := rule(value)
		return text, err
	}
}

func asText(value string) (any, error) { return value, nil }

func asWhole(value string) (any, error) {
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return nil, errors.New("must be a whole number")
	}
	return number, nil
}

func asBoolean(value string) (any, error) {
	is, err := strconv.ParseBool(value)
	if err != nil {
		return nil, errors.New("must be true or false")
	}
	return is, nil
}

// triggerFieldNames lists them, each with what follows it.
func triggerFieldNames(suffix string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(triggerFields)) {
		names = append(names, name+suffix)
	}
	return names
}

// newTrigger makes the requests that lead to an event, with what --with says in place of what
// they have otherwise.
func newTrigger(event nfse.EventType, with []string) (trigger, error) {
	t := trigger{event: event, cancel: client.CancelNfse{ReasonCode: "9", ReasonText: "Cancelled by emissor trigger."}}
	t.body = map[string]any{
		"reference": "trigger-" + strings.TrimPrefix(nfse.NewID(nfse.PrefixNote), string(nfse.PrefixNote)),
		"customer": map[string]any{"document": "529.982.247-25", "name": "Maria da Silva", "address": map[string]any{
			"zip_code": "01310-100", "street": "Avenida Paulista", "number": "1578", "district": "Bela Vista"}},
	}
	if event == nfse.EventRejected {
		t.body["sandbox_scenario"] = nfse.ScenarioRejected
	}
	var names []string
	for _, field := range with {
		name, text, said := strings.Cut(field, "=")
		read, known := triggerFields[name]
		if !said || !known {
			return t, cli.Usage("--with must be FIELD=VALUE, and FIELD one of %s",
				strings.Join(triggerFieldNames(""), ", "))
		}
		if err := triggerTakes(event, name, names); err != nil {
			return t, err
		}
		names = append(names, name)
		value, err := read(text)
		if err != nil {
			return t, cli.Usage("--with %s: the value %w", name, err)
		}
		t.set(name, value)
	}
	return t, nil
}

// triggerTakes refuses a field that would be dropped, or that would drop one of those before it.
func triggerTakes(event nfse.EventType, name string, before []string) error {
	if slices.Contains(before, name) {
		return cli.Usage("--with %s is there twice", name)
	}
	if strings.HasPrefix(name, "reason_") && event != nfse.EventCancelled {
		return cli.Usage("--with %s is of a cancellation, and %s has none: use nfse.cancelled", name, event)
	}
	for _, other := range before {
		for _, two := range [][2]string{{name, other}, {other, name}} {
			if two[0] == "customer_id" && strings.HasPrefix(two[1], "customer.") {
				return cli.Usage("--with customer_id names a customer on record, and --with %s is of another one: "+
					"give one of the two", two[1])
			}
		}
	}
	return nil
}

// set sets a field by its dotted name.
func (t *trigger) set(name string, value any) {
	switch name {
	case "reason_code":
		t.cancel.ReasonCode = client.ReasonCode(value.(string))
		return
	case "reason_text":
		t.cancel.ReasonText = value.(string)
		return
	case "customer_id":
		delete(t.body, "customer")
	}
	object, path := t.body, strings.Split(name, ".")
	for _, step := range path[:len(path)-1] {
		inner, is := object[step].(map[string]any)
		if !is {
			inner = map[string]any{}
			object[step] = inner
		}
		object = inner
	}
	object[path[len(path)-1]] = value
}

// run brings the note to its state.
func (t *trigger) run(ctx context.Context, api *client.Client) (client.Nfse, error) {
	if t.body["service_id"] == nil {
		service, err := triggerService(ctx, api)
		if err != nil {
			return client.Nfse{}, err
		}
		t.body["service_id"] = service.ID
		if t.body["amount_cents"] == nil {
			t.body["amount_cents"] = service.DefaultAmountCents
		}
	}
	accepted, err := api.Issue(ctx, t.body)
	if err != nil {
		return client.Nfse{}, err
	}
	note, err := api.WaitForEnd(ctx, accepted.ID)
	if err == nil && t.event == nfse.EventCancelled && note.Status == client.NfseStatusIssued {
		if note, err = api.CancelNote(ctx, note.ID, t.cancel); err == nil {
			note, err = api.WaitSettled(ctx, note.ID)
		}
	}
	if err != nil {
		return note, fmt.Errorf("%s was accepted: %w", accepted.ID, err)
	}
	if wanted := "nfse." + string(note.Status); wanted != string(t.event) {
		return note, fmt.Errorf("%s is %s, so that %s does not happen: was its reference used before?", note.ID, note.Status,
			t.event)
	}
	return note, nil
}

// triggerServiceName is by which trigger knows the test service that it made before.
const triggerServiceName = "emissor trigger"

// triggerService finds the test service of its own, or makes it: it expires after thirty days.
func triggerService(ctx context.Context, api *client.Client) (client.Service, error) {
	page := client.Page{Limit: 100}
	for {
		services, err := api.Services(ctx, page)
		if err != nil {
			return client.Service{}, err
		}
		for _, service := range services.Data {
			if service.Name == triggerServiceName && service.Active {
				return service, nil
			}
		}
		if services.NextCursor == nil {
			break
		}
		page.StartingAfter = *services.NextCursor
	}
	return api.CreateService(ctx, client.CreateService{Name: triggerServiceName,
		Description: "Serviço de teste de emissor trigger", MunicipalityCode: "3550308", DefaultAmountCents: 10000,
		NationalTaxCode: new("010701")})
}
