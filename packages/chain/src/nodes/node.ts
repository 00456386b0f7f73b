import type { Token } from "@daric/domain/asset";
import type { ResourcePrices } from "@daric/domain/sweep-price";
import { addressWord } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import { type CompleteBlock, needsInfos } from "../blocks/complete-block.ts";
import { type LazyBlock, lazyBlockOf } from "../blocks/lazy-block.ts";
import {
  IncompleteBlockError,
  isNotServed,
  NodeError,
  noSolidityError,
  WrongChainError,
} from "../blocks/node-error.ts";
import { type NodeTransaction, parseInfoById, parseNodeTransaction } from "../blocks/node-transaction.ts";
import { type BlockHeader, type ProvableBlock, parseBlock, parseBlockHeader } from "../blocks/parse-block.ts";
import { readExactly } from "../blocks/parse-json.ts";
import { parseTransactionInfos, type TransactionInfo } from "../blocks/parse-transaction-info.ts";
import { AnswerError } from "../blocks/read-json.ts";
import { requireComplete } from "../blocks/require-complete.ts";
import type { ParentBlock, TronNode, WantedBlock } from "./chain-reader.ts";
import type { HttpJson } from "./http-json.ts";
import { type LastHeaders, lastHeaderNow } from "./last-header.ts";
import type { OldBlockReader } from "./old-block-reader.ts";
import { parseBalance, parseIsAccount, parseResourcePrices } from "./parse-account.ts";
import { callOf, parseCallOfNumber, parseTokenDecimals } from "./parse-contract-call.ts";
import { requireTimely } from "./require-timely.ts";
import { chainSettings } from "./settings.ts";

export type HttpTronNodeOptions = {
  readonly http: HttpJson;
  /** where `/walletsolidity` is served: the same host on gateways, another port on an own java-tron */
  readonly solidityHttp: HttpJson;
  readonly genesisId: string | undefined;
  readonly latestTimeMs?: (() => number) | undefined;
  /** whose direct calls are checked; none if left out */
  readonly tokens?: readonly Token[] | undefined;
  /** reads old blocks in a worker thread; without it they are read like new ones */
  readonly oldBlocks?: OldBlockReader | undefined;
};

const SOLIDITY = "/walletsolidity/";

/**
 * A node behind java-tron's HTTP API (TRON developer documentation, "HTTP API"). `visible=false` keeps addresses and texts in
 * hex, the one lossless form. `{}` means that the requested thing is missing.
 */
export class HttpTronNode implements TronNode {
  readonly label: string;
  readonly lastReported: LastHeaders = {};
  readonly #http: HttpJson;
  readonly #solidityHttp: HttpJson;
  readonly #options: HttpTronNodeOptions;
  #chainCheck: Promise<void> | undefined;
  #solidityFault: string | undefined;
  readonly #tokens: readonly Token[];

  constructor(options: HttpTronNodeOptions) {
    this.label = options.http.label;
    this.#http = options.http;
    this.#solidityHttp = options.solidityHttp;
    this.#options = options;
    this.#tokens = options.tokens ?? [];
  }

  get solidityFault(): string | undefined {
    return this.#solidityFault;
  }

  async getHeadBlock(): Promise<BlockHeader> {
    const header = await this.call("/wallet/getblock", { detail: false }, parseBlockHeader);
    const head = this.#present(header, "no head block");
    this.lastReported.head = lastHeaderNow(head);
    return head;
  }

  async getHeader(number: number): Promise<BlockHeader | undefined> {
    const params = { id_or_num: String(number), detail: false };
    const header = await this.call("/wallet/getblock", params, parseBlockHeader);
    this.#requireSame(header?.number, number);
    return header;
  }

  async getBlock(number: number): Promise<ProvableBlock | undefined> {
    const params = { id_or_num: String(number), detail: true };
    const block = await this.call("/wallet/getblock", params, parseBlock);
    this.#requireSame(block?.header.number, number);
    return block;
  }

  async getBlockById(id: string): Promise<ProvableBlock | undefined> {
    const block = await this.call("/wallet/getblock", { id_or_num: id, detail: true }, parseBlock);
    this.#requireSame(block?.header.id, id);
    return block;
  }

  getTransactionInfos(number: number): Promise<TransactionInfo[]> {
    return this.call("/wallet/gettransactioninfobyblocknum", { num: number }, parseTransactionInfos);
  }

  async getSolidBlock(): Promise<BlockHeader> {
    const header = await this.call("/walletsolidity/getblock", { detail: false }, parseBlockHeader);
    const solid = this.#present(header, "no solidified block");
    this.lastReported.solid = lastHeaderNow(solid);
    return solid;
  }

  async getGenesisId(): Promise<string> {
    const answer = await this.#http.post("/wallet/getblockbynum", { num: 0 });
    const header = this.#present(this.#read(answer, parseBlockHeader), "no block 0");
    if (header.number !== 0) throw this.#unexpected(`answered block ${header.number} instead of 0`);
    return header.id;
  }

  getTokenDecimals(contract: string): Promise<number | undefined> {
    const params = callOf(contract, "decimals()");
    return this.call("/wallet/triggerconstantcontract", params, parseTokenDecimals);
  }

