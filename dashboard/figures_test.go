package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/frame"
	"emissor/nfse"
)

// The longest bar of a figure is all of its width, or that of each column where each has a scale of its own.
func TestBars(t *testing.T) {
	t.Parallel()
	write := func(int64) string { return "" }
	for name, one := range map[string]struct {
		apart    bool
		expected [2][2]float64
	}{
		"one scale":    {false, [2][2]float64{{100, 10}, {50, 0}}},
		"a scale each": {true, [2][2]float64{{100, 100}, {50, 0}}},
	} {
		bars := frame.Bars{Columns: []string{"a", "b"}, Apart: one.apart}
		bars.Add("first", write, 1000, 100)
		bars.Add("second", write, 500, -1)
		for i, row := range bars.Rows() {
			for j, bar := range row.Bars {
				if bar.Width != one.expected[i][j] || bar.Y != j*10 {
					t.Errorf("%s: bar %d of %s is %+v", name, j, row.Label, bar)
				}
			}
		}
	}
	var nothing frame.Bars
	nothing.Columns = []string{"a"}
	nothing.Add("zero", write, 0)
	if rows := nothing.Rows(); rows[0].Bars[0].Width != 0 {
		t.Errorf("nothing has the bar %+v", rows[0])
	}
}

// What people look at: of a company that began today only today, its months, its services against the month before,
// and what answers of authorities took; nothing of another company.
func TestFigures(t *testing.T) {
	t.Parallel()
	s, service, issued, _ := newSettled(t)
	must(t, s.workerStore(t).Operate.RollUp(t.Context()))
	s.Exec(t, `UPDATE notes SET authority_totals = '{"total_cents": 15000, "iss_cents": 750}' WHERE id = $1`, issued)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	overview := accountant.get(t, s.at("/")).expect(t, http.StatusOK, `<h2 id="days">Hoje</h2>`,
		"Por mês de competência: Valor simulado, sem valor fiscal; ISS", thisMonthNamed()+"</th>",
		`<td class="number">R$ 7,50</td>`)
	if days := strings.Count(overview.body, `class="of-day"`); days != 2 { // one in each plot
		t.Errorf("a company of one day is shown %d", days)
	}
	before := nfse.MonthOf(nfse.DayOf(nfse.Month(thisMonth()).FirstDay().Begin().AddDate(0, -1, 0)))
	s.Exec(t, `INSERT INTO closing_figures SELECT organization_id, livemode, $1::date, 'issued', $2, '3550308', '', 1, 0,
		30000, 0, 0, 1500, 0, 0, 0, 0, 0, 0 FROM notes WHERE id = $3`, string(before.FirstDay()), service, issued)
	accountant.get(t, s.at("/closing")+"&month="+thisMonth()).expect(t, http.StatusOK, "Valor por serviço",
		`<th scope="row">Consulta</th><td class="number">R$ 150,00</td><td class="number">R$ 300,00</td>`,
		`<th scope="row">Consulta</th><td class="number">R$ 7,50</td><td class="number">R$ 15,00</td>`,
		`<rect class="measure-0" y="0" width="50%"`, `<rect class="measure-1" y="10" width="100%"`,
		"Valor e ISS por tomador", `</th><td class="number">R$ 150,00</td><td class="number">R$ 7,50</td>`)

	s.Exec(t, `UPDATE note_figures SET day = day - 3`)
	overview = accountant.get(t, s.at("/")).expect(t, http.StatusOK, "Últimos 30 dias")
	if days := strings.Count(overview.body, `class="of-day"`); days != 2*4 {
		t.Errorf("a company of four days is shown %d", days/2)
	}
	s.Exec(t, `INSERT INTO authority_hours (authority, production, municipality_code, hour, outcome, power, calls)
		SELECT 'national', true, '', date_trunc('hour', now()) - make_interval(hours => i), 'answered', 30 - 10 * i, 40
		FROM generate_series(1, 2) i`)
	accountant.get(t, "/status").expect(t, http.StatusOK, "Quanto levaram as respostas",
		`<td class="number">38 ms</td>`, `<td class="number">6 ms</td>`)
	expectNoFigures(t, s)
}

