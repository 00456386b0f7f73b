import type { Token } from "@daric/domain/asset";
import type { ResourcePrices } from "@daric/domain/sweep-price";
import type { CompleteBlock } from "../blocks/complete-block.ts";
import type { LazyBlock } from "../blocks/lazy-block.ts";
import type { NodeTransaction } from "../blocks/node-transaction.ts";
import type { Block, BlockHeader } from "../blocks/parse-block.ts";
import type { TransactionInfo } from "../blocks/parse-transaction-info.ts";
import type { BlockOverrides } from "./block-overrides.ts";
import type { LastHeaders } from "./last-header.ts";

/** The calls to the chain, all validated and bounded in time and size. Every failure is a NodeError. */
export type ChainReader = {
  /** The newest block's header. A fork may replace it, and the next answer of a gateway may be older. */
  getHeadBlock(): Promise<BlockHeader>;
  getBlock(number: number): Promise<Block | undefined>;
  /** Also a block off the node's main chain; undefined if the node does not know the id. */
  getBlockById(id: string): Promise<Block | undefined>;
  /** The infos of a height. An unknown block has none either; `fetchCompleteBlock` distinguishes the two. */
  getTransactionInfos(number: number): Promise<TransactionInfo[]>;
  /** The newest solid block's header, which no honest node replaces. */
  getSolidBlock(): Promise<BlockHeader>;
  getGenesisId(): Promise<string>;
  /** `decimals()` of a TRC-20 contract (base58) at the head; undefined if there is no such contract. */
  getTokenDecimals(contract: string): Promise<number | undefined>;
  /**
   * The block at a height (1 or above) with its infos, from one node and proven to belong together.
   *
   * @throws IncompleteBlockError if it is missing or inconsistent, or not later than `parent`.
   * @throws NodeError `ahead_of_clock` while our clock is behind the block.
   */
  fetchCompleteBlock(number: number, parent?: ParentBlock): Promise<CompleteBlock>;
};

export type ParentBlock = Pick<BlockHeader, "id" | "timeMs">;

export type WantedBlock = {
  readonly number: number;
  readonly parent?: ParentBlock | undefined;
  readonly tokens: readonly Token[];
  /** prefers throughput of many blocks over latency and few calls */
  readonly isOld: boolean;
};

export interface TronNode extends ChainReader {
  /** its host, for messages and metrics */
  readonly label: string;
  /** its last answers for head and solid block, to any caller */
  readonly lastReported?: Readonly<LastHeaders>;
  readonly solidityFault: string | undefined;
  /** Whether an address (base58) was ever used: it has an account, or a balance of one of these tokens, at the head. */
  hasHistory(address: string, tokens: readonly Token[]): Promise<boolean>;
  getHeader(number: number): Promise<BlockHeader | undefined>;
  /** The balance of an address (base58) in the newest solid block, in minor units of this TRC-20 contract or else in sun. */
  getSolidBalance(address: string, token: string | undefined): Promise<bigint>;
  /** A transaction with its info; undefined while the node knows no block that includes it. */
  findRun(txId: string): Promise<NodeTransaction | undefined>;
  getResourcePrices(): Promise<ResourcePrices>;
  /** Any other call of the node's HTTP API. @throws NodeError for a failure, and for an answer that `parse` refuses. */
  call<T>(path: string, params: object, parse: (answer: unknown) => T): Promise<T>;
  /** Like {@link ChainReader.fetchCompleteBlock}, in a faster way for old blocks, if the node has one. */
  fetchOldBlock?(wanted: WantedBlock): Promise<LazyBlock>;
}

/** Several nodes as one: a call fails over to the next node, and throws the most specific failure if all fail. */
export interface NodeGroup extends ChainReader {
  readonly nodes: readonly TronNode[];
  /** blocks that an operator accepts although they fail checks; a single node refuses them */
  readonly overrides: BlockOverrides;
  /** Runs `call` with one node after another. A NodeError of it counts against the node, and the next one follows. */
  query<T>(call: (node: TronNode) => Promise<T>): Promise<T>;
  getSolidBalance(address: string, token: string | undefined): Promise<bigint>;
  fetchBlock(wanted: WantedBlock): Promise<LazyBlock>;
  /** Puts the leading node last for 30 s, for lies that show only from block to block. */
  demoteLead(): void;
  /** Puts a node last for ten minutes, whatever it answers, because it contradicts a final block. */
  quarantine(node: TronNode): void;
}

export interface TronClient extends NodeGroup {
  /** Ends all connections; running calls fail. */
  close(): Promise<void>;
}
