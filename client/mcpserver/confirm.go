package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// confirmTimeout is how long a person may think.
const confirmTimeout = 10 * time.Minute

// confirm lets an act pass: any with a test key; with a live key only one that was allowed when the
// server was started, and that a person confirms. The person sees what the act is in our words, what
// it is about, and by which company, as people read these.
func (s *server) confirm(
	ctx context.Context, c call, act string, about func(context.Context) ([]line, error),
) error {
	if !s.client.Livemode() {
		return nil
	}
	if !s.options.AllowLive {
		return failure{Code: "live_acts_not_allowed", Message: "the key is live, and this server was started without " +
			"--allow-live: it only reads. Only the person who runs it can change that."}
	}
	if !canAsk(c.session) {
		return failure{Code: "confirmation_not_possible", Message: "with a live key a person confirms each act, and this " +
			"client cannot ask one: it does not support elicitation. Use a client that does, or a test key."}
	}
	lines, err := about(ctx)
	if err != nil {
		return err
	}
	lines = append(lines, line{"Environment", "live, at " + s.client.Base()})
	ctx, cancel := context.WithTimeout(ctx, confirmTimeout)
	defer cancel()
	answer, err := c.session.Elicit(ctx, &mcp.ElicitParams{
		Message: question(act, lines),
		RequestedSchema: closed(object{"confirm": object{"type": "boolean", "title": "Confirm",
			"description": act}}, "confirm"),
	})
	if err != nil {
		return failure{Code: "confirmation_failed", Detail: err.Error(),
			Message: "the client did not bring a person's answer, and nothing was done"}
	}
	if confirmed, _ := answer.Content["confirm"].(bool); answer.Action != "accept" || !confirmed {
		return failure{Code: "not_confirmed", Message: "the person did not confirm, and nothing was done"}
	}
	return nil
}

// canAsk reports whether a client can put a form before a person.
func canAsk(session *mcp.ServerSession) bool {
	hello := session.InitializeParams()
	if hello == nil || hello.Capabilities == nil || hello.Capabilities.Elicitation == nil {
		return false
	}
	kinds := hello.Capabilities.Elicitation
	return kinds.Form != nil || kinds.URL == nil // a client that names no kind means forms
}
