import type { TronClient } from "@daric/chain/nodes/chain-reader";
import { createTronClient } from "@daric/chain/nodes/client";
import { type Network, readDevnet } from "@daric/chain/nodes/networks";
import type { Scanner } from "@daric/deposits/follow/scanner";
import { TronWeb } from "tronweb";
import type { TestContext } from "./context.ts";
import { aDevchain, type TestDevchain } from "./devchain-client.ts";
import { aScanner, scanToRest } from "./watch.ts";

/** A local chain and a watcher that advance only on the test's command. */
export type TestChain = {
  readonly devchain: TestDevchain;
  readonly network: Network;
  readonly client: TronClient;
  /** sends money from the treasury in the next block */
  pay(address: string, amounts: { usdt?: string; trx?: string }): Promise<string[]>;
  mine(blocks: number, stepMs?: number): Promise<void>;
  reorg(request: { depth: number; drop?: string[]; fail?: string[]; move?: string[] }): Promise<void>;
  /** an unmodified TRON client with the key at this path of the mnemonic */
  wallet(words: string, path: string): TronWeb;
  /** acquires the watcher's lease under this name */
  scanner(context: TestContext, holder?: string): Promise<Scanner>;
  /** polls until there is nothing new */
  scan(context: TestContext): Promise<void>;
  stop(): Promise<void>;
};

export async function startTestChain(): Promise<TestChain> {
  const devchain = await aDevchain();
  const network = await readDevnet(devchain.url);
  const client = createTronClient({
    nodes: [{ url: devchain.url }],
    tokens: network.tokens,
  });

  const scanner = (context: TestContext, holder = "test") => aScanner(context, client, { network, holder });

  await devchain.mine(25);
  return {
    devchain,
    network,
    client,
    pay: async (address, amounts) =>
      (await devchain.control<{ txids: string[] }>("faucet", { address, ...amounts })).txids,
    mine: devchain.mine,
    reorg: async (request) => {
      await devchain.control("reorg", request);
    },
    wallet: (words, path) => devchain.tronWeb(TronWeb.fromMnemonic(words, path).privateKey.slice(2)),
    scanner,
    scan: async (context) => scanToRest(context, await scanner(context)),
    stop: async () => {
      await client.close();
      await devchain.stop();
    },
  };
}
