import type { CompleteBlock } from "../../chain/blocks/complete-block.ts";
import { decodeRuns, infosDigestOf } from "../../chain/blocks/decode-infos.ts";
import { IncompleteBlockError, NodeError } from "../../chain/blocks/node-error.ts";
import type { Check } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import { matchBlock } from "../record/match-transfers.ts";
import { blockOf } from "../record/record-block.ts";
import { type NodeAnswer, reportStored, resolveQuorum, type StoredDeposit } from "./agree.ts";
import { findKnownIds } from "./confirmed-store.ts";
import { addDenials } from "./deny-internals.ts";
import { answersOf, fetchAnswers, type InfosOf, type NumberedAnswer } from "./node-answers.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Verifier } from "./verifier.ts";
import { countNonDeposits, findStored, type SolidBlock } from "./verify-store.ts";

/** With a quorum of one: the wait before a node that contradicts the first reading is called again. */
const THIRD_READING_MS = 30_000;

/** The results for solid blocks by id. A block is left out if too few nodes answer. */
export async function readSolidBlocks(
  context: WatcherContext,
  verifier: Verifier,
  { blocks: wanted, needed }: { blocks: readonly SolidBlock[]; needed: number },
): Promise<ReadonlyMap<string, VerifiedBlock>> {
  const network = verifier.network.name;
  const blocks = wanted.filter(({ blockId }) => !isRetriedLater(context, verifier, blockId));
  const stored = await findStored(context.db, { network, numbers: blocks.map(({ number }) => number) });
  const bodies = new Map<string, CompleteBlock>();
  await fetchAnswers(context, verifier, { blocks: blocks.filter(hasInfos), needed });
  const read = new Map<string, VerifiedBlock>();
  const unresolved: InfosOf[] = [];
  for (const block of blocks) {
    const deposits = stored.get(block.number) ?? [];
    const known = { block, stored: deposits, quorum: undefined, checks: [] };
    if (!hasInfos(block)) {
      read.set(block.blockId, { ...known, checks: deposits.map((one) => solidityCheck(one, block)) });
      continue;
    }
    const answers = answersOf(verifier, block);
    if (answers.length < needed) continue;
    if (await matchesStored(context, verifier, { block, deposits, answers })) {
      verifier.verifying.differing.delete(block.blockId);
      const nodes = answers.map(({ node }) => node);
      const checks = deposits.flatMap((one) => [
        solidityCheck(one, block),
        ...quorumCheck(one, nodes, verifier),
      ]);
      read.set(block.blockId, { ...known, checks });
    } else unresolved.push(block);
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
 * With a quorum of one: whether the second reading differs from the database for the first time. One of the two readings is wrong,
 * so a third one follows, and the answer that came twice counts. The devnet needs no third reading.
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
  const contradicted = (quorum?.contradicted ?? []).map((one) => `not ${keyOf(one)}`);
  const summary = [...missing, ...contradicted].sort().join(" ");
  // The entry stays until the answer is written, because other blocks may be written first.
  if (summary === verifying.differing.get(blockId)?.summary) return false;
  verifying.differing.delete(blockId);
  if (summary === "") return false;
  verifying.differing.set(blockId, { summary, retryMs: clock.monotonicMs() + THIRD_READING_MS });
  verifying.answers.receivedFrom.delete(blockId);
  return true;
}

const hasInfos = (block: SolidBlock): block is InfosOf => block.infosDigest !== undefined;

/** Whether the nodes report the stored transfers, including outflows and unsupported or unattributed transfers. */
async function matchesStored(
  { db }: WatcherContext,
  { network }: Verifier,
  {
    block,
    deposits,
    answers,
  }: { block: SolidBlock; deposits: readonly StoredDeposit[]; answers: readonly NodeAnswer[] },
): Promise<boolean> {
  if (!reportStored(deposits, answers)) return false;
  const beside = answers.map(({ matches }) => [matches.outflows, matches.unsupported, matches.unattributed]);
  if (beside.every((lists) => lists.every(({ length }) => length === 0))) return true;
  const merchantIds = answers.flatMap(({ matches: { outflows, unsupported } }) =>
    [...outflows, ...unsupported].map(({ merchantId }) => merchantId),
  );
  const known = await countNonDeposits(db, { network: network.name, blockId: block.blockId, merchantIds });
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

/** Resolves a block by all answers, read together with its own bytes; undefined if no node has the bytes now. */
async function resolveBlock(
  context: WatcherContext,
  verifier: Verifier,
  { block, stored, bodies, needed }: Unresolved,
): Promise<VerifiedBlock | undefined> {
  const body = await fetchBody(context, verifier, { block, bodies });
  if (body === undefined) return undefined;
  const read = await Promise.all(
    answersOf(verifier, block).map((answer) => readWithBytes(context, verifier, { block, body, answer })),
  );
  const answers = await addDenials(context, verifier, { block, stored, answers: read, needed });
  const quorum = resolveQuorum(stored, answers, { needed, nodes: verifier.client.nodes.length });
  const waiting = quorum.waiting.map(
    ({ deposit, detail }): Check => ({ ...idsOf(deposit), name: "quorum", result: "waiting", detail }),
  );
  const passed = quorum.passed.flatMap(({ deposit, nodes }) => quorumCheck(deposit, nodes, verifier));
  const left = stored.filter((one) => !quorum.contradicted.includes(one));
  const all = new Map([...left, ...quorum.agreed.observed, ...quorum.noMajority].map((one) => [one.id, one]));
  const solidity = [...all.values()].map((one) => solidityCheck(one, block));
  return { block, stored, quorum, checks: [...solidity, ...passed, ...waiting] };
}

async function readWithBytes(
  { db }: WatcherContext,
  { network }: Verifier,
  { block, body, answer }: { block: SolidBlock; body: CompleteBlock; answer: NumberedAnswer },
): Promise<NumberedAnswer> {
  const { tokens, name } = network;
  const { decoded, mismatched } = decodeRuns(body, { infos: answer.infos, tokens });
  const runs = {
    ...decoded,
    transfers: decoded.transfers.filter(({ source }) => source !== "transfer"),
    callValues: [],
    sentTransactions: [],
  };
  const unsupported = decoded.unsupported.filter(({ source }) => source !== "transfer");
  return {
    ...answer,
    contradicting: mismatched,
    matches: await matchBlock(db, { ...runs, unsupported, network: name, block }),
  };
}

/** Our complete block from any node; undefined if no node has it now. */
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
  const detail = `block ${number} is solid${sourceNode === undefined ? "" : `; ${sourceNode} reported it first`}`;
  return { ...idsOf(deposit), name: "solidity", result: "passed", detail };
}

/** The root proves native transfers, so they need no quorum. */
function quorumCheck(deposit: StoredDeposit, nodes: readonly string[], { client }: Verifier): Check[] {
  if (deposit.source === "transfer") return [];
  const detail = `${nodes.length} of ${client.nodes.length} nodes agree: ${nodes.join(", ")}`;
  return [{ ...idsOf(deposit), name: "quorum", result: "passed", detail }];
}

export function asSolidBlock(body: CompleteBlock): SolidBlock {
  return { ...blockOf(body.header), infosDigest: infosDigestOf(body), sourceNode: undefined };
}
