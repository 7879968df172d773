package drift

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
)

// What is new is kept once. What cannot be kept, by an error or a panic, or because too many wait, is when it comes
// again; what came beside it is kept all the same.
func TestWatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var kept []string
		failing, counted := 2, 0
		w := NewWatch(Parse("national\tissue\t201 application/json\nnational\tissue\tobject"),
			func(_ context.Context, one Drift) (bool, error) {
				if failing--; failing == 1 {
					return false, errors.New("the database is away")
				} else if failing == 0 {
					panic("poison")
				}
				kept = append(kept, one.News+" "+one.Copy)
				return true, nil
			}, func(authority, call string) { counted++ }, slog.New(slog.DiscardHandler))
		observe := w.Of("national", National)
		answer := func(body string) { observe("issue", true, 201, "application/json", []byte(body)) }
		ctx, stop := context.WithCancel(t.Context())
		go w.Run(ctx)

		for range 2 {
			answer(`{}`)
			answer(`{"Poison":"Maria"}`)
			answer(`{"Other":{}}`)
			synctest.Wait()
		}
		answer(`{"Another":[]}`)
		answer(`{"Poison":"João"}`)
		synctest.Wait()
		if got := strings.Join(kept, ", "); counted != 3 ||
			got != `.Xxxxxx text {"Xxxxxx":"Xxxxx"}, .Xxxxx object {"Xxxxx":{}}, .Xxxxxxx list {"Xxxxxxx":[]}` {
			t.Errorf("%d are counted, and kept are %s", counted, got)
		}

		stop() // nobody takes what waits any more
		synctest.Wait()
		for i := range 3 * maxWaiting {
			answer(fmt.Sprintf(`{"%s":1}`, strings.Repeat("a", i+1)))
		}
		if len(w.waiting) != maxWaiting || len(w.seen) != 3+maxWaiting {
			t.Errorf("%d wait, %d are seen", len(w.waiting), len(w.seen))
		}
		(*Watch)(nil).Of("national", National)
	})
}
