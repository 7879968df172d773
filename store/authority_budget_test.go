package store_test

import (
	"testing"

	"emissor/store/lifecycle"
	"emissor/test/testkit"
)

func TestCallBudget(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	budget := lifecycle.CallBudget{Authority: "national", Rate: 0.004, Burst: 4} // slow: only pass lets time pass
	take := func(want, expected int) {
		t.Helper()
		granted, err := database.Store.Lifecycle.TakeCalls(t.Context(), budget, want)
		must(t, err)
		if granted != expected {
			t.Errorf("of %d calls %d are granted, expected %d", want, granted, expected)
		}
	}
	// pass lets time pass for the budget.
	pass := func(seconds float64) {
		database.Exec(t, `UPDATE authority_budgets SET refilled_at = refilled_at - make_interval(secs => $1)`, seconds)
	}
	take(3, 3)
	take(3, 1)
	take(1, 0)
	pass(500)
	take(5, 2)

	// What the queue calls is a debt that comes first.
	must(t, database.Store.Lifecycle.SpendCalls(t.Context(), budget, 2))
	pass(250)
	take(1, 0)
	pass(500)
	take(1, 1)
	take(1, 0)

	// No more is saved up than the burst.
	pass(3600_000)
	take(100, 4)
	other := lifecycle.CallBudget{Authority: "another", Rate: 1, Burst: 1}
	if granted, err := database.Store.Lifecycle.TakeCalls(t.Context(), other, 1); err != nil || granted != 1 {
		t.Errorf("another authority has a budget of its own: %d %v", granted, err)
	}
}

// However many draw at once, no more is granted than there is.
func TestCallBudget_Together(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	budget := lifecycle.CallBudget{Authority: "national", Rate: 0.001, Burst: 10}
	granted := together(8, func(int) (granted int) {
		for range 5 {
			calls, err := database.Store.Lifecycle.TakeCalls(t.Context(), budget, 1)
			must(t, err)
			granted += calls
		}
		return granted
	})
	total := 0
	for _, calls := range granted {
		total += calls
	}
	if total != 10 {
		t.Errorf("%d calls were granted of 10", total)
	}
}
