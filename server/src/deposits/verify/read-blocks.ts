import type { CompleteBlock } from "../../chain/blocks/complete-block.ts";
import { decodeRuns, digestOfIds, infosDigestOf } from "../../chain/blocks/decode-infos.ts";
import { IncompleteBlockError, NodeError } from "../../chain/blocks/node-error.ts";
import type { Check } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import { matchBlock } from "../record/match-transfers.ts";
import { blockOf } from "../record/record-block.ts";
import {
  type NodeAnswer,
  type QuorumResult,
  reportStored,
  resolveQuorum,
  type StoredDeposit,
} from "./agree.ts";
import { findKnownIds } from "./known-store.ts";
import { answersOf, fetchAnswers, type InfosOf } from "./node-answers.ts";
import type { BlockAnswer } from "./state.ts";
import type { Verifier } from "./verifier.ts";
import { countBeside, findStored, type SolidBlock, UNKNOWN_DIGEST } from "./verify-store.ts";

/** A node that tells a block in two ways is asked a third time so much later. */
const THIRD_READING_MS = 30_000;

/** A block of which something is to be written, as enough nodes tell it. */
export type VerifiedBlock = {
  readonly block: SolidBlock;
  readonly stored: readonly StoredDeposit[];
  /** undefined where all tell what the books have */
  readonly quorum: QuorumResult | undefined;
  readonly checks: readonly Check[];
};

/** What nodes tell of blocks and what follows, by id; a block is left out that too few nodes tell. */
export async function readSolidBlocks(
  context: WatcherContext,
  verifier: Verifier,
  { blocks: wanted, needed }: { blocks: readonly SolidBlock[]; needed: number },
): Promise<ReadonlyMap<string, VerifiedBlock>> {
  const network = verifier.network.name;
  const blocks = wanted.filter(({ blockId }) => !isRetriedLater(context, verifier, blockId));
  const stored = await findStored(context.db, { network, numbers: blocks.map(({ number }) => number) });
  const bodies = new Map<string, CompleteBlock>();
  const withDigest = await withDigests(context, verifier, { blocks, bodies });
  await fetchAnswers(context, verifier, { blocks: withDigest, needed });
  const read = new Map<string, VerifiedBlock>();
  const unresolved: InfosOf[] = [];
  for (const block of blocks) {
    const deposits = stored.get(block.number) ?? [];
    const known = { block, stored: deposits, quorum: undefined, checks: [] };
    if (block.infosDigest === undefined) {
      read.set(block.blockId, { ...known, checks: deposits.map((one) => solidityCheck(one, block)) });
      continue;
    }
    const infosOf = withDigest.find(({ blockId }) => blockId === block.blockId);
    const answers = answersOf(verifier, block);
    if (infosOf === undefined || answers.length < needed) continue;
    if (await matchesStored(context, verifier, { block, deposits, answers })) {
      verifier.verifying.differing.delete(block.blockId);
      const nodes = answers.map(({ node }) => node);
      const checks = deposits.flatMap((one) => [
        solidityCheck(one, block),
        ...quorumCheck(one, nodes, verifier),
      ]);
      read.set(block.blockId, { ...known, checks });
    } else unresolved.push(infosOf);
  }
  if (unresolved.length === 0) return read;
  await fetchAnswers(context, verifier, { blocks: unresolved, needed: verifier.client.nodes.length });
  for (const block of unresolved) {
    const resolved = await resolveBlock(context, verifier, {
      block,
      stored: stored.get(block.number) ?? [],
      bodies,
      needed,
    });
    if (resolved === undefined || (needed === 1 && (await isFirstDifference(context, verifier, resolved))))
      continue;
    read.set(block.blockId, resolved);
  }
  return read;
}

function isRetriedLater({ clock }: WatcherContext, { verifying }: Verifier, blockId: string): boolean {
  return (verifying.differing.get(blockId)?.retryMs ?? 0) > clock.monotonicMs();
}

/**
 * Whether one node tells a block otherwise than the books for the first time: which of its two words was wrong is not known then.
 * It is asked a third time, and what it says twice is taken.
 */
async function isFirstDifference(
  { clock, db }: WatcherContext,
  { network, verifying }: Verifier,
  { block: { blockId }, stored, quorum }: VerifiedBlock,
): Promise<boolean> {
  if (network.name === "devnet") return false;
  const keyOf = ({ id, amount }: Pick<StoredDeposit, "id" | "amount">) => `${id}/${amount}`;
  const known = new Set(stored.map(keyOf));
  const reported = quorum?.agreed.observed.filter((one) => !known.has(keyOf(one))) ?? [];
  const confirmed = await findKnownIds(db, reported);
  const missing = reported.filter(({ id }) => !confirmed.has(id)).map(keyOf);
  const refuted = (quorum?.contradicted ?? []).map((one) => `not ${keyOf(one)}`);
  const summary = [...missing, ...refuted].sort().join(" ");
  const before = verifying.differing.get(blockId)?.summary;
  verifying.differing.delete(blockId);
  if (summary === "" || summary === before) return false;
  verifying.differing.set(blockId, { summary, retryMs: clock.monotonicMs() + THIRD_READING_MS });
  verifying.answers.receivedFrom.delete(blockId);
  return true;
}

