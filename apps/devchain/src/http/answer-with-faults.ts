import { addressAt, addressWord, selectorOf, TRANSFER_TOPIC, uintWord } from "@daric/tron/abi";
import { type LocalChain, solidOf } from "../chain/chain.ts";
import { KEPT_STATES } from "../chain/chain-store.ts";
import { solidNumber } from "../chain/schedule.ts";
import { type ApiRequest, addressParam } from "./api-request.ts";
import { BLOCK_ENDPOINTS, cursorNumber } from "./block-endpoints.ts";
import { readCall } from "./contract-endpoints.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Arrival, type FaultOf, type Faults, takeFaults } from "./faults.ts";
import type { JsonTree } from "./json-text.ts";
import { renderAddress, renderText } from "./render-text.ts";

/** A request to the node's API with its parsed path. */
export type NodeQuestion = {
  readonly path: string;
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly request: ApiRequest;
};

const BALANCE_OF = selectorOf("balanceOf(address)");

/** The response with all matching faults applied. */
export function answerWithFaults(chain: LocalChain, faults: Faults, nodeRequest: NodeQuestion): JsonTree {
  const question = withHeights(chain, faults, nodeRequest);
  const [height] = takeFaults(faults, "height", ({ path }) => path === question.path);
  const honest =
    height === undefined
      ? question.endpoint(chain, question.request)
      : answerOfHeight(chain, question, height.by);
  const answering = { faults, question };
  const shown = withArrivals(answering, withoutInfos(answering, honest));
  return withBalances(chain, answering, withoutRuns(answering, shown));
}

function withHeights(chain: LocalChain, faults: Faults, question: NodeQuestion): NodeQuestion {
  const { request } = question;
  const isHead = request.cursor === "head";
  const oldest = Math.max(0, solidOf(chain) - KEPT_STATES);
  const asOf = (number: number) => ({ ...question, request: { ...request, asOf: Math.max(oldest, number) } });
  const [still] = takeFaults(faults, "still", () => true);
  if (still !== undefined) return asOf(isHead ? still.at : solidNumber(still.at));
  const [solid] = isHead ? [] : takeFaults(faults, "solid", () => true);
  if (solid === undefined) return question;
  if (solid.back === "head") return { ...question, request: { ...request, cursor: "head" } };
  return asOf(solidOf(chain) - solid.back);
}

function answerOfHeight(chain: LocalChain, { name, endpoint, request }: NodeQuestion, by: number): JsonTree {
  const { num, id_or_num: wanted } = request.params;
  const nodeRequest = Number(num ?? wanted ?? cursorNumber(chain, request));
  const other = Math.max(
    0,
    (Number.isSafeInteger(nodeRequest) ? nodeRequest : cursorNumber(chain, request)) + by,
  );
  const endpointOf = name === "getnowblock" ? BLOCK_ENDPOINTS.getblockbynum : endpoint;
  const params = { ...request.params, num: other, id_or_num: String(other) };
  return endpointOf?.(chain, { ...request, params }) ?? {};
}

type Answering = { readonly faults: Faults; readonly question: NodeQuestion };
type Tree = { readonly [key: string]: JsonTree | undefined };

function withoutInfos({ faults, question: { path, name } }: Answering, tree: JsonTree): JsonTree {
  if (name !== "gettransactioninfobyblocknum" || !Array.isArray(tree)) return tree;
  const dropping = takeFaults(faults, "infos", (fault) => fault.path === undefined || fault.path === path);
  const isDropped = ({ id }: Tree) =>
    dropping.some(({ drop }) => drop.length === 0 || drop.includes(String(id)));
  return tree.filter((info: Tree) => !isDropped(info));
}

