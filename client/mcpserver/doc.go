// Package mcpserver is a server of the Model Context Protocol: tools by which an agent works with
// the API, with the rights of one API key and nothing more. (It is not called mcp because that is
// the name of the SDK's package.)
//
// Three promises, each with a test:
//
//   - Texts of notes, names, descriptions, references and an authority's words, stand in data only:
//     in the structured content of a result, and in its text as the same JSON. What else a tool says
//     was written here. A text that asks an agent for something never stands where instructions do.
//   - With a live key nothing is done but reading, unless the person who started the server allowed it,
//     and a person confirms each act (see confirm.go).
//   - Over HTTP the server listens on this machine only, and answers no page of a browser; it can ask
//     for a token, as it must where live acts are allowed.
package mcpserver