/** Blocks whose infos are to be read, each with the digest of its transactions. */
async function withDigests(
  context: WatcherContext,
  verifier: Verifier,
  { blocks, bodies }: { blocks: readonly SolidBlock[]; bodies: Map<string, CompleteBlock> },
): Promise<InfosOf[]> {
  const withDigest: InfosOf[] = [];
  for (const block of blocks) {
    const { infosDigest } = block;
    if (infosDigest === undefined) continue;
    const body =
      infosDigest === UNKNOWN_DIGEST ? await fetchBody(context, verifier, { block, bodies }) : undefined;
    if (infosDigest !== UNKNOWN_DIGEST) withDigest.push({ ...block, infosDigest });
    else if (body !== undefined) withDigest.push({ ...block, infosDigest: digestOfIds(body.transactions) });
  }
  return withDigest;
}

/** Whether the nodes tell what the books have, also of what is no deposit. */
async function matchesStored(
  { db }: WatcherContext,
  { network }: Verifier,
  {
    block,
    deposits,
    answers,
  }: { block: SolidBlock; deposits: readonly StoredDeposit[]; answers: readonly NodeAnswer[] },
): Promise<boolean> {
  const internals = deposits.some(({ source }) => source === "internal");
  if (internals && answers.some(({ storesInternals }) => !storesInternals)) return false;
  if (!reportStored(deposits, answers)) return false;
  const beside = answers.map(({ matches }) => [matches.outflows, matches.unsupported, matches.unattributed]);
  if (beside.every((lists) => lists.every(({ length }) => length === 0))) return true;
  const merchantIds = answers.flatMap(({ matches: { outflows, unsupported } }) =>
    [...outflows, ...unsupported].map(({ merchantId }) => merchantId),
  );
  const known = await countBeside(db, { network: network.name, blockId: block.blockId, merchantIds });
  return beside.every(
    ([outflows, unsupported, unattributed]) =>
      outflows?.length === known.outflows &&
      unsupported?.length === known.unsupported &&
      unattributed?.length === known.unattributed,
  );
}

type Unresolved = {
  readonly block: SolidBlock;
  readonly stored: readonly StoredDeposit[];
  readonly bodies: Map<string, CompleteBlock>;
  readonly needed: number;
};

/** Judges a block by all that nodes tell of it, read with its own bytes; undefined where no node shows these now. */
async function resolveBlock(
  context: WatcherContext,
  verifier: Verifier,
  { block, stored, bodies, needed }: Unresolved,
): Promise<VerifiedBlock | undefined> {
  const body = await fetchBody(context, verifier, { block, bodies });
  if (body === undefined) return undefined;
  const answers = await Promise.all(
    answersOf(verifier, block).map((answer) => readWithBytes(context, verifier, { block, body, answer })),
  );
  const quorum = resolveQuorum(stored, answers, needed);
  const waiting = quorum.waiting.map(
    ({ deposit, detail }): Check => ({ ...idsOf(deposit), name: "quorum", result: "waiting", detail }),
  );
  const passed = quorum.passed.flatMap(({ deposit, nodes }) => quorumCheck(deposit, nodes, verifier));
  const left = stored.filter((one) => !quorum.contradicted.includes(one));
  const all = new Map([...left, ...quorum.agreed.observed, ...quorum.disputed].map((one) => [one.id, one]));
  const solidity = [...all.values()].map((one) => solidityCheck(one, block));
  return { block, stored, quorum, checks: [...solidity, ...passed, ...waiting] };
}

async function readWithBytes(
  { db }: WatcherContext,
  { network }: Verifier,
  { block, body, answer }: { block: SolidBlock; body: CompleteBlock; answer: NodeAnswer & BlockAnswer },
): Promise<NodeAnswer> {
  const { usdtContractHex, name } = network;
  const { decoded, mismatched } = decodeRuns(body, { infos: answer.infos, usdtContractHex });
  const runs = {
    ...decoded,
    transfers: decoded.transfers.filter(({ source }) => source !== "transfer"),
    callValues: [],
    sentTransactions: [],
  };
  const tokens = decoded.unsupported.filter(({ source }) => source !== "transfer");
  return {
    ...answer,
    contradicting: mismatched,
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
    const body = await client.query(async (node) => {
      const reported = await node.fetchCompleteBlock(number).catch(client.overrides.apply);
      if (reported.header.id !== blockId)
        throw new IncompleteBlockError(node.label, number, "it is another block than ours");
      return reported;
    });
    bodies.set(blockId, body);
    return body;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    context.log.warn(
      { event: "solid_block_incomplete", block_number: number, reason: error.message },
      "no node shows a solid block completely, so it cannot be verified",
    );
    return undefined;
  }
}

type Identity = Pick<StoredDeposit, "id" | "merchantId">;

const idsOf = ({ id, merchantId }: Identity) => ({ depositId: id, merchantId });

function solidityCheck(deposit: Identity, { number, sourceNode }: SolidBlock): Check {
  const detail = `block ${number} is solid${sourceNode === undefined ? "" : `; ${sourceNode} told it first`}`;
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
  return { ...blockOf(body.header), infosDigest: infosDigestOf(body), sourceNode: undefined };
}