// The customers to whom most was issued are shown by themselves and the others together, as long as a month has few
// enough notes to be added up by customer.
func TestFigures_Customers(t *testing.T) {
	t.Parallel()
	s, service, issued, _ := newSettled(t)
	accountant := s.signedIn(t, "contadora@example.com", s.Organization.ID, nfse.RoleAccountant)
	s.Exec(t, `INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_declared)
		SELECT 'cus_' || lpad(i::text, 26, '0'), c.organization_id, c.livemode, lpad(i::text, 11, '0'), 'Tomador ' || i,
			false
		FROM customers c, generate_series(1, 12) i WHERE c.id = (SELECT min(id) FROM customers)`)
	s.Exec(t, `INSERT INTO notes SELECT added.* FROM notes n, generate_series(1, 12) i,
		jsonb_populate_record(n, jsonb_build_object('id', 'nfse_' || lpad(i::text, 26, '0'), 'reference', 'copia-' || i,
			'amount_cents', 1000000 + 1000 * i, 'authority_totals', '{"iss_cents": 200}'::jsonb,
			'customer_id', 'cus_' || lpad(i::text, 26, '0'))) added WHERE n.id = $1`, issued)
	page := accountant.get(t, s.at("/closing")+"&month="+thisMonth()).expect(t, http.StatusOK,
		`Tomador 12</th><td class="number">R$ 10.120,00</td><td class="number">R$ 2,00</td>`,
		`Tomador 3</th><td class="number">R$ 10.030,00</td>`,
		`Outros</th><td class="number">R$ 20.180,00</td><td class="number">R$ 4,00</td>`)
	if strings.Contains(page.body, "Tomador 2<") || strings.Contains(page.body, "10.000 notas") {
		t.Error("one of the smallest is shown, or what many notes have")
	}
	s.Exec(t, `INSERT INTO closing_figures SELECT organization_id, livemode, date_trunc('month', competence), 'issued', $1,
		'3550308', '', 9988, 0, 30000, 0, 0, 1500, 0, 0, 0, 0, 0, 0 FROM notes WHERE id = $2`, service, issued)
	page = accountant.get(t, s.at("/closing")+"&month="+thisMonth()).expect(t, http.StatusOK, "10.000 notas")
	if strings.Contains(page.body, "Tomador 12") {
		t.Error("more than 10,000 notes are added up by customer")
	}
}

// The newest deliveries of each endpoint are counted, of nobody else's.
func TestFigures_Deliveries(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	endpoint, _ := s.NewEndpoint(t, "https://127.0.0.1:9/hook", false)
	for _, status := range []string{"delivered", "delivered", "failed", "pending", "skipped"} {
		s.delivery(t, endpoint, status, time.Now())
	}
	developer := s.signedIn(t, "dev@example.com", s.Organization.ID, nfse.RoleDeveloper)
	developer.get(t, s.at("/integrations")).expect(t, http.StatusOK, "até as 100 mais novas",
		`<td class="number">2</td><td class="number">1</td><td class="number">1</td>`)
	expectNoFigures(t, s)
}

// expectNoFigures expects that another company's pages have none.
func expectNoFigures(t *testing.T, s *site) {
	t.Helper()
	other, _, _ := s.NewOrganization(t, "Escola")
	theirs := s.signedIn(t, "theirs@example.com", other.ID, nfse.RoleOwner)
	for _, path := range []string{"/", "/closing", "/integrations"} {
		if body := theirs.get(t, s.of(path, other.ID, "test")).body; strings.Contains(body, `class="bars"`) {
			t.Errorf("%s shows another's figures", path)
		}
	}
}
