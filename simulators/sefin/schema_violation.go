package sefin

import (
	"fmt"
	"strings"

	"github.com/beevik/etree"
)

// attributes are those a schema declares, by the element that has them.
var attributes = map[string]map[string]string{
	"DPS":          {"versao": "TVerNFSe"},
	"infDPS":       {"Id": "TSIdDPS"},
	"pedRegEvento": {"versao": "TVerNFSe"},
	"infPedReg":    {"Id": "TSIdPedRegEvt"},
	"Reference":    {"URI": "anyURI"},

	"CanonicalizationMethod": {"Algorithm": "anyURI"},
	"SignatureMethod":        {"Algorithm": "anyURI"},
	"DigestMethod":           {"Algorithm": "anyURI"},
	"Transform":              {"Algorithm": "anyURI"},
}

// violation returns what the first thing wrong with a document is, in the words
// of the .NET validator that the authority runs; empty when it is valid.
func (g grammar) violation(root *etree.Element, kind string) string {
	return checkComplex(root, g[kind], "")
}

const invalidValue = "The value '%s' is invalid according to its datatype '%s:%s' - The %s constraint failed."

func checkComplex(element *etree.Element, kind *complexType, inherited string) string {
	namespace := defaultNamespace(element, inherited)
	if wrong := checkAttributes(element); wrong != "" {
		return wrong
	}
	if strings.TrimSpace(content(element)) != "" {
		return fmt.Sprintf("The element '%s' in namespace '%s' cannot contain text. "+
			"List of possible elements expected: %s.", element.Tag, namespace, expected(kind.particles))
	}
	place, count := 0, 0
	for _, child := range element.ChildElements() {
		at, found := seek(kind.particles, place, count, child, namespace)
		if found == nil {
			return fmt.Sprintf("The element '%s' in namespace '%s' has invalid child element '%s' in namespace '%s'.%s",
				element.Tag, namespace, child.Tag, defaultNamespace(child, namespace),
				hint(kind.particles, place, count))
		}
		if at != place {
			place, count = at, 0
		}
		count++
		if wrong := checkDeclared(child, *found, namespace); wrong != "" {
			return wrong
		}
	}
	for i := place; i < len(kind.particles); i++ {
		if kind.particles[i].least > 0 && (i > place || count == 0) {
			return fmt.Sprintf("The element '%s' in namespace '%s' has incomplete content.%s",
				element.Tag, namespace, hint(kind.particles, place, count))
		}
	}
	return ""
}

// seek finds where, from a place on, a child may stand, passing over what may be
// absent.
func seek(particles []particle, place, count int, child *etree.Element, inherited string) (int, *declaration) {
	namespace := defaultNamespace(child, inherited)
	for i := place; i < len(particles); i++ {
		seen := 0
		if i == place {
			seen = count
		}
		if seen < particles[i].most {
			for j, alternative := range particles[i].alternatives {
				if alternative.name == child.Tag && alternative.namespace == namespace {
					return i, &particles[i].alternatives[j]
				}
			}
		}
		if seen == 0 && particles[i].least > 0 {
			return 0, nil
		}
	}
	return 0, nil
}

func checkDeclared(element *etree.Element, declared declaration, inherited string) string {
	if declared.complex != nil {
		return checkComplex(element, declared.complex, inherited)
	}
	namespace := defaultNamespace(element, inherited)
	if children := element.ChildElements(); len(children) > 0 {
		return fmt.Sprintf("The element '%s' in namespace '%s' cannot contain child element '%s' "+
			"because the parent element's content model is text only.", element.Tag, namespace, children[0].Tag)
	}
	if wrong := checkAttributes(element); wrong != "" {
		return wrong
	}
	value := content(element)
	if constraint := declared.simple.violated(value); constraint != "" {
		return fmt.Sprintf("The '%s:%s' element is invalid - "+invalidValue,
			namespace, element.Tag, value, fiscalNamespace, declared.simple.name, constraint)
	}
	return ""
}

func checkAttributes(element *etree.Element) string {
	declared := attributes[element.Tag]
	seen := map[string]bool{}
	for _, attribute := range element.Attr {
		if attribute.Key == "xmlns" && attribute.Space == "" {
			continue
		}
		kind, known := declared[attribute.Key]
		if !known {
			return fmt.Sprintf("The '%s' attribute is not declared.", attribute.Key)
		}
		seen[attribute.Key] = true
		if constraint := simpleTypes()[kind].violated(attribute.Value); constraint != "" {
			return fmt.Sprintf("The '%s' attribute is invalid - "+invalidValue,
				attribute.Key, attribute.Value, fiscalNamespace, kind, constraint)
		}
	}
	for name := range declared {
		if !seen[name] {
			return fmt.Sprintf("The required attribute '%s' is missing.", name)
		}
	}
	return ""
}

// hint lists what may stand at a place: up to the first element that must.
func hint(particles []particle, place, count int) string {
	var possible []particle
	for i := place; i < len(particles); i++ {
		seen := 0
		if i == place {
			seen = count
		}
		if seen < particles[i].most {
			possible = append(possible, particles[i])
		}
		if seen == 0 && particles[i].least > 0 {
			break
		}
	}
	if len(possible) == 0 {
		return ""
	}
	return " List of possible elements expected: " + expected(possible) + "."
}

func expected(particles []particle) string {
	var groups, names []string
	namespace := ""
	flush := func() {
		if len(names) > 0 {
			groups = append(groups, fmt.Sprintf("'%s' in namespace '%s'", strings.Join(names, ", "), namespace))
		}
		names = nil
	}
	for _, p := range particles {
		for _, alternative := range p.alternatives {
			if alternative.namespace != namespace {
				flush()
				namespace = alternative.namespace
			}
			names = append(names, alternative.name)
		}
	}
	flush()
	return strings.Join(groups, " as well as ")
}

// defaultNamespace is the namespace of an element without a prefix.
func defaultNamespace(element *etree.Element, inherited string) string {
	for _, attribute := range element.Attr {
		if attribute.Space == "" && attribute.Key == "xmlns" {
			return attribute.Value
		}
	}
	return inherited
}
