package sefin

import (
	"net/http"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/xmltree"
)

// Door is a city's own protocol in front of this simulator: its server takes the same documents, by the
// same rules, in other envelopes. What is issued is then a city's: its key says so, and its own
// codes of services (cTribMun) have up to ten digits.
type Door struct {
	Path  string // of its requests
	Serve func(*Simulator) http.Handler
}

// Judged is what became of a document that came by a door.
type Judged struct {
	Done    bool      // it produced a note, or registered an event
	ID      string    // of the DPS or the event request
	Refused []Refused // why it was refused; none where it was done, or could not be decided
}

// Refused is a rule by which a document is refused.
type Refused struct{ Code, Text string }

// Judge takes a DPS (scope Issue) or an event request (scope Cancel) that came by a door, as one that
// was posted to this simulator, and records it.
func (s *Simulator) Judge(received *server.Call, scope Scope, document []byte) Judged {
	c := &call{Call: received, post: Post{At: received.Now, Scope: scope, Faults: received.Faults.Kinds()}}
	root, signed, serve := "DPS", "infDPS", s.issueNote
	if scope == Cancel {
		root, signed, serve = "pedRegEvento", "infPedReg", s.registerEvent
	}
	if c.document, c.unreadable = parseDocument(document, root); c.unreadable == nil {
		if info := xmltree.At(c.document.root, signed); info != nil {
			c.post.ID = info.SelectAttrValue("Id", "")
			c.Request.SetPathValue("key", xmltree.TextAt(info, "chNFSe"))
		}
		c.post.Digest = xmltree.TextAt(c.document.root, digestPath)
	}
	answered := serve(c)
	if lost, found := received.Faults.Replacing(true); !received.Halved() && (!found || lost.Kind == Status) {
		c.post.Status = http.StatusOK
	}
	s.posts.Add(c.post)
	judged := Judged{Done: c.post.Issued, ID: c.post.ID}
	if !judged.Done {
		for _, one := range answered.refused {
			judged.Refused = append(judged.Refused, Refused{one.Code, one.Text})
		}
	}
	return judged
}

// Note is what was issued under an access key, or under the id of a DPS; found is false where nothing was.
func (s *Simulator) Note(id string) (issued Entry, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.ledger.byKey[id]
	if n == nil {
		n = s.ledger.byDPS[id]
	}
	if n == nil {
		return Entry{}, false
	}
	return n.view(), true
}

// Identified reports whether a request shows a certificate that this simulator lets in.
func (s *Simulator) Identified(r *http.Request) bool {
	_, rejected := s.identify(r)
	return rejected == nil
}

// generator is what an access key says of who made it: of a city that is played, where there is one.
func (s *Simulator) generator(city *City) int {
	if s.door != nil {
		return accesskey.OfMunicipality
	}
	return city.generator()
}

// schemasView is a DPS as the schema of the national system can look at it: a city's own code is of
// three digits there.
func (s *Simulator) schemasView(root *etree.Element) *etree.Element {
	if s.door == nil {
		return root
	}
	view := root.Copy()
	if code := xmltree.At(view, "infDPS/serv/cServ/cTribMun"); code != nil {
		code.SetText("001")
	}
	return view
}
