package fiscal

import (
	"slices"

	"emissor/nfse/fact"
)

// Repair is what is known of a code by which an authority refuses documents: whose the reason
// is, which other notes would meet it, and what corrects it. The zero Repair is nothing.
type Repair struct {
	Subject string // what is refused, as the authority's tables call it
	Whose   Whose
	Act     Act
	AutoFix AutoFix // that is tried before a person is asked; empty for none
	Scope   Scope   // of the notes that would be refused for the same
	// FinalUnfixed says that the refusal ends the note where AutoFix cannot be made, as the
	// caller's own data is refused.
	FinalUnfixed bool
	// Ours says that this program built what no settings can put right: a person should look.
	Ours bool
}

// Reason is why a refused note waits.
func (r Repair) Reason(code string) fact.Fact {
	if r.Act == "" {
		return fact.RefusedByRule.With("code", code)
	}
	return fact.RefusedForSettings.With("code", code, "subject", r.Subject, "whose", string(r.Whose),
		"act", string(r.Act))
}

// In is the repair of a declaration. What is refused of the service may be what is set for this
// note, and the service's other notes are then not refused for it: they do not wait.
func (r Repair) In(declaration Declaration) Repair {
	ofItsOwn := !declaration.Details.None() || declaration.Taxation.Customer != nil
	if r.Scope == ScopeService && ofItsOwn {
		r.Scope = ScopeNote
	}
	return r
}

// Whose says where what an authority refuses is kept. Package fact has its words for people, of the kind whose.
type Whose string

// Where it is kept.
const (
	OfProfile     Whose = "profile"     // the company's settings
	OfRegister    Whose = "register"    // a register of the company: the CNPJ's, Simples Nacional
	OfCity        Whose = "city"        // the city's agreement, or its register of companies
	OfService     Whose = "service"     // the service's settings
	OfForm        Whose = "form"        // what a person gave for this note
	OfCustomer    Whose = "customer"    // the customer's data
	OfCertificate Whose = "certificate" // the company's certificate
	OfClock       Whose = "clock"       // this machine's clock
	OfProgram     Whose = "program"     // this program
	OfNote        Whose = "note"        // the document that is to be replaced
)

// Act is what a person does about a refusal. Package fact has its words for people, of the kind act.
type Act string

// The acts.
const (
	CorrectProfile     Act = "profile"
	GiveRegistration   Act = "registration"
	CorrectSimples     Act = "simples"
	ChooseSeries       Act = "series"
	CorrectRegister    Act = "register"
	AskCity            Act = "city"
	AskCityThenSend    Act = "city_then_send" // where nothing is tried again by itself
	ChangeCompetence   Act = "competence"
	CorrectService     Act = "service"
	CorrectClassified  Act = "classification"
	CorrectRate        Act = "rate"
	GiveMonthsRate     Act = "months_rate"
	CorrectTaxation    Act = "taxation"
	CorrectWithholding Act = "withholding"
	CompleteNote       Act = "note"
	CorrectCustomer    Act = "customer"
	AddCertificate     Act = "certificate"
	CheckClock         Act = "clock"
	ReportDefect       Act = "report"
	AwaitCity          Act = "await_city"
)

// Scope is which notes would be refused for the same reason. They wait behind the first that
// is, instead of being refused one by one.
type Scope string

// The scopes.
const (
	ScopeNote    Scope = ""        // this note alone
	ScopeService Scope = "service" // the company's notes of the service
	ScopeCompany Scope = "company" // all notes of the company
)

// AutoFix is a change to a declaration that follows from a refusal with certainty, so that it is
// made and tried without a person.
type AutoFix string

