import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { TronNode } from "../chain/chain-reader.ts";
import { variableOf } from "../config.ts";
import { type AgreedWitnesses, askWitnesses, WitnessesInDoubtError } from "../witnesses/ask-witnesses.ts";
import { findKnownWitnesses, type KnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import { pinWitnesses } from "../witnesses/pin-witnesses.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, tableOf, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";
import { nodeSettings, withNodes } from "./with-nodes.ts";

/** The network changes its witnesses between two blocks: nodes that differ at that moment agree soon after. */
const ASKED_TIMES = 3;
const ASK_AGAIN_MS = 4_000;

/** `daric witnesses`: who may sign the blocks that make a payment final. */
export function addWitnessesCommands(program: Command, terminal: Terminal): void {
  const witnesses = program
    .command("witnesses")
    .description("who may sign blocks: 19 of 27 of them make a payment final");
  witnesses
    .command("list")
    .description("the witnesses that are known, by the key that each signs with")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const known = await withDatabase(terminal.variables, [], ({ db, config }) =>
        findKnownWitnesses(db, config.chain.network),
      );
      if (known === undefined)
        throw new CommandError("no witnesses are pinned yet: `daric witnesses pin` asks the nodes");
      printFound(terminal, options, { json: jsonOf(known), text: () => textOf(known) });
    });
  witnesses
    .command("pin")
    .description("ask every node who the witnesses are and, where all say the same, make them the known ones")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nThe first start does this by itself, and changes are learned from blocks. It is needed after an outage in which more than\n" +
        "8 of 27 witnesses or keys have changed: deposits are then STUCK as `unproven`. Compare the fingerprint with somebody\n" +
        "who runs nodes of their own.",
    )
    .action(async (options: OutputOptions) => {
      const { before, agreed } = await withDatabase(
        terminal.variables,
        nodeSettings,
        async ({ db, config }) => {
          const before = await findKnownWitnesses(db, config.chain.network);
          const agreed = await withNodes(config.chain, async ({ client, network }) => {
            const agreed = await askUntilTheyAgree(terminal, client.nodes);
            await pinWitnesses(db, { network: network.name, agreed });
            return agreed;
          });
          return { before, agreed };
        },
      );
      const change = changeOf(before, agreed);
      printFound(terminal, options, { json: change, text: () => textOfChange(change) });
    });
}

async function askUntilTheyAgree(terminal: Terminal, nodes: readonly TronNode[]): Promise<AgreedWitnesses> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await askWitnesses(nodes);
    } catch (error) {
      if (!(error instanceof WitnessesInDoubtError)) throw error;
      if (asked < ASKED_TIMES) {
        await sleep(ASK_AGAIN_MS);
        continue;
      }
      for (const reason of error.reasons) terminal.writeError(`daric: ${reason}\n`);
      throw new CommandError(
        `nothing was pinned, because ${error.headline}: every node of ${variableOf("chain.nodeUrls")} must say the same; ` +
          "leave out those that are wrong or do not serve listwitnesses",
      );
    }
  }
}

function jsonOf({ active, fingerprint, pinnedAt, keys }: KnownWitnesses): object {
  return { active, fingerprint, pinnedAt: pinnedAt.toISOString(), witnesses: keys };
}

function textOf(known: KnownWitnesses): string {
  const views = known.keys.map(
    ({ witnessHex, signerHex, sinceBlock, lastBlock }): View => ({
      witness: witnessHex,
      signsWith: signerHex === witnessHex ? "its own key" : signerHex,
      sinceBlock,
      lastBlock,
    }),
  );
  return (
    `${known.active} active witnesses, pinned ${known.pinnedAt.toISOString()} with the fingerprint ${known.fingerprint}\n\n` +
    tableOf(views, ["witness", "signsWith", "sinceBlock", "lastBlock"])
  );
}

type Change = {
  readonly active: number;
  readonly fingerprint: string;
  readonly previousFingerprint: string | null;
  readonly changed: readonly {
    readonly witness: string;
    readonly was: string | null;
    readonly is: string | null;
  }[];
};

/** Against what was known until now, learned keys included. */
function changeOf(before: KnownWitnesses | undefined, agreed: AgreedWitnesses): Change {
  const was = new Map(before?.keys.map((key) => [key.witnessHex, key.signerHex]));
  const is = new Map(agreed.keys.map((key) => [key.witnessHex, key.signerHex]));
  return {
    active: agreed.active,
    fingerprint: agreed.fingerprint,
    previousFingerprint: before?.fingerprint ?? null,
    changed: [...new Set([...was.keys(), ...is.keys()])]
      .sort()
      .map((witness) => ({ witness, was: was.get(witness) ?? null, is: is.get(witness) ?? null }))
      .filter((one) => one.was !== one.is),
  };
}

function textOfChange({ active, fingerprint, previousFingerprint, changed }: Change): string {
  const lines = [
    `${active} active witnesses are pinned.`,
    `  fingerprint  ${fingerprint}`,
    `  before       ${previousFingerprint ?? "-"}`,
    changed.length === 0 ? "Nothing has changed." : "",
  ];
  return `${lines.join("\n")}\n${changed.length === 0 ? "" : tableOf(changed, ["witness", "was", "is"])}`;
}