/** Adds the faults' logs and internal transactions to infos. */
function withArrivals({ faults, question: { name, request } }: Answering, tree: JsonTree): JsonTree {
  const isOne = name === "gettransactioninfobyid";
  if (!isOne && (name !== "gettransactioninfobyblocknum" || !Array.isArray(tree))) return tree;
  const infos: readonly Tree[] = Array.isArray(tree) ? tree : [tree as Tree];
  const isReported = ({ txId }: Arrival) => infos.some(({ id }) => id === txId);
  const [logs, internals] = [
    takeFaults(faults, "log", isReported),
    takeFaults(faults, "internal", isReported),
  ];
  const reported = infos.map((info): Tree => {
    const log = logs.filter(({ txId }) => txId === info.id).map((fault) => logOf(fault, request));
    const internal = internals
      .filter(({ txId }) => txId === info.id)
      .map((fault) => internalOf(fault, request));
    return {
      ...info,
      ...(log.length > 0 && { log: [...listOf(info.log), ...log] }),
      ...(internal.length > 0 && {
        internal_transactions: [...listOf(info.internal_transactions), ...internal],
      }),
    };
  });
  return isOne ? (reported[0] ?? tree) : reported;
}

/** Takes the logs and internal transactions out of infos that the faults hide. */
function withoutRuns({ faults, question: { name } }: Answering, tree: JsonTree): JsonTree {
  const isOne = name === "gettransactioninfobyid";
  if (!isOne && (name !== "gettransactioninfobyblocknum" || !Array.isArray(tree))) return tree;
  const infos: readonly Tree[] = Array.isArray(tree) ? tree : [tree as Tree];
  const shown = infos.map((info): Tree => {
    const number = Number(info.blockNumber);
    const isUnstored = ({ from, to }: FaultOf<"internals">) => from <= number && number <= to;
    const [hidden] = takeFaults(faults, "hidden", ({ txId }) => txId === info.id);
    const [unstored] = takeFaults(faults, "internals", isUnstored);
    const { log, internal_transactions: internal, ...rest } = info;
    return {
      ...rest,
      ...(log !== undefined && hidden === undefined && { log }),
      ...(internal !== undefined && !hidden && !unstored && { internal_transactions: internal }),
    };
  });
  return isOne ? (shown[0] ?? tree) : shown;
}

function listOf(tree: JsonTree | undefined): readonly JsonTree[] {
  return Array.isArray(tree) ? tree : [];
}

function logOf({ contract, from, to, amount }: FaultOf<"log">, { visible }: ApiRequest): JsonTree {
  return {
    // Real nodes print 20 bytes in hex, but the full address in base58.
    address: visible ? renderAddress(contract, visible) : contract.slice(2),
    topics: [TRANSFER_TOPIC, addressWord(from), addressWord(to)],
    data: uintWord(amount),
  };
}

function internalOf(fault: FaultOf<"internal">, { visible }: ApiRequest): JsonTree {
  return {
    hash: fault.txId,
    caller_address: renderAddress(fault.from, visible),
    transferTo_address: renderAddress(fault.to, visible),
    callValueInfo: [{ callValue: fault.amount }],
    note: renderText("call", visible),
    ...(fault.rejected && { rejected: true }),
  };
}

/** Adds the faults' amounts to balances, from the blocks of their transactions on. */
function withBalances(chain: LocalChain, { faults, question }: Answering, tree: JsonTree): JsonTree {
  const { name, request } = question;
  const height = cursorNumber(chain, request);
  const isThere = ({ txId, held }: Arrival) =>
    held > 0n && (chain.store.numberByTxId.get(txId) ?? Number.POSITIVE_INFINITY) <= height;
  if (name === "getaccount") {
    const address = addressParam(request, "address");
    const held = heldBy(takeFaults(faults, "internal", (fault) => isThere(fault) && fault.to === address));
    const account = tree as Tree;
    const balance = BigInt(String(account.balance ?? 0)) + held;
    return held === 0n ? tree : { address: renderAddress(address, request.visible), ...account, balance };
  }
  if (name !== "triggerconstantcontract") return tree;
  const { contractAddress, data } = readCall(request);
  if (!data.startsWith(BALANCE_OF)) return tree;
  const isRequested = ({ contract, to }: FaultOf<"log">) =>
    contract === contractAddress && to === addressAt(data, 0);
  const held = heldBy(takeFaults(faults, "log", (fault) => isThere(fault) && isRequested(fault)));
  const answer = tree as Tree;
  const [result] = listOf(answer.constant_result);
  if (held === 0n || typeof result !== "string") return tree;
  return { ...answer, constant_result: [uintWord(BigInt(`0x${result}`) + held)] };
}

function heldBy(arrivals: readonly Arrival[]): bigint {
  return arrivals.reduce((total, { held }) => total + held, 0n);
}
