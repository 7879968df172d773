package sefin

import "strings"

// vary writes a response, and what it refuses by, in one of its odd forms.
func vary(form string, body map[string]any, rejections []rejection) any {
	switch form {
	case ErroObject, ErroArray, ErroString, TopList:
		if rejections == nil {
			return body
		}
	}
	switch form {
	case ErroObject:
		delete(body, "erros")
		body["erro"] = rejections[0]
	case ErroArray:
		delete(body, "erros")
		body["erro"] = rejections
	case ErroString:
		return map[string]any{"erro": "upstream connect error or disconnect/reset before headers"}
	case TopList:
		return rejections
	case EmptyErro:
		body["erro"] = []rejection{}
	case Capitalised:
		return capitalise(body)
	case SwappedID:
		swapIDs(body)
	}
	return body
}

func swapIDs(body map[string]any) {
	usual, hasUsual := body["idDps"]
	other, hasOther := body["idDPS"]
	delete(body, "idDps")
	delete(body, "idDPS")
	if hasUsual {
		body["idDPS"] = usual
	}
	if hasOther {
		body["idDps"] = other
	}
}

func capitalise(value any) any {
	switch v := value.(type) {
	case map[string]any:
		capital := map[string]any{}
		for name, inner := range v {
			capital[strings.ToUpper(name[:1])+name[1:]] = capitalise(inner)
		}
		return capital
	case []any:
		for i := range v {
			v[i] = capitalise(v[i])
		}
	case rejection:
		return listed(v)
	case []rejection:
		return inCapitals(v)
	}
	return value
}
