import type { BlockFolder } from "../blocks/block-folder.ts";
import type { CompleteBlock } from "../blocks/complete-block.ts";
import { type FoldedBlock, foldBlock } from "../blocks/folded-block.ts";
import { NodeError, StrangeBlockError } from "../blocks/node-error.ts";
import { createAcceptances } from "./acceptances.ts";
import { askInTurn, type KnownNode } from "./ask-in-turn.ts";
import type { ChainReader, NodeGroup, TronClient, TronNode, WantedBlock } from "./chain-reader.ts";
import { DoubtfulHeadError } from "./doubtful-head.ts";
import { createFolding } from "./fetch-folded.ts";
import { type HttpBytes, type HttpJson, openHttpJson } from "./http-json.ts";
import { createNewestHead, type NewestHeadOptions } from "./newest-head.ts";
import { HttpTronNode } from "./node.ts";
import { afterPassedLead, afterQuarantine, askingOrder, healthy } from "./node-health.ts";
import { type HostWatch, watchHost } from "./watch-host.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
/** A block is at most 2,000,000 bytes on the wire; its JSON holds each byte twice in hex, and more. */
const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Nothing bounds what logs hold: the energy that one call may burn (15,000 TRX) is worth 19 MB of them, twice that in hex. */
const TIMES_LARGER = 4;

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
  /** Of one answer, after decompression; one at a time may be four times as large. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * The latest time that a block may carry now, in ms since 1970. Given where blocks come at the pace of public
   * networks: a later block is not read yet, and a head that outruns the pace is doubted.
   */
  readonly latestTimeMs?: (() => number) | undefined;
  /** The contract of USDT (`41…`): when given, a block whose logs are not those of its direct calls is incomplete. */
  readonly usdtContractHex?: string | undefined;
  /** Judges old blocks; ended with the client. */
  readonly folder?: BlockFolder | undefined;
  /** Monotonic clock in ms. */
  readonly now?: (() => number) | undefined;
  /** Told of every failure of a node, also of one that another node makes good. */
  readonly onFailure?: ((error: NodeError) => void) | undefined;
  /** Told of whether a node answers at all. */
  readonly watch?: HostWatch | undefined;
};

/**
 * Opens the nodes as one reader of the chain. A call asks the nodes one after another, those that failed lately
 * last, until one gives a believable answer. A node of another network is never believed, and fails as any other does. A node
 * counts as failed too when its head has fallen far behind another one's or cannot be one yet; one that lags by a few blocks
 * leads no longer. When every node is paused by its rate limit the call fails without asking, with the shortest `retryAfterMs`.
 *
 * @throws TypeError when a URL is wrong or none is given.
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
    const { genesisId, latestTimeMs, usdtContractHex, folder } = options;
    const folding = folder && createFolding(folder, http);
    return new HttpTronNode({ http, solidityHttp, genesisId, latestTimeMs, usdtContractHex, folding });
  });
  return {
    ...groupNodes(nodes, {
      now: options.now ?? (() => performance.now()),
      onFailure: options.onFailure ?? (() => {}),
      keepsTime: options.latestTimeMs !== undefined,
    }),
    close: async () => {
      await Promise.all([options.folder?.stop(), ...hosts.map((host) => host.close())]);
    },
  };
}

/** Nodes as one reader that fails over from one to the next, in the way that `createTronClient` promises. */
export function groupNodes(nodes: readonly TronNode[], asking: NewestHeadOptions): NodeGroup {
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
    getGenesisId: () => ask((node) => node.getGenesisId()),
    getTokenDecimals: (contract) => ask((node) => node.getTokenDecimals(contract)),
    getSolidBalance: (address, token) => ask((node) => node.getSolidBalance(address, token)),
    fetchCompleteBlock: (number, parent) => {
      const question = (node: TronNode) => node.fetchCompleteBlock(number, parent);
      return askOrAccept({ ask, acceptances }, question, (accepted) => accepted);
    },
    fetchBlock: async (wanted) => {
      const fold = (accepted: CompleteBlock) => foldBlock(accepted, wanted.usdtContractHex);
      let teller: TronNode | undefined;
      const question = async (node: TronNode): Promise<FoldedBlock> => {
        const block = await fetchFrom(node, wanted);
        teller = node;
        return block;
      };
      const block = await askOrAccept({ ask, acceptances }, question, fold);
      return { ...block, outline: { ...block.outline, toldBy: teller?.label } };
    },
  };
}

async function fetchFrom(node: TronNode, wanted: WantedBlock): Promise<FoldedBlock> {
  if (wanted.isOld && node.fetchOldBlock !== undefined) return node.fetchOldBlock(wanted);
  const { number, parent, usdtContractHex } = wanted;
  return foldBlock(await node.fetchCompleteBlock(number, parent), usdtContractHex);
}

/** What the first node tells that can; or the block as it is accepted, and then nothing that is wrong with it speaks against a node. */
async function askOrAccept<T>(
  { ask, acceptances }: Pick<NodeGroup, "ask" | "acceptances">,
  question: (node: TronNode) => Promise<T>,
  ofAccepted: (block: CompleteBlock) => T,
): Promise<T> {
  const tellings: StrangeBlockError[] = [];
  const noting = (node: TronNode) =>
    question(node).catch((error: unknown) => {
      if (error instanceof StrangeBlockError) tellings.push(error);
      throw error;
    });
  return ask(noting).catch((failure: unknown) => ofAccepted(acceptances.take(failure, tellings)));
}

function headReader(known: readonly KnownNode[], asking: NewestHeadOptions): ChainReader["getHeadBlock"] {
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
