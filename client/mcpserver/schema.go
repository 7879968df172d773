package mcpserver

// object is a JSON object: a schema, or what a tool returns.
type object = map[string]any

// closed is the schema of an object that has no other properties.
func closed(properties object, required ...string) object {
	if properties == nil {
		properties = object{} // null would be no schema
	}
	schema := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// open is the schema of an object that may have other properties: v1 adds some.
func open(properties object) object { return object{"type": "object", "properties": properties} }

// list is the schema of an array.
func list(of object) object { return object{"type": "array", "items": of} }

// said is a schema with a description.
func said(schema object, description string) object {
	described := object{"description": description}
	for name, value := range schema {
		described[name] = value
	}
	return described
}

// orNull is a schema whose value may be null.
func orNull(schema object) object { return object{"anyOf": []object{schema, {"type": "null"}}} }

func plain(description string) object { return object{"type": "string", "description": description} }

// textOf is a text of so many characters.
func textOf(least, most int, description string) object {
	return object{"type": "string", "minLength": least, "maxLength": most, "description": description}
}

func formed(pattern, description string) object {
	return object{"type": "string", "pattern": pattern, "description": description}
}

func oneOf(description string, values ...string) object {
	return object{"type": "string", "enum": values, "description": description}
}

func whole(least, most int64, description string) object {
	return object{"type": "integer", "minimum": least, "maximum": most, "description": description}
}

var (
	flag  = object{"type": "boolean"}
	count = object{"type": "integer"}
)

// What the contract bounds (section 8). A test compares it with api/openapi.yaml. JSON Schema counts an accent
// that is not composed as a character of its own, which the API does not: a text that is at the limit, and written so,
// is refused here.
var (
	serviceIDSchema    = formed(`^srv_[0-9a-hjkmnp-tv-z]{26}$`, "id of a service")
	customerIDSchema   = formed(`^cus_[0-9a-hjkmnp-tv-z]{26}$`, "id of a customer")
	noteIDSchema       = formed(`^nfse_[0-9a-hjkmnp-tv-z]{26}$`, "id of a note")
	amountSchema       = whole(1, 999_999_999_999_999, "in cents: 15000 is R$ 150,00")
	municipalitySchema = formed(`^[0-9]{7}$`, "IBGE code of a municipality")
	zipCodeSchema      = formed(`^[0-9]{5}-?[0-9]{3}$`, "zip code (CEP)")
	documentSchema     = formed(`^([0-9]{11}|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[0-9A-Za-z]{12}[0-9]{2}|`+
		`[0-9A-Za-z]{2}\.[0-9A-Za-z]{3}\.[0-9A-Za-z]{3}/[0-9A-Za-z]{4}-[0-9]{2})$`, "CPF or CNPJ, with or without its mask")
	referenceSchema = textOf(1, 200, "the charge in the caller's own system; the idempotency key")
	customerName    = textOf(1, 150, "name of the customer")
	emailSchema     = object{"type": "string", "maxLength": 80, "description": "e-mail address",
		"pattern": `^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`}
	descriptionText = textOf(3, 2000, "what is printed on the note")
)

// addressProperties are the properties of an address in a request.
var addressProperties = object{
	"street_type": textOf(1, 20, "as Avenida, where street is without it"),
	"street":      textOf(1, 255, "street"),
	"number":      textOf(1, 60, "number in the street"),
	"district":    textOf(1, 60, "district (bairro)"),
	"zip_code":    zipCodeSchema,
	"complement":  textOf(1, 156, "rest of the address"),
}

// page are the arguments of a list.
func page(cursor object) object {
	return object{"limit": whole(1, 100, "the most records; 10 when left out"),
		"starting_after": said(cursor, "next_cursor of the page before")}
}

// What results hold. Their texts were written by others.
var (
	someText      = object{"type": "string"}
	optionalText  = orNull(someText)
	status        = oneOf("state of the note", "queued", "processing", "issued", "rejected", "cancelled")
	serviceRecord = said(open(object{"id": someText, "name": someText, "description": someText,
		"municipality_code": someText, "default_amount_cents": count, "national_tax_code": optionalText,
		"municipal_tax_code": optionalText,
		"municipal_taxation": optionalText, "iss_rate": orNull(object{"type": "number"}), "active": flag,
		"created_at": someText}), "a service of the catalogue")
	addressRecord = open(object{"street_type": optionalText, "street": optionalText, "number": optionalText,
		"district": optionalText, "zip_code": optionalText, "complement": optionalText})
	customerRecord = said(open(object{"id": someText, "document": someText, "name": someText, "nickname": optionalText,
		"email": optionalText, "municipality_code": optionalText, "address": addressRecord, "fiscal_data_complete": flag,
		"created_at": someText, "updated_at": someText}), "a customer")
	rejectionRecord = said(open(object{"source": oneOf("who rejected it", "authority", "service"), "code": someText,
		"message": someText, "field": optionalText, "explanation": someText, "action": someText}), "why it was rejected")
	noteRecord = said(open(object{"id": someText, "status": status, "livemode": flag, "reference": someText,
		"customer_id": someText, "service_id": someText, "amount_cents": count, "competence": someText,
		"iss_withheld": flag, "service": object{"type": "object"}, "customer": object{"type": "object"},
		"municipality": object{"type": "object"}, "authority": orNull(object{"type": "object"}),
		"rejection": orNull(rejectionRecord), "cancellation": orNull(object{"type": "object"}), "created_at": someText,
		"updated_at": someText, "processing_at": optionalText, "issued_at": optionalText, "rejected_at": optionalText,
		"cancelled_at": optionalText}), "a note, as the contract's section 2.3 describes it")
	nextCursor    = said(optionalText, "starting_after of the next page; null on the last")
	failureSchema = said(open(object{"code": someText, "message": someText, "field": optionalText,
		"retryable": flag, "retry_after_seconds": count, "request_id": optionalText, "status": count,
		"detail": someText}),
		"why nothing was done; absent otherwise")
)
