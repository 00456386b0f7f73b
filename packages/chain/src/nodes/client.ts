import type { Token } from "@daric/domain/asset";
import type { BlockDecoder } from "../blocks/block-decoder.ts";
import type { CompleteBlock } from "../blocks/complete-block.ts";
import { type LazyBlock, lazyBlockOf } from "../blocks/lazy-block.ts";
import { InvalidBlockError, NodeError } from "../blocks/node-error.ts";
import { createBlockOverrides } from "./block-overrides.ts";
import type { ChainReader, NodeGroup, TronClient, TronNode, WantedBlock } from "./chain-reader.ts";
import { type KnownNode, withFailover } from "./failover.ts";
import { createHeadSelector, type HeadSelectorOptions } from "./head-selector.ts";
import { type HttpBytes, type HttpJson, openHttpJson } from "./http-json.ts";
import { ImplausibleHeadError } from "./implausible-head.ts";
import { HttpTronNode } from "./node.ts";
import { afterDemotion, afterQuarantine, failoverOrder, healthy } from "./node-health.ts";
import { createOldBlockReader } from "./old-block-reader.ts";
import { type HostWatch, watchHost } from "./watch-host.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
/** A block has at most 2,000,000 bytes on the wire; its JSON holds each byte twice in hex, and more. */
const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Logs have no fixed bound: the energy of one call (15,000 TRX) buys 19 MB of them, twice that in hex. */
const TIMES_LARGER = 4;

export type TronClientOptions = {
  /** in order of preference; `solidityUrl` if `/walletsolidity` has its own port (8091 of your own java-tron) */
  readonly nodes: readonly { readonly url: string; readonly solidityUrl?: string | undefined }[];
  /** the id of block 0; with it a node of another network is refused before its first use */
  readonly genesisId?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** for one answer after decompression; one at a time may be four times as large */
  readonly maxBodyBytes?: number | undefined;
  /** The latest time of a block, in ms since 1970, on networks with the public pace: later blocks wait or are implausible. */
  readonly latestTimeMs?: (() => number) | undefined;
  readonly tokens?: readonly Token[] | undefined;
  readonly decoder?: BlockDecoder | undefined;
  readonly now?: (() => number) | undefined;
  /** called for every failure of a node, even if another node answers */
  readonly onFailure?: ((error: NodeError) => void) | undefined;
  readonly watch?: HostWatch | undefined;
};

/**
 * Opens the nodes as one reader with failover. A node also fails if its head is far behind another's or implausible; one that
 * lags a few blocks no longer leads. While rate limits pause all nodes, a call fails at once with the shortest `retryAfterMs`.
 *
 * @throws TypeError for an invalid URL, or without one.
 */
export function createTronClient(options: TronClientOptions): TronClient {
  if (options.nodes.length === 0) throw new TypeError("at least one node URL is needed");
  const hosts: HttpJson[] = [];
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  const largeBodyBytes = TIMES_LARGER * maxBodyBytes;
  const open = (url: string): HttpJson & HttpBytes => {
    const host = openHttpJson({ url, apiKey: options.apiKey, timeoutMs, maxBodyBytes, largeBodyBytes });
    hosts.push(host);
    return options.watch === undefined ? host : watchHost(host, options.watch);
  };
  const nodes = options.nodes.map(({ url, solidityUrl }) => {
    const http = open(url);
    const solidityHttp = solidityUrl === undefined ? http : open(solidityUrl);
    const { genesisId, latestTimeMs, tokens, decoder } = options;
    const oldBlocks = decoder && createOldBlockReader(decoder, http);
    return new HttpTronNode({ http, solidityHttp, genesisId, latestTimeMs, tokens, oldBlocks });
  });
  return {
    ...groupNodes(nodes, {
      now: options.now ?? (() => performance.now()),
      onFailure: options.onFailure ?? (() => {}),
      keepsTime: options.latestTimeMs !== undefined,
    }),
    close: async () => {
      await Promise.all([options.decoder?.stop(), ...hosts.map((host) => host.close())]);
    },
  };
}

