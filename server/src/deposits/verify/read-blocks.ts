import type { CompleteBlock } from "../../chain/blocks/complete-block.ts";
import { digestOfIds, foldRuns, infosDigestOf } from "../../chain/blocks/fold-infos.ts";
import { IncompleteBlockError, NodeError } from "../../chain/blocks/node-error.ts";
import type { Check } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import { matchBlock } from "../record/match-transfers.ts";
import { blockOf } from "../record/record-block.ts";
import { judgeVoices, type NodeVoice, type StoredDeposit, tellAlike, type VoicesJudgement } from "./agree.ts";
import { findKnownIds } from "./known-store.ts";
import type { Voice } from "./memory.ts";
import type { Verifier } from "./verifier.ts";
import { countBeside, findBooked, type SolidBlock, UNKNOWN_DIGEST } from "./verify-store.ts";
import { askVoices, type InfosOf, voicesOf } from "./voices.ts";

/** A node that tells a block in two ways is asked a third time so much later. */
const THIRD_READING_MS = 30_000;

/** A block of which something is to be written, as enough nodes tell it. */
export type VerifiedBlock = {
  readonly block: SolidBlock;
  readonly booked: readonly StoredDeposit[];
  /** undefined where all tell what the books have */
  readonly judgement: VoicesJudgement | undefined;
  readonly checks: readonly Check[];
};

/** What nodes tell of blocks and what follows, by id; a block is left out that too few nodes tell. */
export async function readSolidBlocks(
  context: WatcherContext,
  verifier: Verifier,
  { blocks: wanted, needed }: { blocks: readonly SolidBlock[]; needed: number },
): Promise<ReadonlyMap<string, VerifiedBlock>> {
  const network = verifier.network.name;
  const blocks = wanted.filter(({ blockId }) => !isAskedLater(context, verifier, blockId));
  const booked = await findBooked(context.db, { network, numbers: blocks.map(({ number }) => number) });
  const bodies = new Map<string, CompleteBlock>();
  const asked = await withDigests(context, verifier, { blocks, bodies });
  await askVoices(context, verifier, { blocks: asked, needed });
  const read = new Map<string, VerifiedBlock>();
  const doubtful: InfosOf[] = [];
  for (const block of blocks) {
    const deposits = booked.get(block.number) ?? [];
    const known = { block, booked: deposits, judgement: undefined, checks: [] };
    if (block.infosDigest === undefined) {
      read.set(block.blockId, { ...known, checks: deposits.map((one) => solidityCheck(one, block)) });
      continue;
    }
    const infosOf = asked.find(({ blockId }) => blockId === block.blockId);
    const voices = voicesOf(verifier, block);
    if (infosOf === undefined || voices.length < needed) continue;
    if (await isAsBooked(context, verifier, { block, deposits, voices })) {
      verifier.verifying.otherwise.delete(block.blockId);
      const nodes = voices.map(({ node }) => node);
      const checks = deposits.flatMap((one) => [
        solidityCheck(one, block),
        ...quorumCheck(one, nodes, verifier),
      ]);
      read.set(block.blockId, { ...known, checks });
    } else doubtful.push(infosOf);
  }
  if (doubtful.length === 0) return read;
  await askVoices(context, verifier, { blocks: doubtful, needed: verifier.client.nodes.length });
  for (const block of doubtful) {
    const judged = await judge(context, verifier, {
      block,
      booked: booked.get(block.number) ?? [],
      bodies,
      needed,
    });
    if (judged === undefined || (needed === 1 && (await isToldOnce(context, verifier, judged)))) continue;
    read.set(block.blockId, judged);
  }
  return read;
}

function isAskedLater({ clock }: WatcherContext, { verifying }: Verifier, blockId: string): boolean {
  return (verifying.otherwise.get(blockId)?.askMs ?? 0) > clock.monotonicMs();
}

/**
 * Whether one voice tells a block otherwise than the books for the first time: which of its two words was wrong is not known then.
 * It is asked a third time, and what it says twice is taken.
 */
async function isToldOnce(
  { clock, db }: WatcherContext,
  { network, verifying }: Verifier,
  { block: { blockId }, booked, judgement }: VerifiedBlock,
): Promise<boolean> {
  if (network.name === "devnet") return false;
  const wordOf = ({ id, amount }: Pick<StoredDeposit, "id" | "amount">) => `${id}/${amount}`;
  const known = new Set(booked.map(wordOf));
  const told = judgement?.agreed.sightings.filter((one) => !known.has(wordOf(one))) ?? [];
  const confirmed = await findKnownIds(db, told);
  const missing = told.filter(({ id }) => !confirmed.has(id)).map(wordOf);
  const refuted = (judgement?.refuted ?? []).map((one) => `not ${wordOf(one)}`);
  const words = [...missing, ...refuted].sort().join(" ");
  // What it said twice is kept until it is written: other blocks may be written first.
  if (words === verifying.otherwise.get(blockId)?.words) return false;
  verifying.otherwise.delete(blockId);
  if (words === "") return false;
  verifying.otherwise.set(blockId, { words, askMs: clock.monotonicMs() + THIRD_READING_MS });
  verifying.voices.told.delete(blockId);
  return true;
}

/** Blocks whose infos are to be read, each with the digest of its transactions. */
async function withDigests(
  context: WatcherContext,
  verifier: Verifier,
  { blocks, bodies }: { blocks: readonly SolidBlock[]; bodies: Map<string, CompleteBlock> },
): Promise<InfosOf[]> {
  const asked: InfosOf[] = [];
  for (const block of blocks) {
    const { infosDigest } = block;
    if (infosDigest === undefined) continue;
    const body =
      infosDigest === UNKNOWN_DIGEST ? await fetchBody(context, verifier, { block, bodies }) : undefined;
    if (infosDigest !== UNKNOWN_DIGEST) asked.push({ ...block, infosDigest });
    else if (body !== undefined) asked.push({ ...block, infosDigest: digestOfIds(body.transactions) });
  }
  return asked;
}

