import type { Check } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import { type NodeAnswer, reportStored, resolveQuorum, type StoredDeposit } from "./agree.ts";
import { type AnswerCache, answersOf } from "./answer-cache.ts";
import { findOurBody, readWithBytes } from "./block-bytes.ts";
import { findConfirmedInBlock } from "./confirmed-store.ts";
import { addDenials } from "./deny-internals.ts";
import { fetchAnswers, type InfosOf } from "./fetch-answers.ts";
import { isDoubtful } from "./third-reading.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Reader } from "./verifier.ts";
import { countNonDeposits, type SolidBlock } from "./verify-store.ts";

type ReadContext = Pick<WatcherContext, "clock" | "db" | "log">;

type Wanted = {
  readonly blocks: readonly SolidBlock[];
  readonly needed: number;
  readonly answers: AnswerCache;
  readonly excluded?: ReadonlySet<number>;
  /** the unconfirmed deposits that are compared, by block number */
  readonly stored: ReadonlyMap<number, readonly StoredDeposit[]>;
};

/** The results by block id. `isComplete`: whether each balance in question was compared. */
export type SolidReading = {
  readonly read: ReadonlyMap<string, VerifiedBlock>;
  readonly isComplete: boolean;
};

/** Reads the runs of solid blocks from the nodes. A block is left out if too few answer, or if it is to be read a third time. */
export async function readSolidBlocks(
  context: ReadContext,
  reader: Reader,
  { blocks: wanted, stored, needed, answers, excluded = new Set() }: Wanted,
): Promise<SolidReading> {
  const nowMs = context.clock.monotonicMs();
  const blocks = wanted.filter(({ blockId }) => (answers.doubted.get(blockId)?.retryMs ?? 0) <= nowMs);
  await fetchAnswers(context, reader, { answers, excluded, blocks: blocks.filter(hasInfos), needed });
  const { read, unresolved } = await compareWithStored(context, reader, { blocks, stored, answers, needed });
  let isComplete = true;
  if (unresolved.length === 0) return { read, isComplete };
  const all = reader.client.nodes.length;
  await fetchAnswers(context, reader, { answers, excluded, blocks: unresolved, needed: all });
  for (const block of unresolved) {
    const deposits = stored.get(block.number) ?? [];
    const resolved = await resolveBlock(context, reader, { block, stored: deposits, needed, cache: answers });
    if (resolved === undefined) continue;
    isComplete &&= resolved.isComplete;
    const { verified } = resolved;
    if (needed > 1 || !(await isDoubtful(context, reader, { verified, answers })))
      read.set(block.blockId, verified);
  }
  return { read, isComplete };
}

type Compared = {
  readonly blocks: readonly SolidBlock[];
  readonly stored: ReadonlyMap<number, readonly StoredDeposit[]>;
  readonly answers: AnswerCache;
  readonly needed: number;
};

/** The blocks of which enough nodes report what is stored, and those of which they do not. */
async function compareWithStored(
  context: ReadContext,
  reader: Reader,
  { blocks, stored, answers: cache, needed }: Compared,
): Promise<{ read: Map<string, VerifiedBlock>; unresolved: InfosOf[] }> {
  const read = new Map<string, VerifiedBlock>();
  const unresolved: InfosOf[] = [];
  for (const block of blocks) {
    const deposits = stored.get(block.number) ?? [];
    const known = { block, stored: deposits, quorum: undefined };
    if (!hasInfos(block)) {
      const checks = deposits.map((deposit) => solidityCheck(deposit, block));
      read.set(block.blockId, { ...known, checks });
      continue;
    }
    const answers = answersOf(cache, reader, block);
    if (answers.length < needed) continue;
    if (await matchesStored(context, reader, { block, deposits, answers })) {
      cache.doubted.delete(block.blockId);
      const nodes = answers.map(({ node }) => node);
      const checks = deposits.flatMap((deposit) => [
        solidityCheck(deposit, block),
        ...quorumCheck(deposit, nodes, reader),
      ]);
      read.set(block.blockId, { ...known, checks });
    } else unresolved.push(block);
  }
  return { read, unresolved };
}

const hasInfos = (block: SolidBlock): block is InfosOf => block.infosDigest !== undefined;

/** Whether the nodes report the stored transfers, including outflows and unsupported or unattributed transfers. */
async function matchesStored(
  { db }: Pick<WatcherContext, "db">,
  { network }: Pick<Reader, "network">,
  {
    block,
    deposits,
    answers,
  }: { block: SolidBlock; deposits: readonly StoredDeposit[]; answers: readonly NodeAnswer[] },
): Promise<boolean> {
  if (!reportStored(deposits, answers)) {
    const observed = answers.flatMap(({ matches }) => matches.observed);
    // Some were confirmed by an earlier reading. They are no fault of the block.
    const confirmed = await findConfirmedInBlock(db, {
      network: network.name,
      blockId: block.blockId,
      observed,
    });
    if (confirmed.length === 0 || !reportStored([...deposits, ...confirmed], answers)) return false;
  }
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
  readonly needed: number;
  readonly cache: AnswerCache;
};

/** `isComplete`: whether each balance in question was compared. */
type Resolved = { readonly verified: VerifiedBlock; readonly isComplete: boolean };

/** Resolves a block by all answers, read together with its own bytes; undefined if no node has the bytes now. */
async function resolveBlock(
  context: ReadContext,
  reader: Reader,
  { block, stored, needed, cache }: Unresolved,
): Promise<Resolved | undefined> {
  const body = await findOurBody(context, reader, block);
  if (body === undefined) return undefined;
  const read = await Promise.all(
    answersOf(cache, reader, block).map((answer) => readWithBytes(context, reader, { block, body, answer })),
  );
  const { answers, isComplete } = await addDenials(context, reader, {
    block,
    stored,
    answers: read,
    needed,
    cache,
  });
  const quorum = resolveQuorum(stored, answers, { needed, nodes: reader.client.nodes.length });
  const waiting = quorum.waiting.map(({ deposit, detail }) => waitingCheck(deposit, detail));
  const passed = quorum.passed.flatMap(({ deposit, nodes }) => quorumCheck(deposit, nodes, reader));
  const left = stored.filter((deposit) => !quorum.contradicted.includes(deposit));
  const all = new Map(
    [...left, ...quorum.agreed.observed, ...quorum.noMajority].map((deposit) => [deposit.id, deposit]),
  );
  const solidity = [...all.values()].map((deposit) => solidityCheck(deposit, block));
  const verified = { block, stored, quorum, checks: [...solidity, ...passed, ...waiting] };
  return { verified, isComplete };
}

type Identity = Pick<StoredDeposit, "id" | "merchantId">;

const idsOf = ({ id, merchantId }: Identity) => ({ depositId: id, merchantId });

function solidityCheck(deposit: Identity, { number, sourceNode }: SolidBlock): Check {
  const detail = `block ${number} is solid${sourceNode === undefined ? "" : `; ${sourceNode} reported it first`}`;
  return { ...idsOf(deposit), name: "solidity", result: "passed", detail };
}

/** The root proves native transfers, so they need no quorum. */
function quorumCheck(
  deposit: StoredDeposit,
  nodes: readonly string[],
  { client }: Pick<Reader, "client">,
): Check[] {
  if (deposit.source === "transfer") return [];
  const detail = `${nodes.length} of ${client.nodes.length} nodes agree: ${nodes.join(", ")}`;
  return [{ ...idsOf(deposit), name: "quorum", result: "passed", detail }];
}

function waitingCheck(deposit: Identity, detail: string): Check {
  return { ...idsOf(deposit), name: "quorum", result: "waiting", detail };
}
