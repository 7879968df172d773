package series

import (
	"context"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// answers are what an authority says to each question in turn.
type answers []fiscal.Numbers

func (a *answers) FindNumbers(context.Context, fiscal.Access, nfse.FiscalProfile, []int64) fiscal.Numbers {
	next := (*a)[0]
	*a = (*a)[1:]
	return next
}

func (*answers) MaxNumbers() int                   { return 2 }
func (*answers) Capabilities() fiscal.Capabilities { return fiscal.Capabilities{GreatestNumber: 4} }

// What is said to several questions is put together; one that is answered by nothing ends it, so that
// nobody takes a number for free that was not asked about.
func TestAsk(t *testing.T) {
	t.Parallel()
	why := fact.CallNotMade.Fact()
	said := answers{
		{Used: []int64{1}, Free: []int64{2}, Documents: map[int64]string{1: "77"}},
		{Free: []int64{3}, Reason: why},
		{Reason: why},
	}
	questions := [][]int64{{1, 2}, {3, 4}}
	all, err := ask(t.Context(), &said, fiscal.Access{}, nfse.FiscalProfile{}, questions)
	if err != nil || !slices.Equal(all.Used, []int64{1}) || !slices.Equal(all.Free, []int64{2, 3}) ||
		all.Documents[1] != "77" || all.Reason.English() != why.English() {
		t.Errorf("it says %+v, %v", all, err)
	}
	_, err = ask(t.Context(), &said, fiscal.Access{}, nfse.FiscalProfile{}, questions)
	if err == nil || !strings.Contains(err.Error(), why.English()) {
		t.Errorf("an authority that says nothing is %v", err)
	}
}

func TestCheckTakesTurns(t *testing.T) {
	t.Parallel()
	for authority, takes := range map[string]bool{"sao-paulo": true, "national": false} {
		if err := CheckTakesTurns(nfse.FiscalProfile{Authority: authority}); (err == nil) != takes {
			t.Errorf("%s: %v", authority, err)
		}
	}
}
