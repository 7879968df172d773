package danfse_test

import (
	"bytes"
	"testing"

	"emissor/fiscal/danfse"
)

// Any input gives a page or an error.
func FuzzDraw(f *testing.F) {
	for _, document := range []string{full(f), bare(f), sandbox(f), "", "<NFSe/>", "<a><b/></a>",
		`<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"><infNFSe Id="NFS` +
			`33045572211222333000181000000000004226110123456781"><DPS><infDPS/></DPS></infNFSe></NFSe>`,
		`<SimulatedNFSe><accessKey>00000002200000000000000997849927654826111391850880</accessKey></SimulatedNFSe>`,
	} {
		f.Add([]byte(document), event("101101"))
	}
	f.Fuzz(func(t *testing.T, document, event []byte) {
		var page bytes.Buffer
		err := danfse.Draw(&page, danfse.Document{XML: document, Events: [][]byte{event}})
		if err != nil {
			if page.Len() > 0 {
				t.Errorf("%d bytes were written before the error %v", page.Len(), err)
			}
			return
		}
		if size := page.Len(); !bytes.HasPrefix(page.Bytes(), []byte("%PDF-")) || size > 100<<10 {
			t.Errorf("the page has %d bytes", size)
		}
	})
}
