package nfse

// Status is the state of a note.
type Status string

// The states of a note. Issued, rejected and cancelled are terminal, but an
// issued note can still be cancelled.
const (
	StatusQueued     Status = "queued"
	StatusProcessing Status = "processing"
	StatusIssued     Status = "issued"
	StatusRejected   Status = "rejected"
	StatusCancelled  Status = "cancelled"
)

// Terminal reports whether the state is one a client may stop polling at.
func (s Status) Terminal() bool {
	return s == StatusIssued || s == StatusRejected || s == StatusCancelled
}

// Scenario chooses the outcome of a note of the test environment.
type Scenario string

// The sandbox scenarios (contract, section 3).
const (
	ScenarioAuthorized Scenario = "authorized"
	ScenarioRejected   Scenario = "rejected"
	ScenarioSlow       Scenario = "slow"
)

// Note is an NFS-e as reads, webhooks and the cancel operation show it.
type Note struct {
	ID           string           `json:"id"`
	Status       Status           `json:"status"`
	Livemode     bool             `json:"livemode"`
	Reference    string           `json:"reference"`
	CustomerID   string           `json:"customer_id"`
	ServiceID    string           `json:"service_id"`
	AmountCents  int64            `json:"amount_cents"`
	Competence   Day              `json:"competence"` // the day of the service, by which it is taxed
	ISSWithheld  bool             `json:"iss_withheld"`
	Service      ServiceSnapshot  `json:"service"`
	Customer     CustomerSnapshot `json:"customer"`
	Municipality NoteMunicipality `json:"municipality"`
	Authority    *Authorization   `json:"authority"`
	Rejection    *Rejection       `json:"rejection"`
	Cancellation *Cancellation    `json:"cancellation"`
	CreatedAt    Timestamp        `json:"created_at"`
	UpdatedAt    Timestamp        `json:"updated_at"`
	ProcessingAt *Timestamp       `json:"processing_at"`
	IssuedAt     *Timestamp       `json:"issued_at"`
	RejectedAt   *Timestamp       `json:"rejected_at"`
	CancelledAt  *Timestamp       `json:"cancelled_at"`

	// Replaces is the note that this one replaces, ReplacedBy the one that has replaced it or is to;
	// empty for none.
	Replaces   string `json:"-"`
	ReplacedBy string `json:"-"`
}

// MunicipalitySource tells where the taker's municipality comes from.
type MunicipalitySource string

// The sources of a taker's municipality.
const (
	MunicipalityFromZipCode  MunicipalitySource = "zip_code" // a look-up of the zip code
	MunicipalityFromCaller   MunicipalitySource = "declared" // the code sent with the issuance
	MunicipalityFromCustomer MunicipalitySource = "customer" // the code of the customer record
)

// NoteMunicipality is the taker's municipality.
type NoteMunicipality struct {
	Code     string             `json:"code"`
	Source   MunicipalitySource `json:"source"`
	Verified bool               `json:"verified"` // a look-up of the zip code gave the same
}

// Authorization is what the tax authority gave the note. In the test environment its
// values are simulated, and recognizable as such.
type Authorization struct {
	Number           *string   `json:"number"`
	VerificationCode *string   `json:"verification_code"`
	AccessKey        *string   `json:"access_key"`
	IssuedAt         Timestamp `json:"issued_at"`
	Totals           *Totals   `json:"totals"` // nil in test, and where the document states none
}

// Moving reports whether the note will still change by itself: it has not reached
// a terminal state, or a cancellation of it is pending.
// What a city decides in weeks does not move.
func (n Note) Moving() bool {
	return !n.Status.Terminal() || n.CancellationPending() && !n.CityDecides()
}

// CancellationPending reports whether a cancellation of the note is pending.
func (n Note) CancellationPending() bool {
	return n.Cancellation != nil && n.Cancellation.Status == CancellationPending
}

// BeingReplaced reports whether another note is on its way that replaces this one: that note's
// end decides, and nothing is to be done about this one before. Its cancellation is pending
// meanwhile.
func (n Note) BeingReplaced() bool { return n.Status == StatusIssued && n.ReplacedBy != "" }

// CancellationToDo reports whether something is to be done here about a pending cancellation.
func (n Note) CancellationToDo() bool {
	return n.CancellationPending() && !n.CityDecides() && !n.BeingReplaced()
}

// CityDecides reports whether the city has the request to decide about the cancellation:
// nothing is to be done here before it answers.
func (n Note) CityDecides() bool { return n.Cancellation.analysis() == AnalysisPending }

// AnalysisAsked reports whether the request that the city decide is still on its way to it.
func (n Note) AnalysisAsked() bool { return n.Cancellation.analysis() == AnalysisAsked }

// AnalysisDenied reports whether the city has denied the cancellation, for good.
func (n Note) AnalysisDenied() bool { return n.Cancellation.analysis() == AnalysisDenied }