/** Whether the nodes tell what the books have, also of what is no deposit. */
async function isAsBooked(
  { db }: WatcherContext,
  { network }: Verifier,
  {
    block,
    deposits,
    voices,
  }: { block: SolidBlock; deposits: readonly StoredDeposit[]; voices: readonly NodeVoice[] },
): Promise<boolean> {
  const internals = deposits.some(({ source }) => source === "internal");
  if (internals && voices.some(({ storesInternals }) => !storesInternals)) return false;
  if (!tellAlike(deposits, voices)) return false;
  const beside = voices.map(({ matches }) => [matches.outflows, matches.unsupported, matches.unassigned]);
  if (beside.every((lists) => lists.every(({ length }) => length === 0))) return true;
  const merchantIds = voices.flatMap(({ matches: { outflows, unsupported } }) =>
    [...outflows, ...unsupported].map(({ merchantId }) => merchantId),
  );
  const known = await countBeside(db, { network: network.name, blockId: block.blockId, merchantIds });
  return beside.every(
    ([outflows, unsupported, unassigned]) =>
      outflows?.length === known.outflows &&
      unsupported?.length === known.unsupported &&
      unassigned?.length === known.unassigned,
  );
}

type Doubtful = {
  readonly block: SolidBlock;
  readonly booked: readonly StoredDeposit[];
  readonly bodies: Map<string, CompleteBlock>;
  readonly needed: number;
};

/** Judges a block by all that nodes tell of it, read with its own bytes; undefined where no node shows these now. */
async function judge(
  context: WatcherContext,
  verifier: Verifier,
  { block, booked, bodies, needed }: Doubtful,
): Promise<VerifiedBlock | undefined> {
  const body = await fetchBody(context, verifier, { block, bodies });
  if (body === undefined) return undefined;
  const voices = await Promise.all(
    voicesOf(verifier, block).map((voice) => readWithBytes(context, verifier, { block, body, voice })),
  );
  const judgement = judgeVoices(booked, voices, needed);
  const waiting = judgement.waiting.map(
    ({ deposit, detail }): Check => ({ ...idsOf(deposit), name: "quorum", result: "waiting", detail }),
  );
  const passed = judgement.passed.flatMap(({ deposit, nodes }) => quorumCheck(deposit, nodes, verifier));
  const left = booked.filter((one) => !judgement.refuted.includes(one));
  const all = new Map(
    [...left, ...judgement.agreed.sightings, ...judgement.disputed].map((one) => [one.id, one]),
  );
  const solidity = [...all.values()].map((one) => solidityCheck(one, block));
  return { block, booked, judgement, checks: [...solidity, ...passed, ...waiting] };
}

async function readWithBytes(
  { db }: WatcherContext,
  { network }: Verifier,
  { block, body, voice }: { block: SolidBlock; body: CompleteBlock; voice: NodeVoice & Voice },
): Promise<NodeVoice> {
  const { usdtContractHex, name } = network;
  const { moves, strange } = foldRuns(body, { infos: voice.infos, usdtContractHex });
  const runs = {
    ...moves,
    transfers: moves.transfers.filter(({ source }) => source !== "transfer"),
    spent: [],
    owned: [],
  };
  const tokens = moves.unsupported.filter(({ source }) => source !== "transfer");
  return {
    ...voice,
    strange,
    matches: await matchBlock(db, { ...runs, unsupported: tokens, network: name, block }),
  };
}

/** Our block with its bytes, from whichever node shows it; undefined where none does now. */
async function fetchBody(
  context: WatcherContext,
  { client }: Verifier,
  { block: { number, blockId }, bodies }: { block: SolidBlock; bodies: Map<string, CompleteBlock> },
): Promise<CompleteBlock | undefined> {
  const known = bodies.get(blockId);
  if (known !== undefined) return known;
  try {
    const body = await client.ask(async (node) => {
      const told = await node.fetchCompleteBlock(number).catch(client.acceptances.take);
      if (told.header.id !== blockId)
        throw new IncompleteBlockError(node.label, number, "it is another block than ours");
      return told;
    });
    bodies.set(blockId, body);
    return body;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    context.log.warn(
      { block_number: number, reason: error.message },
      "no node shows a solid block whole to judge it by",
    );
    return undefined;
  }
}

type Identity = Pick<StoredDeposit, "id" | "merchantId">;

const idsOf = ({ id, merchantId }: Identity) => ({ depositId: id, merchantId });

function solidityCheck(deposit: Identity, { number, toldBy }: SolidBlock): Check {
  const detail = `block ${number} is solid${toldBy === undefined ? "" : `; ${toldBy} told it first`}`;
  return { ...idsOf(deposit), name: "solidity", result: "passed", detail };
}

/** The root of its block proves a native transfer. */
function quorumCheck(deposit: StoredDeposit, nodes: readonly string[], { client }: Verifier): Check[] {
  if (deposit.source === "transfer") return [];
  const detail = `${nodes.length} of ${client.nodes.length} nodes tell it alike: ${nodes.join(", ")}`;
  return [{ ...idsOf(deposit), name: "quorum", result: "passed", detail }];
}

/** A block that was just read, as one to be read a second time. */
export function asSolidBlock(body: CompleteBlock): SolidBlock {
  return { ...blockOf(body.header), infosDigest: infosDigestOf(body), toldBy: undefined };
}
