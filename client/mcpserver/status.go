package mcpserver

import (
	"context"

	"emissor/client"
	"emissor/nfse"
)

func (s *server) addStatusTool() {
	add(s, tool{name: "show_status", title: "Show the status of the service",
		description: "Says whether the API answers and takes the key, which environment the key is of, what may be done " +
			"here, and how the newest 100 notes stand: notes that stay in processing for long wait for the authority, or " +
			"for something that a person must give in the dashboard.",
		output: object{
			"health":      oneOf("whether the API and its database answer", "ok", "out"),
			"environment": oneOf("of the key", "test", "live"),
			"api":         plain("address of the API"), "key_accepted": flag,
			"acts": oneOf("whether this server does more than reading", "allowed", "with_confirmation", "not_allowed"),
			"notes": open(object{"looked_at": count, "by_status": object{"type": "object"},
				"oldest_open":      orNull(open(object{"id": someText, "status": status, "created_at": someText})),
				"newest_issued_at": optionalText, "newest_rejected_at": optionalText}),
		}},
		func(ctx context.Context, c call, _ struct{}) (object, error) {
			result := object{"health": "ok", "environment": nfse.Environment(s.client.Livemode()), "api": s.client.Base(),
				"acts": s.acts(c), "key_accepted": false}
			if err := s.client.Health(ctx); err != nil {
				result["health"], result["error"] = "out", failureOf(err)
				return result, nil
			}
			notes, err := s.client.Notes(ctx, client.Page{Limit: searchPage})
			if err != nil {
				result["error"] = failureOf(err)
				return result, nil
			}
			result["key_accepted"], result["notes"] = true, standing(notes.Data)
			return result, nil
		})
}

// acts says whether this server does more than reading, for this client.
func (s *server) acts(c call) string {
	switch {
	case !s.client.Livemode():
		return "allowed"
	case s.options.AllowLive && canAsk(c.session):
		return "with_confirmation"
	}
	return "not_allowed"
}

// standing is how notes stand, newest first: what a key can see of the authority's answers.
func standing(notes []client.Nfse) object {
	byStatus := map[client.NfseStatus]int{}
	var oldestOpen, issuedAt, rejectedAt any
	for _, note := range notes {
		byStatus[note.Status]++
		switch {
		case !note.Status.Terminal():
			oldestOpen = object{"id": note.ID, "status": note.Status, "created_at": note.CreatedAt}
		case note.IssuedAt != nil && issuedAt == nil:
			issuedAt = note.IssuedAt
		case note.RejectedAt != nil && rejectedAt == nil:
			rejectedAt = note.RejectedAt
		}
	}
	return object{"looked_at": len(notes), "by_status": byStatus, "oldest_open": oldestOpen, "newest_issued_at": issuedAt,
		"newest_rejected_at": rejectedAt}
}
