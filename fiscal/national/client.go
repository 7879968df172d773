package national

import (
	"context"

	"emissor/fiscal"
)

type client struct{ options Options }

func newClient(options Options) (*client, error) { return &client{options}, nil }

func (c *client) issue(context.Context, fiscal.Session, fiscal.Rendering) fiscal.Answer {
	panic("placeholder")
}
func (c *client) find(context.Context, fiscal.Session, string) fiscal.Answer { panic("placeholder") }
func (c *client) cancel(context.Context, fiscal.Session, string, fiscal.Rendering) fiscal.CancelAnswer {
	panic("placeholder")
}
func (c *client) findCancellation(context.Context, fiscal.Session, string) fiscal.CancelAnswer {
	panic("placeholder")
}
