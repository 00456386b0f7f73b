import { Daric, type DaricOptions } from "@daric/sdk";
import type { Account } from "@daric/sdk/contract";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { createMcpServer, toolsFor } from "../src/mcp-server.ts";

export const TEST_KEY = `daric_test_sk_${"0123456789abcdef"}_${"s".repeat(40)}`;
const ALL: Account["scopes"] = [
  "charges:read",
  "charges:write",
  "deposits:read",
  "refunds:read",
  "settlements:read",
  "webhooks:read",
];

/** The official client, connected in memory to a server whose service gives the answers of a test. */
export type Assistant = {
  readonly client: Client;
  readonly service: Receiver;
  /** the whole result of a call, and its structured content, or its failure */
  call(name: string, args?: object): Promise<{ result: CallToolResult; content: Content }>;
  close(): Promise<void>;
};
// biome-ignore lint/suspicious/noExplicitAny: tests assert the content of answers
type Content = Record<string, any>;

export async function anAssistant({
  showsPayerTexts = false,
  ...options
}: { showsPayerTexts?: boolean } & Partial<DaricOptions> = {}): Promise<Assistant> {
  const service = await startReceiver();
  const daric = new Daric({
    ...{ baseUrl: new URL(service.url).origin, apiKey: TEST_KEY, maxRetries: 0, warn: () => undefined },
    ...options,
  });
  const shop = { daric, apiKey: TEST_KEY, scopes: ALL, showsPayerTexts };
  const server = createMcpServer(shop, toolsFor({ scopes: ALL, canCreate: true }).offered);
  const client = new Client({ name: "test", version: "1" });
  const [own, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(other), client.connect(own)]);
  // The client checks structured content against the schemas that it has listed.
  await client.listTools();
  return {
    ...{ client, service },
    call: async (name, args = {}) => {
      const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
      return { result, content: result.structuredContent ?? failureIn(result) };
    },
    close: async () => {
      await client.close();
      await service.close();
    },
  };
}

/** The failure of a tool is JSON text; that of a wrong input is a sentence of the protocol's package. */
function failureIn({ content: [part] }: CallToolResult): Content {
  return part?.type === "text" && part.text.startsWith("{") ? JSON.parse(part.text) : {};
}

type Rows = Readonly<Record<string, unknown>>;

/** Answers each path, without its query, by its rows: a list gets its page. Unknown paths get NOT_FOUND. */
export function answerWith(service: Receiver, rows: Rows): void {
  service.answer = (response, { path, method }) => {
    const data = rows[`${method} ${path.split("?")[0]}`];
    const isFound = data !== undefined;
    const body = isFound
      ? { success: true, message: "Success", data, ...(Array.isArray(data) && { meta: pageOf(data) }) }
      : { success: false, message: "Not found.", error: { code: "NOT_FOUND" }, correlationId: "c-404" };
    response.writeHead(isFound ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

function pageOf(rows: readonly unknown[]) {
  return { page: 1, limit: rows.length + 1, total: rows.length };
}
