package sefin

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"emissor/test/simulators/shared/cents"
)

// classTrib is what the table of cClassTrib says of a code.
type classTrib struct {
	rated          bool  // IBS and CBS are computed by a rate
	regular        bool  // needs gTribRegular, which no other may have
	deferred       bool  // needs gDif, which no other may have
	reduced        bool  // reduces the rates
	redIBS, redCBS int64 // by so many percent
}

// serviceClassTribs are the codes for NFS-e of the table of 2026-10-01. A line is a CST,
// what it has, and the last three digits of its codes, each with the reductions of IBS
// and CBS, which are one number where they are equal.
const serviceClassTribs = `
000 rated          001 006
010 rated          001 002
011 rated          003/60
200 rated          001/100 004/100 005/100 006/100 007/100 008/100 016/100 017/100 019/100 020/100 021/100 025/60/100
200 rated          026/80 027/70 028/60 029/60 030/60 031/60 037/60 038/60 039/60 040/60 041/60 042/60 043/60 044/60
200 rated          045/60 046/50 048/40 051/40 052/30 054/100 055/60 056/30
221 rated          001
400 unrated        001
410 unrated        001 003 004 005 006 007 008 009 010 012 014 015 026 027 033 035 999
515 rated,deferred 001/60
550 regular        016 022
800 unrated        001 002
811 unrated        001 002 003
820 unrated        001 002 003 004 006 007 009
`

var classTribs = sync.OnceValue(func() map[string]classTrib {
	codes := map[string]classTrib{}
	for line := range strings.Lines(serviceClassTribs) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		has := strings.Split(words[1], ",")
		for _, word := range words[2:] {
			ending, reductions, reduced := strings.Cut(word, "/")
			ofIBS, ofCBS, differ := strings.Cut(reductions, "/")
			if !differ {
				ofCBS = ofIBS
			}
			code := classTrib{
				rated: slices.Contains(has, "rated"), regular: slices.Contains(has, "regular"),
				deferred: slices.Contains(has, "deferred"), reduced: reduced,
			}
			code.redIBS, _ = strconv.ParseInt(ofIBS, 10, 64)
			code.redCBS, _ = strconv.ParseInt(ofCBS, 10, 64)
			codes[words[0]+ending] = code
		}
	}
	return codes
})

// supplyPlace says which address of a DPS is the place of a supply (Annex C).
type supplyPlace int

const (
	performedAt supplyPlace = iota + 1 // cLocPrestacao
	atProvider                         // the issuer's
	atRecipient                        // of dest when indDest is 1, else of toma
)

// supplyPlaces are the cIndOp of Annex C v1.01.
var supplyPlaces = map[string]supplyPlace{
	"020101": performedAt, "020201": performedAt, "020301": performedAt,
	"030101": atProvider, "030102": atRecipient, "030103": atRecipient, "030104": performedAt,
	"040101": performedAt,
	"050101": atProvider, "050102": atRecipient, "050103": atRecipient, "050104": performedAt, "050201": performedAt,
	"060101": performedAt, "070101": performedAt, "070102": performedAt, "080101": performedAt,
	"100101": atRecipient, "100102": atRecipient, "100201": atRecipient,
	"100301": atRecipient, "100302": atRecipient, "100401": atRecipient,
	"100501": atRecipient, "100502": atRecipient, "100601": atRecipient,
}

// aboutProperty are the cIndOp of operations with real estate.
var aboutProperty = []string{"020101", "020201", "020301"}

// ibscbsRates are the rates of IBS (of the state, of the municipality) and of CBS, in
// hundredths of a percent.
type ibscbsRates struct{ uf, mun, cbs int64 }

// ratesOf returns the rates of LC 214, arts. 343, 344 and 346, for a day of competence. What CBS is from 2027 on is
// not fixed yet: it stays as in 2026.
func ratesOf(competence string) ibscbsRates {
	if competence < "2027-01-01" {
		return ibscbsRates{uf: 10, cbs: 90}
	}
	return ibscbsRates{uf: 5, mun: 5, cbs: 90}
}

// effective are the rates after the reductions of a cClassTrib; none where it has none.
func (r ibscbsRates) effective(class classTrib) ibscbsRates {
	if !class.rated {
		return ibscbsRates{}
	}
	return ibscbsRates{
		uf:  cents.ShareEven(r.uf, 100*(100-class.redIBS)),
		mun: cents.ShareEven(r.mun, 100*(100-class.redIBS)),
		cbs: cents.ShareEven(r.cbs, 100*(100-class.redCBS)),
	}
}

// ibscbsAmounts are IBS (of the state, of the municipality) and CBS, in cents.
type ibscbsAmounts struct{ uf, mun, cbs int64 }

// of computes the amounts of a base.
func (r ibscbsRates) of(base int64) ibscbsAmounts {
	return ibscbsAmounts{
		uf: cents.ShareEven(base, r.uf), mun: cents.ShareEven(base, r.mun), cbs: cents.ShareEven(base, r.cbs),
	}
}
