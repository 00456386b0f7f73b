import { checkNode } from "@daric/chain/nodes/check-node";
import { compareInternals } from "@daric/chain/nodes/compare-internals";
import { findNetwork } from "@daric/chain/nodes/networks";
import { faultOfNetwork, faultOfNodes, networkPaths } from "@daric/chain/nodes/settings";
import { ConfigError } from "@daric/runtime/setting";
import type { Command } from "commander";
import { readSettings, variableOf } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printTable } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withProbe } from "./try-nodes.ts";

const SETTINGS = [...networkPaths, "chain.nodeUrls", "chain.solidityUrls", "chain.apiKey"] as const;
const TIMEOUT_MS = 10_000;

/** `daric network check`: checks each node for the service's needs, before a start. */
export function addNetworkCommands(program: Command, terminal: Terminal): void {
  program
    .command("network")
    .description("the nodes of the network")
    .command("check")
    .description("check each node for the needs of the service; exit code 1 if a needed feature is missing")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const { chain } = readSettings(terminal.variables, SETTINGS);
      const fault = faultOfNetwork(chain) ?? faultOfNodes(chain.nodeUrls, chain.solidityUrls);
      if (fault !== undefined) throw new ConfigError(fault);
      const network = await findNetwork(chain);
      const checked = await Promise.all(
        chain.nodeUrls.map((url, index) =>
          withProbe(
            { url, solidityUrl: chain.solidityUrls[index], apiKey: chain.apiKey, timeoutMs: TIMEOUT_MS },
            network,
            async (probe, node) => ({
              node,
              findings: await checkNode(probe),
              recent: await probe.recent().catch(() => undefined),
            }),
          ),
        ),
      );
      const views = compareInternals(checked);
      printTable(terminal, options, { views, columns: ["node", "need", "verdict", "detail", "advice"] });
      const lacking = views.filter(({ verdict }) => verdict === "missing");
      if (lacking.length === 0) return;
      const places = lacking.map(({ node, need }) => `${need} at ${node}`).join(", ");
      throw new CommandError(`missing: ${places} (${variableOf("chain.nodeUrls")} names the nodes)`);
    });
}
