// An agent's program that is not ours: the client of the MCP SDK for TypeScript, in front of emissor mcp.
//
//	node mcp_client.mjs SDK stdio PROGRAM ARGUMENT...    starts the program, which inherits EMISSOR_...
//	node mcp_client.mjs SDK http URL                     connects to one that listens
//
// SDK is the folder of the package @modelcontextprotocol/sdk. With a test key it goes through a note's
// life; with a live key it does one act, which it confirms, and one that it declines. It prints what it
// saw as JSON.
const [sdk, kind, target, ...args] = process.argv.slice(2);
const load = (file) => import(`${sdk}/dist/esm/${file}`);
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
const { ElicitRequestSchema } = await load("types.js");

const questions = [];
const client = new Client({ name: "npm", version: "1" }, { capabilities: { elicitation: { form: {} } } });
client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
  questions.push(params.message);
  return questions.length === 1 ? { action: "accept", content: { confirm: true } } : { action: "decline" };
});
await client.connect(kind === "stdio"
  ? new StdioClientTransport({ command: target, args, env: process.env })
  : new StreamableHTTPClientTransport(new URL(target)));

// The SDK validates structured content against each tool's output schema, once it knows the tools.
const tools = (await client.listTools()).tools.map((tool) => tool.name);
const call = async (name, input = {}) => {
  const result = await client.callTool({ name, arguments: input });
  if (JSON.stringify(JSON.parse(result.content[0].text)) !== JSON.stringify(result.structuredContent)) {
    throw new Error(`the text of ${name} is not its data`);
  }
  return result.structuredContent;
};

const service = {
  name: "Suporte técnico", description: "Suporte técnico em informática", municipality_code: "3550308",
  default_amount_cents: 15000,
};
const seen = { tools, server: client.getServerVersion().name, status: await call("show_status") };
if (seen.status.environment === "test") {
  const { id } = (await call("create_service", service)).service;
  const issue = async (reference, scenario) => (await call("issue_note", {
    reference: `${kind} ${reference}`, service_id: id, amount_cents: 15000, sandbox_scenario: scenario,
    customer: {
      document: "529.982.247-25", name: "Maria da Silva",
      address: { zip_code: "01310-100", street: "Avenida Paulista", number: "1578", district: "Bela Vista" },
    },
  })).accepted.id;
  const issued = await issue("1", "authorized"), rejected = await issue("2", "rejected");
  seen.issued = await call("wait_for_note", { id: issued });
  seen.xml = (await call("get_note_xml", { id: issued })).xml;
  seen.rejected = await call("wait_for_note", { id: rejected });
  seen.explained = await call("explain_rejection", { id: rejected });
  await call("cancel_note", { id: issued, reason_code: "9", reason_text: "Não serve para mais nada." });
  seen.cancelled = await call("wait_for_note", { id: issued });
  seen.refused = await call("show_note", { id: "nfse_01m0w42mhrfrtr5k9vysj1qpre" });
} else {
  seen.created = await call("create_service", service);
  seen.declined = await call("create_service", service);
}
seen.questions = questions;
await client.close();
console.log(JSON.stringify(seen));
