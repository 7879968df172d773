package sefin

import (
	"errors"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// The canonical forms that the authority accepts.
const (
	inclusive             = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	inclusiveWithComments = inclusive + "#WithComments"
	exclusive             = "http://www.w3.org/2001/10/xml-exc-c14n#"
	exclusiveWithComments = exclusive + "WithComments"
)

// canonicalize writes an element, where it stands in its document, as an
// algorithm prescribes.
func canonicalize(element *etree.Element, method string) ([]byte, error) {
	switch method {
	case inclusive:
		return dsig.MakeC14N10RecCanonicalizer().Canonicalize(element)
	case inclusiveWithComments:
		return dsig.MakeC14N10WithCommentsCanonicalizer().Canonicalize(element)
	case exclusive, exclusiveWithComments:
		context, err := etreeutils.NSBuildParentContext(element)
		if err != nil {
			return nil, err
		}
		alone, err := etreeutils.NSDetatch(context, element)
		if err != nil {
			return nil, err
		}
		if method == exclusive {
			return dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("").Canonicalize(alone)
		}
		return dsig.MakeC14N10ExclusiveWithCommentsCanonicalizerWithPrefixList("").Canonicalize(alone)
	}
	return nil, errors.New("the canonicalization is not accepted")
}
