import type { AddressInfo } from "node:net";
import { addressToBase58 } from "@daric/tron/address";
import { mineBlock, openChain } from "./chain/chain.ts";
import { answerControlApi } from "./http/control-api.ts";
import type { Faults } from "./http/faults.ts";
import { close, type HttpAnswer, type HttpCall, listen } from "./http/http-server.ts";
import { answerNodeApi, errorAnswer } from "./http/node-api.ts";
import { startingRates } from "./http/rates.ts";
import { GENESIS } from "./ledger/genesis-accounts.ts";
import { SLOT_MS } from "./ledger/limits.ts";

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
  /** wall clock in milliseconds */
  readonly now?: () => number;
};

export type Devchain = {
  /** http://host:port, the base of /wallet, /walletsolidity and /devchain */
  readonly url: string;
  readonly port: number;
  readonly genesisId: string;
  /** base58 */
  readonly usdtContract: string;
  /** a funded account: base58 address, private key as hex */
  readonly payer: { readonly address: string; readonly privateKey: string };
  /** Opens one more node of this chain on a free port, with faults of its own. `stop` closes it too. */
  addNode(): Promise<{ readonly url: string }>;
  /** Stops producing and closes every connection and the state file. May be called again. */
  stop(): Promise<void>;
};

/**
 * Starts a chain and its HTTP API. Rejects, with nothing left running, when the port is taken (EADDRINUSE) or the
 * data directory is unusable.
 */
export async function startDevchain(options: DevchainOptions = {}): Promise<Devchain> {
  const {
    port = 0,
    host = "127.0.0.1",
    dataDir,
    blockTimeMs = SLOT_MS,
    paused = false,
    now = Date.now,
  } = options;
  const chain = openChain({ dataDir, now });
  const producer = startProducer(() => mineBlock(chain), { blockTimeMs, paused });
  const rates = startingRates();
  const answerWith =
    (faults: Faults) =>
    (call: HttpCall): HttpAnswer =>
      answerNodeApi({ chain, faults }, call) ??
      answerControlApi({ chain, producer, rates, faults }, call) ??
      errorAnswer(404, `${call.path} is not supported by this chain`);
  const release = () => {
    producer.stop();
    chain.store.log.close();
  };
  const server = await listen(answerWith([]), host, port).catch((error: unknown) => {
    release();
    throw error;
  });
  const servers = [server];
  const bound = boundAddress(server.address());
  const urlAt = (at: AddressInfo) => `http://${host.includes(":") ? `[${host}]` : host}:${at.port}`;
  let stopped: Promise<void> | undefined;
  return {
    url: urlAt(bound),
    port: bound.port,
    genesisId: chain.store.ids[0] ?? "",
    usdtContract: addressToBase58(GENESIS.usdtContract),
    payer: { address: addressToBase58(GENESIS.payer.address), privateKey: GENESIS.payer.privateKey },
    addNode: async () => {
      const node = await listen(answerWith([]), host, 0);
      servers.push(node);
      return { url: urlAt(boundAddress(node.address())) };
    },
    stop: () => {
      stopped ??= Promise.all(servers.map(close)).then(release);
      return stopped;
    },
  };
}

function boundAddress(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}

/** Calls `produce` at a wall-clock pace that can change or pause. */
type Producer = {
  readonly blockTimeMs: number;
  readonly paused: boolean;
  configure(settings: { blockTimeMs?: number | undefined; paused?: boolean | undefined }): void;
  stop(): void;
};

/** Starts producing, first block after one period. */
function startProducer(produce: () => void, settings: { blockTimeMs: number; paused: boolean }): Producer {
  let { blockTimeMs, paused } = settings;
  let timer: NodeJS.Timeout | undefined;
  const restart = () => {
    clearInterval(timer);
    timer = paused ? undefined : setInterval(produce, blockTimeMs);
  };
  restart();
  return {
    get blockTimeMs() {
      return blockTimeMs;
    },
    get paused() {
      return paused;
    },
    configure: (changed) => {
      blockTimeMs = changed.blockTimeMs ?? blockTimeMs;
      paused = changed.paused ?? paused;
      restart();
    },
    stop: () => clearInterval(timer),
  };
}
