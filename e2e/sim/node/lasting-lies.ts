import { blockIdOf, headerDigest, numberPrefix } from "../../faults/block-id.ts";
import type { Json, Lie } from "../../faults/lying-node.ts";
import { wordOf } from "../chain/bytes.ts";
import { keyOf, signature } from "../chain/keys.ts";
import { strangerHex } from "../chain/transactions.ts";
import {
  changing,
  isBlock,
  isDirect,
  isHead,
  isInfos,
  isRouted,
  rawOf,
  type SimLie,
} from "./answer-to-change.ts";
import { inventedMoney } from "./lies.ts";

/** A lie that a node goes on telling once it began. */
export type LastingLie = SimLie & {
  /** what it hides no root covers, so that it is believed of a node alone (docs/decisions/0039) and told where nodes are compared */
  readonly needsQuorum?: true;
};

/** How protobuf calls a value that it has no name for: the same bytes by another word. */
const SUCCESS_OTHERWISE = "UNKNOWN_ENUM_VALUE_contractResult_1";
/** So far above the head that others seem to be behind, and not so far that nobody believes it. */
const AHEAD = 90;
/** Of 27, so few that what they sign is proven by all others. */
const FEW = 8;

/** Infos of the calls that are meant, if they tell of money. */
const ofInfos =
  (isMeant: (info: Json) => boolean, change: (info: Json) => void): Lie =>
  (answer) => {
    const infos: Json[] = isInfos(answer) ? answer.truth : [];
    const meant = infos.filter(
      (info) => isMeant(info) && (info.log?.length > 0 || info.internal_transactions?.length > 0),
    );
    for (const info of meant) change(info);
    return meant.length > 0 ? infos : undefined;
  };

const redirect = ({ log = [] }: Json): void => {
  for (const { topics } of log) if (topics.length === 3) topics[2] = wordOf(strangerHex("never paid"));
};

const shift = ({ log, internal_transactions: internals }: Json): void => {
  log?.unshift({ address: "44".repeat(20), topics: ["00".repeat(32)], data: "" });
  internals?.unshift({ ...internals[0], callValueInfo: [{}] });
};

const shorten = ({ log = [], internal_transactions: internals = [] }: Json): void => {
  const paid = log.find(({ topics, data }: Json) => topics.length === 3 && data !== undefined);
  if (paid !== undefined) {
    const rest = wordOf(BigInt(`0x${paid.data}`) - 1n);
    log.push({ ...paid, topics: [...paid.topics.slice(0, 2), wordOf(strangerHex("took it"))], data: rest });
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
  const { truth } = answer;
  const verdicts: Json[] = isInfos(answer) ? truth.map(({ receipt }: Json) => receipt) : [];
  for (const receipt of verdicts) if (receipt?.result === "SUCCESS") receipt.result = SUCCESS_OTHERWISE;
  const results: Json[] = isBlock(answer) ? (truth.transactions ?? []).flatMap(({ ret }: Json) => ret) : [];
  for (const one of results) if (one.contractRet === "SUCCESS") one.contractRet = SUCCESS_OTHERWISE;
  return verdicts.length + results.length > 0 ? truth : undefined;
};

const forge = ({ block_header }: Json): void => {
  block_header.witness_signature = `${"5a".repeat(64)}00`;
};

/** As well as a stranger can: by a key of its own for each witness, always the same. */
const signInstead = (block: Json): void => {
  const raw = rawOf(block);
  block.block_header.witness_signature = signature(headerDigest(raw), keyOf(`not ${raw.witness_address}`));
};

const isOfFew = ({ truth }: Json): boolean =>
  Number.parseInt(rawOf(truth).witness_address.slice(-6), 16) % 27 < FEW;

const putAhead = (block: Json): void => {
  const raw = rawOf(block);
  raw.number = (raw.number ?? 0) + AHEAD;
  raw.parentHash = numberPrefix(raw.number - 1) + raw.parentHash.slice(16);
  block.blockID = blockIdOf(raw);
};

/** Found by these lies and not mended yet: they are told when they are named. Empty, unless a finding is open. */
export const notYetWithstood: readonly string[] = [];

/** Where another node is honest, whoever tells one of these for ever hurts nobody. Invented money is said to come to this address. */
export function lastingLies(trapHex: string): readonly LastingLie[] {
  const isAnyBlock = (answer: Parameters<Lie>[0]) => isBlock(answer) || isHead(answer);
  return [
    { name: "verdicts have another name", lie: rename },
    { name: "direct calls pay somebody else", lie: ofInfos(isDirect, redirect) },
    { name: "direct calls stand elsewhere among their logs", lie: ofInfos(isDirect, shift) },
    { name: "direct calls pay less", lie: ofInfos(isDirect, shorten) },
    { name: "contracts pay nobody", lie: ofInfos(isRouted, hide), needsQuorum: true },
    { name: "what contracts pay stands elsewhere", lie: ofInfos(isRouted, shift), needsQuorum: true },
    { name: "contracts pay less", lie: ofInfos(isRouted, shorten), needsQuorum: true },
    ...inventedMoney(trapHex),
    { name: "no block has a signature", lie: changing(isAnyBlock, forge) },
    { name: "every block is signed by somebody else", lie: changing(isAnyBlock, signInstead) },
    {
      name: "blocks of some are signed by somebody else",
      lie: changing((answer) => isAnyBlock(answer) && isOfFew(answer), signInstead),
    },
    { name: `the head is ${AHEAD} blocks ahead`, lie: changing(isHead, putAhead) },
    {
      name: `the head is ${AHEAD} blocks ahead, signed by somebody else`,
      lie: changing(isHead, (block) => {
        putAhead(block);
        signInstead(block);
      }),
    },
    {
      name: `the head is ${AHEAD} blocks ahead, and no block has a signature`,
      lie: (answer) => {
        if (!isAnyBlock(answer)) return undefined;
        if (isHead(answer)) putAhead(answer.truth);
        forge(answer.truth);
        return answer.truth;
      },
    },
  ];
}
