package nfse

// Classification is how a service is classified for the taxes of the reform, IBS and CBS, and in the Brazilian
// nomenclature of services (NBS). The API has no fields for it: it is set beside the catalogue, and a note takes it
// when it is accepted. The names come from the layout (group IBSCBS of a DPS).
type Classification struct {
	NBS        string `json:"c_nbs"`        // cNBS, 9 digits
	CIndOp     string `json:"c_ind_op"`     // indicator of the operation, 6 digits: where it takes place
	CST        string `json:"cst"`          // 3 digits
	CClassTrib string `json:"c_class_trib"` // 6 digits, the first three being the CST

	IndFinal  *bool   `json:"ind_final"`   // for personal use or consumption; nil when not given
	CCredPres *string `json:"c_cred_pres"` // presumed credit, 2 digits

	RegularTaxation *RegularTaxation `json:"g_trib_regular"` // where the cClassTrib requires it
	Deferral        *Deferral        `json:"g_dif"`          // where the CST requires it

	TpEnteGov *int      `json:"tp_ente_gov"` // government that buys: 1 union, 2 state, 3 federal district, 4 city
	TpOper    *int      `json:"tp_oper"`     // of a supply to it, or of some services: 1, 4 or 5
	Property  *Property `json:"imovel"`      // where the cIndOp is about one
}

// RegularTaxation is how the service would be taxed if its condition were not
// fulfilled (group gTribRegular).
type RegularTaxation struct {
	CST        string `json:"cst_reg"`
	CClassTrib string `json:"c_class_trib_reg"`
}

// Deferral is the percentages that are deferred (group gDif).
type Deferral struct {
	State     Percent `json:"p_dif_uf"`
	Municipal Percent `json:"p_dif_mun"`
	Federal   Percent `json:"p_dif_cbs"`
}

// Property is the real estate that an operation is about (group imovel): its
// number in the Brazilian register (CIB), or its address.
type Property struct {
	Registration *string          `json:"insc_imob_fisc"` // by the city
	CIB          *string          `json:"c_cib"`          // 8 characters
	Address      *PropertyAddress `json:"end"`
}

// PropertyAddress is where a property in the country is.
type PropertyAddress struct {
	ZipCode    string  `json:"cep"`
	Street     string  `json:"x_lgr"`
	Number     string  `json:"nro"`
	Complement *string `json:"x_cpl"`
	District   string  `json:"x_bairro"`
}
