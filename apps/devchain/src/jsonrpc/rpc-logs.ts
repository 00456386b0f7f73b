import { headOf, type LocalChain } from "../chain/chain.ts";
import { blockAt } from "../chain/chain-store.ts";
import { logsOf, type RpcLog } from "./rpc-blocks.ts";
import {
  findTagged,
  invalidParams,
  RpcError,
  readBytes,
  readQuantity,
  readRpcHash,
  rpcBytes,
  rpcText,
  TOO_MANY_RESULTS,
} from "./rpc-values.ts";

/** Limits of java-tron's default configuration. */
const MAX_BLOCK_RANGE = 5_000;
const MAX_LOGS = 10_000;
const MAX_TOPICS = 4;
const MAX_SUB_TOPICS = 1_000;

const ADDRESS_DIGITS = 40;
const TOPIC_DIGITS = 64;

type Filter = { readonly [field: string]: unknown };
type Range = { readonly from: number; readonly to: number };

/** The logs that match a filter, oldest first (java-tron LogFilter). @throws RpcError for a filter that a node refuses. */
export function findRpcLogs(chain: LocalChain, filter: Filter): RpcLog[] {
  const matches = readMatcher(filter);
  const { from, to } = readRange(chain, filter);
  const found: RpcLog[] = [];
  for (let number = from; number <= Math.min(to, headOf(chain)); number += 1) {
    const isEmpty = (chain.store.txIds[number]?.length ?? 0) === 0;
    const stored = isEmpty ? undefined : blockAt(chain.store, number);
    if (stored !== undefined) found.push(...logsOf(stored).filter(matches));
    if (found.length > MAX_LOGS)
      throw new RpcError(TOO_MANY_RESULTS, `query returned more than ${MAX_LOGS} results`);
  }
  return found;
}

function readMatcher({ address, topics }: Filter): (log: RpcLog) => boolean {
  const addresses = readAddresses(address);
  const wanted = readTopics(topics);
  return (log) =>
    (addresses.length === 0 || addresses.includes(log.address)) &&
    wanted.every((allowed, place) => {
      const topic = log.topics[place];
      return topic !== undefined && (allowed.length === 0 || allowed.includes(topic));
    });
}

function readAddresses(address: unknown): string[] {
  if (address === undefined || address === null) return [];
  if (typeof address === "string") return [fixedBytes(address, ADDRESS_DIGITS, "invalid address")];
  if (!Array.isArray(address)) throw invalidParams("invalid addresses in query");
  return address.map((each, index) => fixedBytes(each, ADDRESS_DIGITS, `invalid address at index ${index}`));
}

/** The topics allowed at each place; an empty list allows all. */
function readTopics(topics: unknown): string[][] {
  if (topics === undefined || topics === null) return [];
  if (!Array.isArray(topics)) throw invalidParams("invalid topic(s)");
  if (topics.length > MAX_TOPICS) throw invalidParams(`topics size should be <= ${MAX_TOPICS}`);
  return topics.map((topic) => {
    if (topic === null) return [];
    const allowed = Array.isArray(topic) ? topic : [topic];
    if (allowed.length > MAX_SUB_TOPICS) throw invalidParams(`exceed max topics: ${MAX_SUB_TOPICS}`);
    return allowed.map((each) => fixedBytes(each, TOPIC_DIGITS, "invalid topic(s)"));
  });
}

function fixedBytes(value: unknown, digits: number, refusal: string): string {
  const text = rpcText(value);
  const hex = readBytes(text);
  if (hex.length !== digits) throw invalidParams(`${refusal}: ${text}`);
  return rpcBytes(hex);
}

/** The blocks of a filter: one by its hash, or a range, whose open ends are the head and infinity. */
function readRange(chain: LocalChain, { blockHash, fromBlock, toBlock }: Filter): Range {
  if (blockHash !== undefined && blockHash !== null) {
    if (isGiven(fromBlock) || isGiven(toBlock))
      throw invalidParams("cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other");
    const number = chain.store.numberById.get(readRpcHash(blockHash));
    if (number === undefined) throw invalidParams("invalid blockHash");
    return { from: number, to: number };
  }
  const head = headOf(chain);
  const to = readEnd(chain, toBlock) ?? Number.POSITIVE_INFINITY;
  const from = readEnd(chain, fromBlock) ?? (isGiven(fromBlock) ? head : Math.min(to, head));
  if (from > to) throw invalidParams("please verify: fromBlock <= toBlock");
  if (Math.min(to, head) - from > MAX_BLOCK_RANGE)
    throw invalidParams(`exceed max block range: ${MAX_BLOCK_RANGE}`);
  return { from, to };
}

/** The number of an end; undefined if it is absent or the newest block. */
function readEnd(chain: LocalChain, value: unknown): number | undefined {
  if (!isGiven(value)) return undefined;
  const text = rpcText(value);
  if (text.toLowerCase() === "latest") return undefined;
  return findTagged(chain, text) ?? readQuantity(text, "Incorrect hex syntax");
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