// The automatic corrections.
const (
	SendRegistration AutoFix = "send_registration" // the municipal registration of the profile
	OmitRegistration AutoFix = "omit_registration"
	SendRate         AutoFix = "send_rate" // the ISS rate of the service
	OmitRate         AutoFix = "omit_rate"
	OmitAddress      AutoFix = "omit_address"    // of the customer
	OmitFederal      AutoFix = "omit_federal"    // what is withheld of federal taxes, and own PIS and COFINS
	OtherSignature   AutoFix = "other_signature" // by the other hash algorithm than the one that is configured
)

// opposite is the change that another one takes back.
func (m AutoFix) opposite() AutoFix {
	switch m {
	case SendRegistration:
		return OmitRegistration
	case OmitRegistration:
		return SendRegistration
	case SendRate:
		return OmitRate
	case OmitRate:
		return SendRate
	}
	return ""
}

// AutoFixMade is a change that was made, and the code of the refusal that it was made for.
type AutoFixMade struct {
	Code    string  `json:"code"`
	AutoFix AutoFix `json:"mend"`
}

// AutoFixes are those made to one declaration, in order.
type AutoFixes []AutoFixMade

// Has reports whether a change was made.
func (m AutoFixes) Has(autoFix AutoFix) bool {
	return slices.ContainsFunc(m, func(made AutoFixMade) bool { return made.AutoFix == autoFix })
}

// maxAutoFixes is how often a declaration is changed without a person: an authority names one
// error at a time, so that one change may uncover the next.
const maxAutoFixes = 3

// allow reports whether a change may be made for a code: once for each code, and never against
// another, as then it is not certain what the authority wants.
func (m AutoFixes) allow(code string, autoFix AutoFix) bool {
	known := slices.ContainsFunc(m, func(made AutoFixMade) bool { return made.Code == code })
	return autoFix != "" && !known && len(m) < maxAutoFixes && !m.Has(autoFix) && (autoFix.opposite() == "" ||
		!m.Has(autoFix.opposite()))
}

// AutoFixer is an Authority that knows what its refusals ask for.
type AutoFixer interface {
	// RepairOf returns what is known of a code by which it refuses a declaration.
	RepairOf(declaration Declaration, code string) Repair
	// CanAutoFix reports whether a change can be made to a declaration, so that no other rule refuses
	// what is then sent.
	CanAutoFix(declaration Declaration, autoFix AutoFix) bool
}

// Refused reports whether an issuance was certainly refused for what a person can put right,
// and waits for that: nothing of it exists.
func (e Exchange) Refused() bool {
	return e.Kind == Issue && e.State == Unsigned && e.Handling == NeedsPerson && e.Rejection != nil
}

// Repaired is the decision once it is known what corrects its refusal: what is certain is corrected, and the same
// number signed again at once; otherwise a person is asked, and the notes of the scope wait behind this one, as they
// do behind one whose refusal is doubted. ends says that the company wants such notes rejected. Any other decision
// stays as it is.
func (d Decision) Repaired(repair Repair, canAutoFix func(AutoFix) bool, ends bool) Decision {
	e := d.Exchange
	if d.HoldsSiblings() {
		d.SiblingHold = repair.Scope
		return d
	}
	if !e.Refused() {
		return d
	}
	code := e.Rejection.Code
	switch {
	case ends:
		e.State, d.Action = Rejected, Settle
	case e.AutoFixes.allow(code, repair.AutoFix) && canAutoFix(repair.AutoFix):
		e.AutoFixes = append(slices.Clone(e.AutoFixes), AutoFixMade{code, repair.AutoFix})
		e.Handling, d.Action = AutoFixed, Sign
	case repair.FinalUnfixed:
		e.State, d.Action = Rejected, Settle
	default:
		d.SiblingHold = repair.Scope
		if repair.Ours && d.Alarm.None() {
			d.Alarm = fact.RefusedByDefect.With("code", code)
		}
	}
	d.Exchange = e
	return d
}

// Spend ends an exchange that was refused, as its note goes on under another number.
func (e Exchange) Spend() Decision {
	e.State = UsedUp
	return Decision{Exchange: e, Action: NextNumber}
}
