package danfse

import (
	"errors"
	"regexp"
	"strings"
)

// The groups that most fields are in.
const (
	inf     = "infNFSe/"
	dps     = inf + "DPS/infDPS/"
	values  = dps + "valores/"
	city    = values + "trib/tribMun/"
	federal = values + "trib/tribFed/"
	reform  = inf + "IBSCBS/"
	request = dps + "IBSCBS/" // of the reform's taxes, as declared
)

// note is an NFS-e to be drawn.
type note struct {
	fields
	key       string
	simulated bool // it is of the sandbox: no NFS-e exists
}

var keyForm = regexp.MustCompile(`^[0-9A-Z]{50}$`)

// readNote reads the XML of an NFS-e or of a note of the sandbox.
func readNote(document []byte) (note, error) {
	root, fields, err := read(document)
	if err != nil {
		return note{}, err
	}
	n := note{fields: fields}
	switch {
	case root.Space == fiscalNamespace && root.Local == "NFSe":
		// What could be read in two ways is not drawn in one.
		if len(n.fields["infNFSe"]) != 1 || len(n.fields["infNFSe/DPS/infDPS"]) != 1 {
			return note{}, errors.New("the document is not an NFS-e with one DPS")
		}
	case root.Space == "" && root.Local == simulatedRoot:
		n = note{fields: fromSimulation(fields), simulated: true}
	default:
		return note{}, errors.New("the document is not the XML of a note")
	}
	n.key = strings.TrimPrefix(n.get(inf+"@Id"), "NFS")
	if !keyForm.MatchString(n.key) {
		return note{}, errors.New("the document has no access key")
	}
	return n, nil
}

// test reports whether the note was issued by the authority's own test system.
func (n note) test() bool { return n.get(dps+"tpAmb") == "2" }

// outsideList reports whether the service is none of the law's list: the item 99
// of the national one, which no city taxes.
func (n note) outsideList() bool {
	return strings.HasPrefix(n.get(dps+"serv/cServ/cTribNac"), "99")
}

// withoutISS reports whether the operation is not subject to the ISS. Immunity and
// export are not among that: the block has fields of their own for them.
func (n note) withoutISS() bool { return n.outsideList() || n.get(city+"tribISSQN") == "4" }

// withReform reports whether the note has IBS and CBS.
func (n note) withReform() bool { return n.has(inf+"IBSCBS") || n.has(dps+"IBSCBS") }

// withContributions reports whether PIS and COFINS exist when the service was
// rendered; from 2027 on they do not.
func (n note) withContributions() bool {
	competence := n.get(dps + "dCompet")
	return competence == "" || competence < "2027"
}
