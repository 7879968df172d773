package sefin

import (
	"strings"

	"github.com/beevik/etree"
)

// content is all the text directly in an element.
func content(element *etree.Element) string {
	var text strings.Builder
	for _, token := range element.Child {
		if data, isText := token.(*etree.CharData); isText {
			text.WriteString(data.Data)
		}
	}
	return text.String()
}

// at finds an element by the names on the way to it, as in "toma/end/endNac";
// nil when there is none.
func at(element *etree.Element, path string) *etree.Element {
	for name := range strings.SplitSeq(path, "/") {
		if element = child(element, name); element == nil {
			return nil
		}
	}
	return element
}

func child(element *etree.Element, name string) *etree.Element {
	for _, token := range element.Child {
		if found, isElement := token.(*etree.Element); isElement && found.Tag == name {
			return found
		}
	}
	return nil
}

// textAt is the text of an element that may be absent.
func textAt(element *etree.Element, path string) string {
	if found := at(element, path); found != nil {
		return content(found)
	}
	return ""
}
