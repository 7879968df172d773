package calculator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"emissor/internal/outgoing"
	"emissor/internal/text"
	"emissor/internal/xmlread"
)

const (
	timeout   = 10 * time.Second
	maxAnswer = 1 << 20
)

// Client asks one calculator.
type Client struct {
	route string
	http  *http.Client
}

// New makes a client of the calculator at a base address, as http://localhost:8080/api.
func New(base string) (*Client, error) {
	if !outgoing.IsBase(base) {
		return nil, errors.New("must look like https://host/api")
	}
	client := outgoing.Client(timeout)
	client.Timeout = timeout
	return &Client{strings.TrimRight(base, "/") + "/calculadora/regime-geral", client}, nil
}

// Opinion is what the calculator computes.
type Opinion struct {
	IBSCents int64 // vIBS
	CBSCents int64 // vCBS
}

// Agrees reports whether a document states the same, within a cent of each tax: so much the
// authority tolerates itself (E1539 to E1607).
func (o Opinion) Agrees(stated Stated) bool {
	near := func(a, b int64) bool { return -1 <= a-b && a-b <= 1 }
	return near(o.IBSCents, stated.IBSCents) && near(o.CBSCents, stated.CBSCents)
}

// operation and item are OperacaoInput and ItemOperacaoInput of the calculator.
type operation struct {
	ID           string `json:"id"`
	Version      string `json:"versao"`
	At           string `json:"dhFatoGerador"`
	IssuedAt     string `json:"dataHoraEmissao"` // what versions read that do not know dhFatoGerador
	Municipality int    `json:"municipio"`
	State        string `json:"uf"`
	Items        []item `json:"itens"`
}

type item struct {
	Number     int         `json:"numero"`
	NBS        string      `json:"nbs"`
	CST        string      `json:"cst"`
	CClassTrib string      `json:"cClassTrib"`
	Base       json.Number `json:"baseCalculo"`
	Quantity   int         `json:"quantidade"`
	Unit       string      `json:"unidade"`
	Regular    *regular    `json:"tributacaoRegular,omitempty"`
}

type regular struct {
	CST        string `json:"cst"`
	CClassTrib string `json:"cClassTrib"`
}

// Compute asks the calculator what IBS and CBS are of what a document states. It fails where the
// calculator is not reached, refuses, or answers otherwise than it says.
func (c *Client) Compute(ctx context.Context, stated Stated) (Opinion, error) {
	body, err := json.Marshal(operationOf(stated))
	if err != nil {
		return Opinion{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.route, bytes.NewReader(body))
	if err != nil {
		return Opinion{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return Opinion{}, fmt.Errorf("the calculator did not answer: %w", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	switch {
	case err != nil:
		return Opinion{}, fmt.Errorf("the calculator did not answer: %w", err)
	case response.StatusCode != http.StatusOK:
		return Opinion{}, fmt.Errorf("the calculator answered %d%s", response.StatusCode, reasonOf(answer))
	}
	return readOpinion(answer)
}

func operationOf(stated Stated) operation {
	at := string(stated.Day) + "T00:00:00-03:00"
	code, _ := strconv.Atoi(stated.Place.Code) // Read has found it in the directory
	one := item{
		Number: 1, NBS: stated.NBS, CST: stated.CST, CClassTrib: stated.CClassTrib, Quantity: 1, Unit: "UN",
		Base: json.Number(fmt.Sprintf("%d.%02d", stated.BaseCents/100, stated.BaseCents%100)),
	}
	if stated.Regular != nil {
		one.Regular = &regular{stated.Regular.CST, stated.Regular.CClassTrib}
	}
	return operation{ID: "emissor", Version: "1.0.0", At: at, IssuedAt: at, Municipality: code,
		State: stated.Place.State, Items: []item{one}}
}

// reasonOf is what a refusal says of itself (RFC 9457); empty where it says nothing.
func reasonOf(answer []byte) string {
	var read struct {
		Heading string `json:"title"`
		Detail  string `json:"detail"`
	}
	if json.Unmarshal(answer, &read) != nil || read.Heading+read.Detail == "" {
		return ""
	}
	return ": " + text.Shortened(text.Shown(read.Heading+" "+read.Detail), 300)
}

// readOpinion reads the totals of an answer. Its amounts are texts in some versions, and numbers in
// others.
func readOpinion(answer []byte) (Opinion, error) {
	var read struct {
		Total struct {
			Taxes struct {
				Sums struct {
					IBS struct {
						Amount json.RawMessage `json:"vIBS"`
					} `json:"gIBS"`
					CBS struct {
						Amount json.RawMessage `json:"vCBS"`
					} `json:"gCBS"`
				} `json:"IBSCBSTot"`
			} `json:"tribCalc"`
		} `json:"total"`
	}
	if err := json.Unmarshal(answer, &read); err != nil {
		return Opinion{}, errors.New("the calculator's answer is not the JSON that it describes")
	}
	ibs, hasIBS := xmlread.Cents(strings.Trim(string(read.Total.Taxes.Sums.IBS.Amount), `"`))
	cbs, hasCBS := xmlread.Cents(strings.Trim(string(read.Total.Taxes.Sums.CBS.Amount), `"`))
	if !hasIBS || !hasCBS {
		return Opinion{}, errors.New("the calculator's answer states no sums of IBS and CBS")
	}
	return Opinion{ibs, cbs}, nil
}
