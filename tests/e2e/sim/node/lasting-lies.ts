import { blockIdOf, numberPrefix } from "../../faults/block-id.ts";
import type { Json, Lie } from "../../faults/lying-node.ts";
import { wordOf } from "../chain/bytes.ts";
import { otherAddressHex } from "../chain/transactions.ts";
import {
  changing,
  isBlock,
  isDirect,
  isHead,
  isInfos,
  isRouted,
  rawOf,
  type SimLie,
} from "./lie-builders.ts";
import { inventedMoney } from "./lies.ts";

/** A lie that a node repeats from its beginning on. */
export type LastingLie = SimLie & {
  /** the Merkle root does not disprove the lie, so a single node is believed if it repeats the lie (SECURITY.md) */
  readonly needsQuorum?: true;
};

/** Protobuf's text for an unknown value: another name for the same bytes. */
const SUCCESS_OTHERWISE = "UNKNOWN_ENUM_VALUE_contractResult_1";
/** So far above the head that other nodes seem to lag, and still plausible. */
const AHEAD = 90;

/** Infos of the selected calls, if they move money. */
const infosLie =
  (isMeant: (info: Json) => boolean, change: (info: Json) => void): Lie =>
  (answer) => {
    const infos: Json[] = isInfos(answer) ? answer.honest : [];
    const meant = infos.filter(
      (info) => isMeant(info) && (info.log?.length > 0 || info.internal_transactions?.length > 0),
    );
    for (const info of meant) change(info);
    return meant.length > 0 ? infos : undefined;
  };

const redirect = ({ log = [] }: Json): void => {
  for (const { topics } of log) if (topics.length === 3) topics[2] = wordOf(otherAddressHex("never paid"));
};

const shift = ({ log, internal_transactions: internals }: Json): void => {
  log?.unshift({ address: "44".repeat(20), topics: ["00".repeat(32)], data: "" });
  internals?.unshift({ ...internals[0], callValueInfo: [{}] });
};

const shorten = ({ log = [], internal_transactions: internals = [] }: Json): void => {
  const paid = log.find(({ topics, data }: Json) => topics.length === 3 && data !== undefined);
  if (paid !== undefined) {
    const rest = wordOf(BigInt(`0x${paid.data}`) - 1n);
    log.push({
      ...paid,
      topics: [...paid.topics.slice(0, 2), wordOf(otherAddressHex("took it"))],
      data: rest,
    });
    paid.data = wordOf(1n);
  }
  for (const { callValueInfo } of internals)
    for (const value of callValueInfo) if (value.callValue > 1) value.callValue -= 1;
};

const hide = (info: Json): void => {
  delete info.log;
  delete info.internal_transactions;
};

const rename: Lie = (answer) => {
  const { honest } = answer;
  const receipts: Json[] = isInfos(answer) ? honest.map(({ receipt }: Json) => receipt) : [];
  for (const receipt of receipts) if (receipt?.result === "SUCCESS") receipt.result = SUCCESS_OTHERWISE;
  const results: Json[] = isBlock(answer) ? (honest.transactions ?? []).flatMap(({ ret }: Json) => ret) : [];
  for (const result of results) if (result.contractRet === "SUCCESS") result.contractRet = SUCCESS_OTHERWISE;
  return receipts.length + results.length > 0 ? honest : undefined;
};

const putAhead = (block: Json): void => {
  const raw = rawOf(block);
  raw.number = (raw.number ?? 0) + AHEAD;
  raw.parentHash = numberPrefix(raw.number - 1) + raw.parentHash.slice(16);
  block.blockID = blockIdOf(raw);
};

/** A lie that each block gets at its first read only; `handled` has the numbers of those blocks. */
export function oncePerBlock(lie: Lie, handled: Set<number>): Lie {
  return async (answer) => {
    const number: number = answer.question?.num;
    if (handled.has(number)) return undefined;
    const reply = await lie(answer);
    if (reply !== undefined) handled.add(number);
    return reply;
  };
}

/** Lies that the service does not yet withstand; they run only by name. Normally empty. */
export const notYetWithstood: readonly string[] = [];

/** Lies that do no harm beside an honest node, even if they last. Invented money goes to this address. */
export function lastingLies(trapHex: string): readonly LastingLie[] {
  return [
    { name: "receipts have another name", lie: rename },
    { name: "direct calls pay another address", lie: infosLie(isDirect, redirect) },
    { name: "transfers of direct calls have another log index", lie: infosLie(isDirect, shift) },
    { name: "payments by direct calls are smaller", lie: infosLie(isDirect, shorten) },
    { name: "payments by contracts are hidden", lie: infosLie(isRouted, hide), needsQuorum: true },
    { name: "payments by contracts have another index", lie: infosLie(isRouted, shift), needsQuorum: true },
    { name: "payments by contracts are smaller", lie: infosLie(isRouted, shorten), needsQuorum: true },
    ...inventedMoney(trapHex),
    { name: `the head is ${AHEAD} blocks ahead`, lie: changing(isHead, putAhead) },
  ];
}
