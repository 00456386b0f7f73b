import type { ResourcePrices, Wallet } from "../../domain/transfer-price.ts";
import type { CompleteBlock } from "../blocks/complete-block.ts";
import type { LazyBlock } from "../blocks/lazy-block.ts";
import type { NodeTransaction } from "../blocks/node-transaction.ts";
import type { Block, BlockHeader } from "../blocks/parse-block.ts";
import type { TransactionInfo } from "../blocks/parse-transaction-info.ts";
import type { BlockOverrides } from "./block-overrides.ts";
import type { LastHeaders } from "./last-header.ts";

/**
 * What can be asked of the chain. Every answer is parsed before it is believed; every failure is a NodeError.
 * All calls may run at the same time, so blocks can be fetched ahead. Each call is bounded in time and size.
 */
export type ChainReader = {
  /** The newest block's header. It can be replaced later, and a gateway's next answer can be an older one. */
  getHeadBlock(): Promise<BlockHeader>;
  /** The block at a height, or undefined when the node has none (yet). */
  getBlock(number: number): Promise<Block | undefined>;
  /** The block of an id, also when it is not on the node's main chain; undefined when the node does not know it. */
  getBlockById(id: string): Promise<Block | undefined>;
  /** The infos kept for a height. Empty also for an unknown block: `fetchCompleteBlock` tells the difference. */
  getTransactionInfos(number: number): Promise<TransactionInfo[]>;
  /** The newest solidified block's header: no honest node ever replaces it. */
  getSolidBlock(): Promise<BlockHeader>;
  /** The id of block 0, which names the network. */
  getGenesisId(): Promise<string>;
  /** `decimals()` of a TRC-20 contract (base58 address) at the head; undefined when there is no such contract. */
  getTokenDecimals(contract: string): Promise<number | undefined>;
  /**
   * The block at a height (1 or above) with the infos of its transactions, both from one node and proven to belong
   * together. A block whose parent is `parent` but which is not later than it is incomplete.
   *
   * @throws IncompleteBlockError when they do not belong together or when the block is missing.
   * @throws NodeError of the fault `ahead_of_clock` when the block is later than our clock allows, until it gets there.
   */
  fetchCompleteBlock(number: number, parent?: ParentBlock): Promise<CompleteBlock>;
};

/** The block that a block should follow, where the caller knows it. */
export type ParentBlock = Pick<BlockHeader, "id" | "timeMs">;

/** A block to be fetched for the books. */
export type WantedBlock = {
  readonly number: number;
  /** as of {@link ChainReader.fetchCompleteBlock} */
  readonly parent?: ParentBlock | undefined;
  /** The contract of USDT (`41…`), whose logs are money. */
  readonly usdtContractHex: string;
  /** That many such blocks are read in little time matters more than how soon this one is, or how many calls it takes. */
  readonly isOld: boolean;
};

/** One node. */
export interface TronNode extends ChainReader {
  /** Its host, for messages and metrics. */
  readonly label: string;
  /** What it said last of its newest and its newest solid block, whoever asked. */
  readonly lastReported?: Readonly<LastHeaders>;
  /** What is wrong with where it is asked for solid blocks, in words; undefined when nothing is known to be. */
  readonly solidityFault: string | undefined;
  /**
   * Whether an address was ever used, as far as the head tells: it has an account, or a balance of this TRC-20 contract
   * (both base58). One that has received tokens only has no account.
   */
  hasHistory(address: string, token: string): Promise<boolean>;
  /** What an address holds in the newest solid block, of TRX and of the TRC-20 contract (both base58), and may use now. */
  getWallet(address: string, token: string): Promise<Wallet>;
  /**
   * Energy that a transfer of this TRC-20 contract (base58) takes from this address, which holds some, to one that holds
   * some too, as the node runs it on the newest solid block.
   */
  estimateTransferEnergy(from: string, token: string): Promise<bigint>;
  /** The header of the block at a height of the node's chain, or undefined when it has none (yet). */
  getHeader(number: number): Promise<BlockHeader | undefined>;
  /**
   * What an address (base58) holds in the newest solid block, in the smallest units: of this TRC-20 contract (base58), or of
   * TRX where none is given.
   */
  getSolidBalance(address: string, token: string | undefined): Promise<bigint>;
  /** The transaction of an id and its run, as far as this node tells; undefined while it is in no block that it knows. */
  findRun(txId: string): Promise<NodeTransaction | undefined>;
  /** What the chain asks for resources now. */
  getResourcePrices(): Promise<ResourcePrices>;
  /** As {@link ChainReader.fetchCompleteBlock}, of a block that is old, where the node has a quicker way to that. */
  fetchOldBlock?(wanted: WantedBlock): Promise<LazyBlock>;
}

/** Several nodes as one: a call goes on to the next node when one fails; when all do, the last failure is told. */
export interface NodeGroup extends ChainReader {
  readonly nodes: readonly TronNode[];
  /** What an operator takes of what no node shows whole: it is fetched as any block is. One node alone refuses it. */
  readonly overrides: BlockOverrides;
  /**
   * Puts a question of the caller's own to the nodes in turn. A NodeError that `question` throws speaks against the
   * node whose answer it cannot believe, and the next node is asked.
   */
  query<T>(question: (node: TronNode) => Promise<T>): Promise<T>;
  /** As {@link TronNode.getSolidBalance}. */
  getSolidBalance(address: string, token: string | undefined): Promise<bigint>;
  /** A block as of {@link ChainReader.fetchCompleteBlock}, for the books. */
  fetchBlock(wanted: WantedBlock): Promise<LazyBlock>;
  /** The node that leads now is asked last for half a minute: for one whose lies only show from block to block. */
  demoteLead(): void;
  /** Asks this node after all others for a good while, whatever it answers meanwhile: it contradicts what was final. */
  quarantine(node: TronNode): void;
}

/** The nodes of a configuration. */
export interface TronClient extends NodeGroup {
  /** Ends all connections; calls under way fail. */
  close(): Promise<void>;
}
