package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/postgres"
	"emissor/store/received"
	"emissor/test/testkit"
)

// newDistribution makes the distribution of a tenant's issuer.
func newDistribution(t *testing.T) (n tenancy, d received.Distribution) {
	t.Helper()
	n = newTenant(t)
	return n, n.distribution(t)
}

// What an authority distributes may be anything: an entry that the database does not take
// is on record with a problem and its bytes, those around it are as they are, and the
// position moves on.
func TestSaveBatch_PoisonEntry(t *testing.T) {
	t.Parallel()
	random := func(characters int) string {
		text := make([]byte, characters)
		for i := range text {
			text[i] = byte('!' + rand.IntN(90))
		}
		return string(text)
	}
	document := func(position int64, key string, check func() fact.Fact) fiscal.Distributed {
		return fiscal.Distributed{Position: position, AccessKey: key, Content: []byte("<NFSe>"),
			Document: &fiscal.ExternalDocument{MunicipalityCode: "3304557", Series: 1, Number: 9,
				SignatureProblem: check}}
	}
	unsigned := func() fact.Fact { return fact.Fact{} }
	for name, poison := range map[string]func() fiscal.Distributed{
		"a NUL": func() fiscal.Distributed {
			item := happened(12, "305103", 1, "")
			item.Event.ReasonText = "a\x00b"
			return item
		},
		"a NUL in what it is about": func() fiscal.Distributed {
			item := happened(12, "305103", 1, "")
			item.AccessKey = "a\x00b"
			return item
		},
		"no text in what it is about": func() fiscal.Distributed { return document(12, "\xff", unsigned) },
		"no UTF-8": func() fiscal.Distributed {
			item := happened(12, "305103", 1, "")
			item.Event.ReasonText = "\xff\xfe"
			return item
		},
		"a NUL in a fact": func() fiscal.Distributed {
			item := happened(12, "305103", 1, "")
			item.Title = fact.InWords("a\x00b")
			return item
		},
		"too long for an index": func() fiscal.Distributed {
			item := happened(12, "305103", 1, "")
			item.AccessKey = random(9000)
			return item
		},
		"an effect that is none": func() fiscal.Distributed {
			item := happened(12, "305103", 1, "")
			item.Event.Effect = "explodes"
			return item
		},
		"a document that does not fit": func() fiscal.Distributed {
			item := document(12, "34", unsigned)
			item.Document.MessageID = "\x00"
			return item
		},
		"a signature that panics": func() fiscal.Distributed {
			return document(12, "35", func() fact.Fact { panic("a poison row") })
		},
		"nothing at all": func() fiscal.Distributed {
			return fiscal.Distributed{Position: 12, Problem: fact.UnreadFails.Fact()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			n, d := newDistribution(t)
			n.Exec(t, `INSERT INTO fiscal_sequences (authority, production, tax_id, municipality_code, series,
				last_number)
				VALUES ($1, $2, $3, '3304557', 1, 0)`, d.Authority, d.Production, string(d.TaxID))
			item := poison()
			items := []fiscal.Distributed{happened(11, "305101", 1, ""), item, happened(13, "305102", 1, "")}
			stored, err := n.Store.Received.SaveBatch(t.Context(), d, fiscal.Batch{Outcome: fiscal.BatchRead, Items: items})
			must(t, err)
			if after := n.readDistribution(t); after.Position != 13 || !after.Problem.None() ||
				len(stored.Events) != 3 ||
				len(stored.Flagged) != 1 || stored.Flagged[0].Position != 12 {
				t.Errorf("%+v, the distribution is %+v", stored, after)
			}
			if neighbours := n.Count(t, `SELECT count(*) FROM external_events
				WHERE problem IS NULL AND type IN ('305101', '305102')`); neighbours != 2 {
				t.Errorf("%d neighbours are stored", neighbours)
			}
			if flagged := n.Count(t, `SELECT count(*) FROM external_events
				WHERE problem IS NOT NULL AND type IS NULL AND content = $1`,
				append([]byte{}, item.Content...)); flagged != 1 {
				t.Errorf("%d are flagged", flagged)
			}
		})
	}
}

