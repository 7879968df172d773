package issnet

import (
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/xmltree"
)

// cancel answers CancelarNfse.
func (s *Simulator) cancel(c *call) answer {
	key := xmltree.TextAt(c.message.root, "pedRegEvento/infPedReg/chNFSe")
	judged := c.national.Judge(c.Call, sefin.Cancel, c.message.signed)
	if !judged.Done {
		return c.refused(judged)
	}
	events := c.national.Events(key)
	last := c.named(ofCity(events[len(events)-1]), "evento", "Evento")
	return answer{content: "<ListaEvento>" + last + "</ListaEvento>"}
}