export function groupNodes(nodes: readonly TronNode[], selection: HeadSelectorOptions): NodeGroup {
  const known = nodes.map((node): KnownNode => ({ node, health: healthy }));
  const query = <T>(call: (node: TronNode) => Promise<T>) => withFailover(known, selection, call);
  const overrides = createBlockOverrides();
  return {
    nodes,
    overrides,
    query,
    demoteLead: () => {
      const [leader] = failoverOrder(known, selection.now());
      if (leader !== undefined) leader.health = afterDemotion(leader.health, selection.now());
    },
    quarantine: (node) => {
      for (const member of known)
        if (member.node === node) member.health = afterQuarantine(member.health, selection.now());
    },
    getHeadBlock: headReader(known, selection),
    getBlock: (number) => query((node) => node.getBlock(number)),
    getBlockById: (id) => query((node) => node.getBlockById(id)),
    getTransactionInfos: (number) => query((node) => node.getTransactionInfos(number)),
    getSolidBlock: () => query((node) => node.getSolidBlock()),
    getGenesisId: () => query((node) => node.getGenesisId()),
    getTokenDecimals: (contract) => query((node) => node.getTokenDecimals(contract)),
    getSolidBalance: (address, token) => query((node) => node.getSolidBalance(address, token)),
    fetchCompleteBlock: (number, parent) => {
      const call = (node: TronNode) => node.fetchCompleteBlock(number, parent);
      return queryOrOverride({ query, overrides }, call, (accepted) => accepted);
    },
    fetchBlock: async (wanted) => {
      const lazyOf = (accepted: CompleteBlock) => lazyBlockOf(accepted, wanted.tokens);
      let answering: TronNode | undefined;
      const call = async (node: TronNode): Promise<LazyBlock> => {
        const block = await fetchFrom(node, wanted);
        answering = node;
        return block;
      };
      const block = await queryOrOverride({ query, overrides }, call, lazyOf);
      return { ...block, summary: { ...block.summary, sourceNode: answering?.label } };
    },
  };
}

async function fetchFrom(node: TronNode, wanted: WantedBlock): Promise<LazyBlock> {
  if (wanted.isOld && node.fetchOldBlock !== undefined) return node.fetchOldBlock(wanted);
  const { number, parent, tokens } = wanted;
  return lazyBlockOf(await node.fetchCompleteBlock(number, parent), tokens);
}

/** The answer of the first node that has one. An overridden block counts as an answer, so its faults count against no node. */
async function queryOrOverride<T>(
  { query, overrides }: Pick<NodeGroup, "query" | "overrides">,
  call: (node: TronNode) => Promise<T>,
  readAccepted: (block: CompleteBlock) => T,
): Promise<T> {
  const responses: InvalidBlockError[] = [];
  const collecting = (node: TronNode) =>
    call(node).catch((error: unknown) => {
      if (error instanceof InvalidBlockError) responses.push(error);
      throw error;
    });
  return query(collecting).catch((failure: unknown) => readAccepted(overrides.apply(failure, responses)));
}

function headReader(
  known: readonly KnownNode[],
  selection: HeadSelectorOptions,
): ChainReader["getHeadBlock"] {
  const newestHead = createHeadSelector(selection);
  return async () => {
    const inOrder = failoverOrder(known, selection.now()).map(({ node }) => node);
    const laggards = await newestHead.findLaggards(inOrder);
    for (const member of known)
      if (laggards.includes(member.node)) member.health = afterDemotion(member.health, selection.now());
    const errors: ImplausibleHeadError[] = [];
    const call = (node: TronNode) =>
      newestHead.of(node).catch((error: unknown) => {
        if (error instanceof ImplausibleHeadError) errors.push(error);
        throw error;
      });
    try {
      return await withFailover(known, selection, call);
    } catch (error) {
      const head = newestHead.selectImplausible(errors);
      if (head === undefined || (error instanceof NodeError && error.fault === "wrong_chain")) throw error;
      return head;
    }
  };
}
