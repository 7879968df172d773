// Package xmltree finds elements in parsed XML by their names, regardless of their namespaces. Simulators use it.
package xmltree

import (
	"strings"

	"github.com/beevik/etree"
)

// Content is all the text directly in an element.
func Content(element *etree.Element) string {
	var text strings.Builder
	for _, token := range element.Child {
		if data, isText := token.(*etree.CharData); isText {
			text.WriteString(data.Data)
		}
	}
	return text.String()
}

// At finds an element by the names on the way to it, as in "toma/end/endNac";
// nil when there is none.
func At(element *etree.Element, path string) *etree.Element {
	for name := range strings.SplitSeq(path, "/") {
		if element = child(element, name); element == nil {
			return nil
		}
	}
	return element
}

// child is the first one with a name.
func child(element *etree.Element, name string) *etree.Element {
	for _, token := range element.Child {
		if found, isElement := token.(*etree.Element); isElement && found.Tag == name {
			return found
		}
	}
	return nil
}

// TextAt is the text of an element that may be absent.
func TextAt(element *etree.Element, path string) string {
	if found := At(element, path); found != nil {
		return Content(found)
	}
	return ""
}

// AlgorithmAt is the attribute Algorithm, as signatures have it, of an element that
// may be absent.
func AlgorithmAt(element *etree.Element, path string) string {
	if found := At(element, path); found != nil {
		return found.SelectAttrValue("Algorithm", "")
	}
	return ""
}
