import { parseArgs } from "node:util";
import { Daric } from "@daric/sdk";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { foreignText } from "./foreign-text.ts";
import { reasonToRefuse } from "./key-check.ts";
import { createMcpServer, MCP_VERSION, toolsFor } from "./mcp-server.ts";

const USAGE = `Usage: DARIC_URL=https://pay.example.com DARIC_API_KEY=daric_… daric-mcp [--create] [--payer-texts]

An MCP server over stdio for one merchant of Daric. It reads only.
  --create        also makes orders and payment links; the key needs charges:write
  --payer-texts   also shows names, notes, references and e-mail addresses that payers typed`;

/** Longest line on standard error. */
const MAX_LINE = 400;

type Start = {
  readonly args: readonly string[];
  readonly variables: NodeJS.ProcessEnv;
  /** writes one line for people; standard output belongs to the protocol */
  readonly say: (line: string) => void;
};

/**
 * Serves MCP on standard input and output until the client closes it. Returns the exit code: 0 once it serves, 1 if the service
 * cannot be reached or the key is refused, 2 for a wrong start. It says whose key it is, and never the key.
 */
export async function runMcp({ args, variables, say }: Start): Promise<number> {
  const flags = flagsOf(args);
  if (flags === undefined || flags.help) {
    for (const line of USAGE.split("\n")) say(line);
    return flags === undefined ? 2 : 0;
  }
  const { DARIC_URL: baseUrl, DARIC_API_KEY: apiKey } = variables;
  if (!baseUrl || !apiKey) {
    say(`set DARIC_URL and DARIC_API_KEY: ${baseUrl ? "DARIC_API_KEY" : "DARIC_URL"} is missing`);
    return 2;
  }
  const sayText = (text: string) => say(foreignText(text.replaceAll(apiKey, "[API key]"), MAX_LINE) ?? "");
  try {
    return await serve({ baseUrl, apiKey, flags, say: sayText });
  } catch (error) {
    sayText(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

type Flags = { readonly create: boolean; readonly "payer-texts": boolean; readonly help: boolean };

/** Undefined for an unknown flag. */
function flagsOf(args: readonly string[]): Flags | undefined {
  const flag = { type: "boolean", default: false } as const;
  try {
    const options = { create: flag, "payer-texts": flag, help: flag };
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch {
    return undefined;
  }
}

type Service = { baseUrl: string; apiKey: string; flags: Flags; say: (line: string) => void };

/** @throws DaricError if the service refuses or cannot be reached; TypeError for a malformed URL or key. */
async function serve({ baseUrl, apiKey, flags, say }: Service): Promise<number> {
  const daric = new Daric({ baseUrl, apiKey, userAgent: `daric-mcp/${MCP_VERSION}`, warn: say });
  const account = await daric.account.retrieve();
  const refusal = reasonToRefuse(account, { canCreate: flags.create });
  if (refusal !== undefined) {
    say(refusal);
    return 1;
  }
  const { offered, missing } = toolsFor({ scopes: account.scopes, canCreate: flags.create });
  const { merchantId, network, environment, scopes } = account;
  say(
    `merchant ${JSON.stringify(foreignText(account.name))} (${merchantId}), network ${network}, environment ${environment}`,
  );
  say(
    `${flags.create ? "reads, and creates orders and payment links" : "reads only"}; texts that payers typed are ${flags["payer-texts"] ? "shown, marked" : "left out"}`,
  );
  for (const { name, lacks } of missing) say(`no tool ${name}: the key lacks ${lacks.join(" and ")}`);
  const shop = { daric, apiKey, scopes, showsPayerTexts: flags["payer-texts"] };
  await createMcpServer(shop, offered).connect(new StdioServerTransport());
  return 0;
}