// One that takes for ever counts as the database's fault at first, and nothing is stored;
// and as the entry's after several batches that took too long.
func TestSaveBatch_PoisonHangs(t *testing.T) {
	n, d := newDistribution(t)
	impatient, err := store.Open(t.Context(), postgres.Config{URL: n.As(testkit.Roles.Worker), MaxConnections: 2,
		StatementTimeout: hangTime, Rows: postgres.Rows{Timeout: hangTime}, Application: "emissor-test"})
	must(t, err)
	t.Cleanup(func() { _ = impatient.Close() })
	n.Exec(t, `CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$`)
	n.Exec(t, `CREATE TRIGGER hang BEFORE INSERT ON external_events FOR EACH ROW WHEN (NEW.type = '305103')
		EXECUTE FUNCTION hang()`)
	batch := fiscal.Batch{Outcome: fiscal.BatchRead, Items: []fiscal.Distributed{
		happened(11, "305101", 1, ""), happened(12, "305103", 1, ""), happened(13, "305102", 1, "")}}
	failures := 0
	for {
		stored, err := impatient.Received.SaveBatch(t.Context(), d, batch)
		if err == nil {
			if failures != 3 || len(stored.Flagged) != 1 || len(stored.Events) != 3 || len(stored.Refused) != 1 {
				t.Errorf("after %d failures: %+v", failures, stored)
			}
			break
		}
		if !postgres.TookTooLong(err) || n.Count(t, `SELECT count(*) FROM external_events`) != 0 {
			t.Fatalf("after %d failures: %v", failures, err)
		}
		_, _, err = impatient.Received.FailDistribution(t.Context(), d.ID, fact.FailedHere.Fact())
		must(t, err)
		failures++
		d = n.readDistribution(t)
	}
	// AutoFixed, and read again from the begin, it is what it is.
	n.Exec(t, `DROP TRIGGER hang ON external_events; UPDATE distributions SET position = 0`)
	stored, err := n.Store.Received.SaveBatch(t.Context(), n.readDistribution(t), batch)
	must(t, err)
	if len(stored.Events) != 1 || stored.Events[0].Event.Type != "305103" {
		t.Errorf("read again: %+v", stored)
	}
}

// An event that cannot be given to its note costs the next ones nothing, and is tried
// again with every batch.
func TestSaveBatch_PoisonLink(t *testing.T) {
	n, d := newDistribution(t)
	live := n.inLive(t)
	var notes []string
	for i, key := range []string{"k0", "k1", "k2"} {
		note := live.begin(t, fmt.Sprint("order-", i))
		notes = append(notes, note)
		_, err := live.settleIssued(t, n.Store, note)
		must(t, err)
		n.Exec(t, `UPDATE notes SET access_key = $2 WHERE id = $1`, note, key)
		n.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, access_key, xml, issued_at)
			VALUES ($1, 'issue', 'accepted', $2, $3, $4, '3304557', 1, $5, '{}', '', '', now())`,
			note, d.Authority, d.Production, string(d.TaxID), i+1)
	}
	n.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE 'a poison row'; END $$`)
	n.Exec(t, `CREATE TRIGGER refuse BEFORE UPDATE ON external_events FOR EACH ROW WHEN (NEW.access_key = 'k1')
		EXECUTE FUNCTION refuse()`)
	var items []fiscal.Distributed
	for i, key := range []string{"k0", "k1", "k2"} {
		item := happened(int64(i+1), "305101", 1, "")
		item.AccessKey = key
		items = append(items, item)
	}
	stored, err := n.Store.Received.SaveBatch(t.Context(), d, fiscal.Batch{Outcome: fiscal.BatchRead, Items: items})
	must(t, err)
	if len(stored.Refused) != 1 || !strings.Contains(stored.Refused[0].Error(), "a poison row") || stored.Woken != 2 {
		t.Errorf("%+v", stored)
	}
	linked := func() (linked []string) {
		must(t, n.SQL.Select(&linked, `SELECT note_id FROM external_events WHERE note_id IS NOT NULL ORDER BY id`))
		return linked
	}
	if got := linked(); !slices.Equal(got, []string{notes[0], notes[2]}) {
		t.Errorf("linked are %v", got)
	}
	n.Exec(t, `DROP TRIGGER refuse ON external_events`)
	_, err = n.Store.Received.SaveBatch(t.Context(), n.readDistribution(t), fiscal.Batch{Outcome: fiscal.BatchCaughtUp})
	must(t, err)
	if got := linked(); len(got) != 3 {
		t.Errorf("linked are %v", got)
	}
}
