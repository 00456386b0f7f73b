import type { Command } from "commander";
import { checkNode } from "../chain/check-node.ts";
import { openHttpJson } from "../chain/http-json.ts";
import { findNetwork, type Network } from "../chain/networks.ts";
import type { Finding } from "../chain/node-needs.ts";
import { createNodeProbe } from "../chain/node-probe.ts";
import { faultOfNetwork, faultOfNodes } from "../chain/settings.ts";
import { readSettings, variableOf } from "../config.ts";
import { systemClock } from "../runtime/clock.ts";
import { ConfigError } from "../runtime/setting.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printTable } from "./print.ts";
import type { Terminal } from "./terminal.ts";

const SETTINGS = [
  "chain.network",
  "chain.genesisId",
  "chain.usdtContract",
  "chain.nodeUrls",
  "chain.solidityUrls",
  "chain.apiKey",
] as const;
const LIMITS = { timeoutMs: 10_000, maxBodyBytes: 32 * 1024 * 1024 };

/** `daric network check`: whether each node has what the service needs, asked before anything depends on it. */
export function addNetworkCommands(program: Command, terminal: Terminal): void {
  program
    .command("network")
    .description("the nodes that say what is on the chain")
    .command("check")
    .description("ask each node for what the service needs; exit code 1 where something needed is missing")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const { chain } = readSettings(terminal.variables, SETTINGS);
      const fault = faultOfNetwork(chain) ?? faultOfNodes(chain.nodeUrls, chain.solidityUrls);
      if (fault !== undefined) throw new ConfigError(fault);
      const network = await findNetwork(chain);
      const findings = await Promise.all(
        chain.nodeUrls.map((url, index) =>
          checkUrl({ url, solidityUrl: chain.solidityUrls[index], apiKey: chain.apiKey }, network),
        ),
      );
      const views = findings.flat();
      printTable(terminal, options, { views, columns: ["node", "need", "verdict", "detail", "advice"] });
      const lacking = views.filter(({ verdict }) => verdict === "missing");
      if (lacking.length === 0) return;
      const places = lacking.map(({ node, need }) => `${need} at ${node}`).join(", ");
      throw new CommandError(`missing: ${places} (${variableOf("chain.nodeUrls")} says who is asked)`);
    });
}

type Place = {
  readonly url: string;
  readonly solidityUrl: string | undefined;
  readonly apiKey: string | undefined;
};

async function checkUrl(
  { url, solidityUrl, apiKey }: Place,
  network: Network,
): Promise<(Finding & { readonly node: string })[]> {
  const http = openHttpJson({ url, apiKey, ...LIMITS });
  const solidityHttp =
    solidityUrl === undefined ? http : openHttpJson({ url: solidityUrl, apiKey, ...LIMITS });
  try {
    const now = () => systemClock.now().getTime();
    const findings = await checkNode(createNodeProbe({ http, solidityHttp, network, now }));
    return findings.map((finding) => ({ node: http.label, ...finding }));
  } finally {
    await Promise.all([http.close(), solidityHttp.close()]);
  }
}
