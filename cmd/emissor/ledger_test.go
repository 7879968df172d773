package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/books"
	"emissor/store/lifecycle"
	"emissor/test/testkit"
)

func TestLedgerCommand_List(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	key, other := bookkept(t, database), bookkept(t, database)
	s := settingsOf(database).withoutTemporal()
	note := issueLive(t, database, key, "a")
	foreign := issueLive(t, database, other, "a")
	request := lifecycle.NewCancellation{Key: key, RequestID: nfse.NewID(nfse.PrefixRequest), ReasonCode: "1",
		ReasonText: "Erro na emissão"}
	_, _, err := database.Changes().Lifecycle.RequestCancellation(t.Context(), note, request)
	must(t, err)
	_, err = database.Store.Lifecycle.AcceptCancellation(t.Context(), note, request.RequestID)
	must(t, err)

	entries := printed[[]books.LedgerEntry](t, s, "ledger", "list", "--organization", key.OrganizationID, "--since",
		"1h")
	if len(entries) != 2 || entries[0].NoteID != note || entries[0].Kind != books.LedgerIssued ||
		entries[0].AmountCents != 123456 || entries[0].Competence != nfse.DayOf(time.Now()) ||
		entries[1].Kind != books.LedgerReversed || entries[1].AmountCents != -123456 {
		t.Errorf("the ledger is %+v", entries)
	}
	if entries[0].Totals != nil {
		t.Errorf("a document without totals has %+v", entries[0].Totals)
	}
	database.Exec(t, `UPDATE notes SET authority_totals = '{"total_cents": 123406, "irrf_cents": 50}' WHERE id = $1`,
		note)
	table := succeeds(t, s, "ledger", "list", "--organization", key.OrganizationID)
	for _, part := range []string{note, "COMPETENCE", "issued", "1234.56", "reversed", "-1234.56", "CHARGED", "NET",
		"WITHHELD"} {
		if !strings.Contains(table, part) {
			t.Errorf("the table lacks %q:\n%s", part, table)
		}
	}
	for i, want := range [][]string{{"1234.06", "-", "0.50"}, {"-1234.06", "-", "-0.50"}} {
		if row := cells(table)[1+i]; !slices.Equal(row[len(row)-3:], want) {
			t.Errorf("the totals beside an entry are %q", row)
		}
	}
	if strings.Contains(table, foreign) {
		t.Error("another organization's entry is listed")
	}
	none := printed[[]books.LedgerEntry](t, s, "ledger", "list", "--organization", key.OrganizationID, "--since",
		"2099-01-01T00:00:00Z")
	if len(none) != 0 {
		t.Errorf("listed are %+v", none)
	}
	misused(t, s, "organization", "ledger", "list")
	misused(t, s, "--since", "ledger", "list", "--organization", key.OrganizationID, "--since", "yesterday")
	cut := execute(t, s, "ledger", "list", "--organization", key.OrganizationID, "--limit", "1")
	if cut.code != 0 || !strings.Contains(cut.stderr, "there may be more") || strings.Contains(cut.stdout, "reversed") {
		t.Errorf("a list that is cut says\n%s%s", cut.stdout, cut.stderr)
	}
}

func TestLedgerCommand_Amounts(t *testing.T) {
	t.Parallel()
	for cents, expected := range map[int64]string{1: "0.01", 100: "1.00", 123456: "1234.56", -5: "-0.05",
		-123456: "-1234.56", 999999999999999: "9999999999999.99"} {
		if printed := cli.Reais(cents); printed != expected {
			t.Errorf("%d is printed %s", cents, printed)
		}
	}
}
