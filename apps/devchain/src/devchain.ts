import type { AddressInfo } from "node:net";
import { addressToBase58 } from "@daric/tron/address";
import { type LocalChain, mineBlock, openChain, readState } from "./chain/chain.ts";
import { type DevAccount, devAccounts, holdersOf, PUBLIC_MNEMONIC } from "./chain/dev-accounts.ts";
import type { GenesisHolder } from "./chain/genesis.ts";
import { noSnapshots } from "./chain/snapshot.ts";
import { giveFromTreasury } from "./chain/treasury.ts";
import { answerEvents } from "./events/answer-events.ts";
import { answerControlApi, type ControlTarget } from "./http/control-api.ts";
import type { Faults } from "./http/faults.ts";
import { type AnsweredCall, close, type HttpAnswer, type HttpCall, listen } from "./http/http-server.ts";
import { answerNodeApi, errorAnswer } from "./http/node-api.ts";
import { startingRates } from "./http/rates.ts";
import { controlOf, type InProcessControl } from "./in-process.ts";
import { answerJsonRpc } from "./jsonrpc/answer-json-rpc.ts";
import { GENESIS } from "./ledger/genesis-accounts.ts";
import { SLOT_MS } from "./ledger/limits.ts";
import { type Producer, startProducer } from "./producer.ts";

export type DevchainOptions = {
  /** 0, the default, picks a free one */
  readonly port?: number;
  /** 127.0.0.1 by default */
  readonly host?: string;
  /** absent: in memory */
  readonly dataDir?: string;
  /** wall-clock milliseconds between blocks, 3000 by default; chain time always steps 3 s */
  readonly blockTimeMs?: number;
  /** mines on request only */
  readonly paused?: boolean;
  /** mines a block for each accepted transaction at once */
  readonly automine?: boolean;
  /** how many accounts of the mnemonic have money, 10 by default and 1000 at most */
  readonly accounts?: number;
  /** English words of BIP-39; the default is public */
  readonly mnemonic?: string;
  /** whole TRX of each account, and as many USDT: 10,000 by default and 1,000,000 at most */
  readonly balance?: number;
  /** wall clock in milliseconds */
  readonly now?: () => number;
  /** hears of each answer */
  readonly onAnswer?: (answered: AnsweredCall) => void;
};

export type Devchain = InProcessControl & {
  /** http://host:port, the base of /wallet, /walletsolidity, /jsonrpc, /v1 and /devchain */
  readonly url: string;
  readonly port: number;
  readonly genesisId: string;
  /** base58 */
  readonly usdtContract: string;
  /** a funded account: base58 address, private key as hex */
  readonly payer: DevAccount;
  /** funded accounts, m/44'/195'/0'/0/i of the mnemonic */
  readonly accounts: readonly DevAccount[];
  readonly mnemonic: string;
  /** Opens one more node of this chain on a free port, with faults of its own. `stop` closes it too. */
  addNode(): Promise<{ readonly url: string }>;
  /** Stops producing and closes every connection and the state file. May be called again. */
  stop(): Promise<void>;
};

/**
 * Starts a chain and its HTTP API. Chains of one process share nothing. Rejects, with nothing left running, when the port
 * is taken (EADDRINUSE), the data directory is unusable, or an option is out of bounds (RangeError).
 */
export async function startDevchain(options: DevchainOptions = {}): Promise<Devchain> {
  const { port = 0, host = "127.0.0.1", onAnswer } = options;
  const parts = openParts(options);
  const { chain, producer, accounts } = parts;
  const answerWith =
    (faults: Faults) =>
    (call: HttpCall): HttpAnswer =>
      answerNodeApi({ chain, faults }, call) ??
      answerJsonRpc(chain, call) ??
      answerEvents(chain, call) ??
      answerControlApi({ ...parts, faults }, call) ??
      errorAnswer(404, `${call.path} is not supported by this chain`);
  const release = () => {
    producer.stop();
    chain.store.log.close();
  };
  const open = (faults: Faults, at: number) => listen(answerWith(faults), { host, port: at, onAnswer });
  const faults: Faults = [];
  const server = await open(faults, port).catch((error: unknown) => {
    release();
    throw error;
  });
  const servers = [server];
  const bound = boundAddress(server.address());
  const urlAt = (at: AddressInfo) => `http://${host.includes(":") ? `[${host}]` : host}:${at.port}`;
  let stopped: Promise<void> | undefined;
  return {
    ...controlOf({ ...parts, faults }),
    url: urlAt(bound),
    port: bound.port,
    genesisId: chain.store.ids[0] ?? "",
    usdtContract: addressToBase58(GENESIS.usdtContract),
    payer: { address: addressToBase58(GENESIS.payer.address), privateKey: GENESIS.payer.privateKey },
    ...accounts,
    addNode: async () => {
      const node = await open([], 0);
      servers.push(node);
      return { url: urlAt(boundAddress(node.address())) };
    },
    stop: () => {
      stopped ??= Promise.all(servers.map(close)).then(release);
      return stopped;
    },
  };
}

/** A running chain without a server. */
function openParts(
  options: DevchainOptions,
): Omit<ControlTarget, "faults"> & { readonly producer: Producer } {
  const { dataDir, blockTimeMs = SLOT_MS, paused = false, automine = false, now = Date.now } = options;
  const { accounts: count = 10, mnemonic = PUBLIC_MNEMONIC, balance = 10_000 } = options;
  const accounts = devAccounts({ count, balance, mnemonic });
  const holders = holdersOf(accounts, balance);
  const chain = openChain({ dataDir, now, holders });
  payMissing(chain, holders);
  chain.automine = automine;
  const producer = startProducer(() => mineBlock(chain), { blockTimeMs, paused });
  const snapshots = noSnapshots();
  return { chain, producer, rates: startingRates(), snapshots, accounts: { mnemonic, accounts } };
}

/** Pays the accounts that a kept chain does not know, with its next block: it was started with others, or with fewer. */
function payMissing(chain: LocalChain, holders: readonly GenesisHolder[]): void {
  for (const { address, ...gift } of holders)
    if (readState(chain, "head").account(address) === undefined) giveFromTreasury(chain, address, gift);
}

function boundAddress(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}
