// Package shapes redraws what a simulator answers: each answer in one of the forms that were recorded of a real host
// or that its schema allows, so that a client which demands one of them alone fails. It stands between a simulator
// and its clients:
//
//	draw what becomes of a request
//	  -> lost before it is served, or a page of a gateway in its place
//	  -> served, and the answer lost, cut, or replaced by a gateway's page
//	  -> served, and the answer in another form of the same content (JSON in json.go, SOAP in xml.go)
//
// What decides in an answer stays: access keys, documents, codes. What only informs may be anything. Where each form
// comes from is said beside it; the recordings are in test/recorded.
package shapes
