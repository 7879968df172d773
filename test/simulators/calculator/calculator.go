// Package calculator stands in for the official calculator of IBS and CBS (Calculadora de Tributos),
// for tests. It shares no code with the client, package fiscal/national/calculator: it checks what
// the calculator's own description (OpenAPI) wants of a request, and computes by the rates of 2026.
// A reduction, or what has no rate, it does not know.
package calculator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"sync/atomic"
	"time"

	"emissor/test/simulators/shared/cents"
)

// Calculator answers POST /api/calculadora/regime-geral.
type Calculator struct {
	CBSRate int64 // in hundredths of a percent; 0 is the rate of 2026, 0.90
	Numbers bool  // amounts are numbers, as in some versions, not texts

	asked atomic.Int64
}

// Asked is how many operations it has computed.
func (c *Calculator) Asked() int64 { return c.asked.Load() }

type operation struct {
	ID           *string    `json:"id"`
	Version      *string    `json:"versao"`
	At           *time.Time `json:"dhFatoGerador"`
	Municipality *int       `json:"municipio"`
	State        string     `json:"uf"`
	Items        []struct {
		Number     int         `json:"numero"`
		NBS        string      `json:"nbs"`
		CST        string      `json:"cst"`
		CClassTrib string      `json:"cClassTrib"`
		Base       json.Number `json:"baseCalculo"`
		Regular    *struct {
			CST        string `json:"cst"`
			CClassTrib string `json:"cClassTrib"`
		} `json:"tributacaoRegular"`
		NominalRates any `json:"aliquotasNominais"`
	} `json:"itens"`
}

// ServeHTTP implements http.Handler.
func (c *Calculator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/api/calculadora/regime-geral" {
		http.NotFound(w, r)
		return
	}
	var asked operation
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.Header.Get("Content-Type") != "application/json" {
		problem(w, http.StatusBadRequest, "Requisição inválida", "JSON")
		return
	}
	if wrong := asked.wrong(); wrong != "" {
		problem(w, http.StatusBadRequest, "Campos inválidos.", wrong)
		return
	}
	if asked.Items[0].CST != "000" {
		problem(w, http.StatusUnprocessableEntity, "Classificação não simulada", asked.Items[0].CST)
		return
	}
	c.asked.Add(1)
	rate := c.CBSRate
	if rate == 0 {
		rate = 90
	}
	base := cents.Read(string(asked.Items[0].Base))
	ibs, cbs := cents.ShareEven(base, 10), cents.ShareEven(base, rate)
	_ = json.NewEncoder(w).Encode(map[string]any{"objetos": []any{}, "total": map[string]any{
		"tribCalc": map[string]any{"IBSCBSTot": map[string]any{
			"vBCIBSCBS": c.amount(base),
			"gIBS": map[string]any{"gIBSUF": map[string]any{"vIBSUF": c.amount(ibs)},
				"gIBSMun": map[string]any{"vIBSMun": c.amount(0)}, "vIBS": c.amount(ibs)},
			"gCBS": map[string]any{"vCBS": c.amount(cbs)},
		}},
	}})
}

var (
	cst   = regexp.MustCompile(`^\d{3}$`)
	class = regexp.MustCompile(`^\d{6}$`)
	money = regexp.MustCompile(`^\d{1,13}(\.\d{1,2})?$`)
	state = regexp.MustCompile(`^[A-Z]{2}$`)
)

// wrong names a field that is missing or has no right form; empty where all have.
func (o operation) wrong() string {
	switch {
	case o.ID == nil || o.Version == nil:
		return "id, versao"
	case o.At == nil:
		return "dhFatoGerador"
	case o.Municipality == nil || *o.Municipality < 0 || *o.Municipality > 9999999:
		return "municipio"
	case !state.MatchString(o.State):
		return "uf"
	case len(o.Items) == 0:
		return "itens"
	}
	for _, one := range o.Items {
		switch {
		case one.Number < 1 || len(one.NBS) != 9:
			return "numero, nbs"
		case !cst.MatchString(one.CST) || !class.MatchString(one.CClassTrib):
			return "cst, cClassTrib"
		case !money.MatchString(string(one.Base)):
			return "baseCalculo"
		case one.Regular != nil && (!cst.MatchString(one.Regular.CST) || !class.MatchString(one.Regular.CClassTrib)):
			return "tributacaoRegular"
		case (one.NominalRates != nil) != (o.At.Year() >= 2027):
			return "aliquotasNominais"
		}
	}
	return ""
}

func (c *Calculator) amount(amount int64) any {
	text := fmt.Sprintf("%d.%02d", amount/100, amount%100)
	if c.Numbers {
		return json.Number(text)
	}
	return text
}

// problem answers as the calculator says what is wrong (RFC 9457).
func problem(w http.ResponseWriter, status int, title, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": title, "status": status, "detail": detail})
}
