package doctor

import (
	"context"
	"strings"
	"time"

	"emissor/nfse/fact"
)

// longRetention is from what on the namespace keeps ended runs for much longer than anybody looks at one.
const longRetention = 30 * 24 * time.Hour

// engine checks that the engine answers, and that its namespace is as a worker needs it.
func (d *Doctor) engine(ctx context.Context) (found []Finding, err error) {
	if d.Engine == nil {
		return []Finding{skipped(Engine, fact.DoctorElsewhere.Fact())}, nil
	}
	namespace, err := d.Engine(ctx)
	if err != nil {
		return []Finding{problem(Engine, fact.DoctorEngineAway.With("why", broke(err)), fact.DoctorDoEngine.Fact())}, nil
	}
	hours := int(namespace.Retention.Hours())
	if len(namespace.Missing) > 0 {
		found = append(found, problem(Engine,
			fact.DoctorAttributesMissing.With("names", strings.Join(namespace.Missing, ", ")),
			fact.DoctorDoMigrate.Fact()))
	}
	if namespace.Unseen {
		found = append(found, warning(Engine, fact.DoctorAttributesUnseen.Fact(), fact.DoctorDoAttributes.Fact()))
	}
	if namespace.Retention >= longRetention {
		found = append(found, warning(Engine, fact.DoctorRetentionLong.With("hours", hours),
			fact.DoctorDoRetention.Fact()))
	}
	switch {
	case len(found) > 0:
	case hours == 0:
		found = append(found, good(Engine, fact.DoctorEngineAnswers.Fact()))
	default:
		found = append(found, good(Engine, fact.DoctorEngineGood.With("hours", hours)))
	}
	return found, nil
}