  async hasHistory(address: string, tokens: readonly Token[]): Promise<boolean> {
    const hex = addressToHex(address);
    const isAccount = await this.call("/wallet/getaccount", { address: hex }, (answer) =>
      parseIsAccount(answer, hex),
    );
    if (isAccount) return true;
    for (const { contract } of tokens)
      if ((await this.#getTokenBalance("/wallet/", hex, contract)) > 0n) return true;
    return false;
  }

  async getSolidBalance(address: string, token: string | undefined): Promise<bigint> {
    const hex = addressToHex(address);
    if (token !== undefined) return this.#getTokenBalance(SOLIDITY, hex, token);
    return this.call("/walletsolidity/getaccount", { address: hex }, (answer) => parseBalance(answer, hex));
  }

  async #getTokenBalance(base: "/wallet/" | typeof SOLIDITY, hex: string, token: string): Promise<bigint> {
    const view = "balanceOf(address)";
    const params = callOf(token, view, addressWord(hex));
    const balance = await this.call(`${base}triggerconstantcontract`, params, (answer) =>
      parseCallOfNumber(answer, view),
    );
    return this.#present(balance, "no token contract");
  }

  async findRun(txId: string): Promise<NodeTransaction | undefined> {
    const params = { value: txId };
    const info = await this.call("/wallet/gettransactioninfobyid", params, (answer) =>
      parseInfoById(answer, txId),
    );
    if (info === undefined) return undefined;
    return this.call("/wallet/gettransactionbyid", params, (answer) =>
      parseNodeTransaction(answer, info, this.#tokens),
    );
  }

  getResourcePrices(): Promise<ResourcePrices> {
    return this.call("/wallet/getchainparameters", {}, parseResourcePrices);
  }

  async fetchCompleteBlock(number: number, parent?: ParentBlock): Promise<CompleteBlock> {
    if (!Number.isSafeInteger(number) || number < 1)
      throw new RangeError(`no block ${number} can be fetched`);
    const block = await this.getBlock(number);
    if (block === undefined) throw new IncompleteBlockError(this.label, number);
    this.#requireTimely(block.header, parent);
    const infos = needsInfos(block) ? await this.getTransactionInfos(number) : [];
    return requireComplete(this.label, { block, infos, tokens: this.#tokens });
  }

  async fetchOldBlock(wanted: WantedBlock): Promise<LazyBlock> {
    const { number, parent, tokens } = wanted;
    await this.#checkChain();
    const oldBlock = await this.#options.oldBlocks?.fetch(wanted);
    if (oldBlock !== undefined) this.#requireTimely(oldBlock.summary.header, parent);
    return oldBlock ?? lazyBlockOf(await this.fetchCompleteBlock(number, parent), tokens);
  }

  #requireTimely(header: BlockHeader, parent: ParentBlock | undefined): void {
    requireTimely(this.label, header, { parent, latestByClockMs: this.#options.latestTimeMs?.() });
  }

  async call<T>(path: string, params: object, parse: (answer: unknown) => T): Promise<T> {
    await this.#checkChain();
    const body = { ...params, visible: false };
    const pending = path.startsWith(SOLIDITY) ? this.#callSolidity(path, body) : this.#http.post(path, body);
    return this.#read(await pending, parse);
  }

  /** A page or a refused path means that the URL does not serve solid blocks (HTTP 405 from port 8090 of java-tron). */
  async #callSolidity(path: string, body: object): Promise<unknown> {
    try {
      const answer = await this.#solidityHttp.post(path, body);
      this.#solidityFault = undefined;
      return answer;
    } catch (error) {
      if (!(error instanceof NodeError) || !isNotServed(error)) throw error;
      const fault = noSolidityError(error, chainSettings.solidityUrls.env);
      this.#solidityFault = fault.message;
      throw fault;
    }
  }

  #read<T>(answer: unknown, parse: (answer: unknown) => T): T {
    try {
      return readExactly(answer, parse);
    } catch (error) {
      throw error instanceof AnswerError ? this.#unexpected(error.message) : error;
    }
  }

  /** All waiting calls share one check. After a failed check the next call tries again. */
  #checkChain(): Promise<void> {
    const expected = this.#options.genesisId;
    if (expected === undefined) return Promise.resolve();
    this.#chainCheck ??= this.#compareGenesis(expected).catch((error: unknown) => {
      this.#chainCheck = undefined;
      throw error;
    });
    return this.#chainCheck;
  }

  async #compareGenesis(expected: string): Promise<void> {
    const actual = await this.getGenesisId();
    if (actual === expected) return;
    throw new WrongChainError(
      this.label,
      `is a node of another network: its block 0 is ${actual}, not ${expected}`,
    );
  }

  #requireSame<T extends number | string>(answered: T | undefined, requested: T): void {
    if (answered !== undefined && answered !== requested)
      throw this.#unexpected(`answered block ${answered} instead of ${requested}`);
  }

  #present<T>(value: T | undefined, absence: string): T {
    if (value === undefined) throw this.#unexpected(`answered ${absence}`);
    return value;
  }

  #unexpected(message: string): NodeError {
    return new NodeError(message, { fault: "unexpected_answer", node: this.label });
  }
}
