import { createAcceptances } from "./acceptances.ts";
import type { ChainReader, NodeGroup, TronClient, TronNode } from "./chain-reader.ts";
import { type HttpJson, openHttpJson } from "./http-json.ts";
import { createNewestHead, DoubtfulHeadError } from "./newest-head.ts";
import { HttpTronNode } from "./node.ts";
import { isMissingBlock, moreTelling, NodeError } from "./node-error.ts";
import {
  afterFailure,
  afterPassedLead,
  afterQuarantine,
  afterSuccess,
  askingOrder,
  healthy,
  type NodeHealth,
} from "./node-health.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
/** A block is at most 2,000,000 bytes on the wire; its JSON holds each byte twice in hex, and more. */
const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Only `nodes` is needed. */
export type TronClientOptions = {
  /** In order of preference. `solidityUrl` where `/walletsolidity` has its own port (8091 of an own java-tron). */
  readonly nodes: readonly { readonly url: string; readonly solidityUrl?: string | undefined }[];
  /** Id of the network's block 0. When given, a node of another network is refused before its first use. */
  readonly genesisId?: string | undefined;
  /** Sent as `TRON-PRO-API-KEY`. */
  readonly apiKey?: string | undefined;
  /** Of one HTTP call in total: connecting, waiting and reading. */
  readonly timeoutMs?: number | undefined;
  /** Of one answer, after decompression. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * The latest time that a block may carry now, in ms since 1970. Given where blocks come at the pace of public
   * networks: a later block is not read yet, and a head that outruns the pace is doubted.
   */
  readonly latestTimeMs?: (() => number) | undefined;
  /** The contract of USDT (`41…`): when given, a block whose logs are not those of its direct calls is incomplete. */
  readonly usdtContractHex?: string | undefined;
  /** Monotonic clock in ms. */
  readonly now?: (() => number) | undefined;
  /** Told of every failure of a node, also of one that another node makes good. */
  readonly onFailure?: ((error: NodeError) => void) | undefined;
};

type KnownNode = { readonly node: TronNode; health: NodeHealth };

/**
 * Opens the nodes as one reader of the chain. A call asks the nodes one after another, those that failed lately
 * last, until one gives a believable answer; a WrongChainError ends it at once, since it is the configuration that
 * is wrong. A node counts as failed when its head has fallen far behind another one's or cannot be one yet; one that lags by a few
 * blocks leads no longer. When every
 * node is paused by its rate limit the call fails without asking, with the shortest `retryAfterMs`.
 *
 * @throws TypeError when a URL is wrong or none is given.
 */
export function createTronClient(options: TronClientOptions): TronClient {
  if (options.nodes.length === 0) throw new TypeError("at least one node URL is needed");
  const hosts: HttpJson[] = [];
  const open = (url: string): HttpJson => {
    const host = openHttpJson({
      url,
      apiKey: options.apiKey,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    });
    hosts.push(host);
    return host;
  };
  const nodes = options.nodes.map(({ url, solidityUrl }) => {
    const http = open(url);
    const solidityHttp = solidityUrl === undefined ? http : open(solidityUrl);
    const { genesisId, latestTimeMs, usdtContractHex } = options;
    return new HttpTronNode({ http, solidityHttp, genesisId, latestTimeMs, usdtContractHex });
  });
  return {
    ...groupNodes(nodes, {
      now: options.now ?? (() => performance.now()),
      onFailure: options.onFailure ?? (() => {}),
      keepsTime: options.latestTimeMs !== undefined,
    }),
    close: async () => {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };
}

type Asking = {
  readonly now: () => number;
  readonly onFailure: (error: NodeError) => void;
  readonly keepsTime: boolean;
};

/** Nodes as one reader that fails over from one to the next, in the way that `createTronClient` promises. */
export function groupNodes(nodes: readonly TronNode[], asking: Asking): NodeGroup {
  const known = nodes.map((node): KnownNode => ({ node, health: healthy }));
  const ask = <T>(question: (node: TronNode) => Promise<T>) => askInTurn(known, asking, question);
  const acceptances = createAcceptances();
  return {
    nodes,
    acceptances,
    ask,
    passLead: () => {
      const [leader] = askingOrder(known, asking.now());
      if (leader !== undefined) leader.health = afterPassedLead(leader.health, asking.now());
    },
    quarantine: (node) => {
      for (const one of known) if (one.node === node) one.health = afterQuarantine(one.health, asking.now());
    },
    getHeadBlock: headReader(known, asking),
    getBlock: (number) => ask((node) => node.getBlock(number)),
    getBlockById: (id) => ask((node) => node.getBlockById(id)),
    getTransactionInfos: (number) => ask((node) => node.getTransactionInfos(number)),
    getSolidBlock: () => ask((node) => node.getSolidBlock()),
    getSolidBlockByNumber: (number) => ask((node) => node.getSolidBlockByNumber(number)),
    getGenesisId: () => ask((node) => node.getGenesisId()),
    getTokenDecimals: (contract) => ask((node) => node.getTokenDecimals(contract)),
    getSolidBalance: (address, token) => ask((node) => node.getSolidBalance(address, token)),
    fetchCompleteBlock: (number, parent, latestMs) =>
      ask((node) => node.fetchCompleteBlock(number, parent, latestMs)).catch(acceptances.take),
  };
}

function headReader(known: readonly KnownNode[], asking: Asking): ChainReader["getHeadBlock"] {
  const newestHead = createNewestHead(asking);
  return async () => {
    const inOrder = askingOrder(known, asking.now()).map(({ node }) => node);
    const laggards = await newestHead.findLaggards(inOrder);
    for (const one of known)
      if (laggards.includes(one.node)) one.health = afterPassedLead(one.health, asking.now());
    const doubts: DoubtfulHeadError[] = [];
    const question = (node: TronNode) =>
      newestHead.of(node).catch((error: unknown) => {
        if (error instanceof DoubtfulHeadError) doubts.push(error);
        throw error;
      });
    try {
      return await askInTurn(known, asking, question);
    } catch (error) {
      const head = newestHead.ofDoubtful(doubts);
      if (head === undefined || (error instanceof NodeError && error.fault === "wrong_chain")) throw error;
      return head;
    }
  };
}

async function askInTurn<T>(
  known: readonly KnownNode[],
  { now, onFailure }: Asking,
  question: (node: TronNode) => Promise<T>,
): Promise<T> {
  let failure: NodeError | undefined;
  for (const candidate of askingOrder(known, now())) {
    try {
      const answer = await question(candidate.node);
      candidate.health = afterSuccess(candidate.health);
      return answer;
    } catch (error) {
      if (!(error instanceof NodeError) || error.fault === "wrong_chain") throw error;
      failure = failure === undefined ? error : moreTelling(failure, error);
      if (isMissingBlock(error)) continue;
      candidate.health = afterFailure(candidate.health, error, now());
      onFailure(error);
    }
  }
  throw failure ?? allPaused(known, now());
}

function allPaused(known: readonly KnownNode[], now: number): NodeError {
  const retryAfterMs = Math.min(...known.map(({ health }) => health.pausedUntil)) - now;
  const node = known.map((one) => one.node.label).join(", ");
  return new NodeError("left alone after a rate limit", { fault: "rate_limited", node, retryAfterMs });
}
