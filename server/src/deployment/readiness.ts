import { migrationStatus } from "@daric/postgres/migrate";
import { NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import { type Chain, MAX_AHEAD_OF_CLOCK_MS } from "./connect-network.ts";
import type { ReadinessContext } from "./context.ts";
import { MIGRATIONS_DIRECTORY } from "./migrations.ts";
import { countMonthsAhead, findScannedBlock, pingDatabase } from "./store.ts";

/** A minute of blocks. More than that behind, payers wait noticeably longer than the chain makes them. */
const MAX_LAG_BLOCKS = 20;
/** Solidity is asked for once in 40 blocks at least, and lies some 20 below the head; beyond this nothing is confirmed. */
const MAX_SOLID_LAG_BLOCKS = 100;
/** A public chain makes a block every three seconds, whoever says otherwise. */
const MAX_AGE_SECONDS = 120;
/** `daric migrate` makes twelve months ahead. */
const MIN_MONTHS_AHEAD = 2;
/** Three blocks: little beside the lag that is allowed. */
const REMEMBERED_MS = 9_000;

type Head = Pick<BlockHeader, "number" | "timeMs">;
/** A head, and when it was seen by the monotonic clock. */
type SeenHead = Head & { readonly seenMs: number };

/** What only the process itself knows. */
export type ReadinessFacts = {
  /** the chain, once it is verified */
  chain(): Chain | undefined;
  /** why there is none yet, in words; undefined where that is not known */
  chainFault?(): string | undefined;
  /** the head that the watcher saw last; undefined without a watcher */
  seenHead?(): SeenHead | undefined;
  /** whether the scanner fails again and again */
  isScannerFailing(): boolean;
  /** what keeps it from reading on, in words; undefined where nothing is known to, and without a watcher */
  scannerFault?(): string | undefined;
};

/**
 * What has to hold for a process of these roles: the database answers and has the right schema; for the watcher also
 * that a node of the right network answers and that the scanner keeps up with it.
 */
export function readinessChecks(context: ReadinessContext, facts: ReadinessFacts): ReadinessCheck[] {
  const checks = [databaseCheck(context), schemaCheck(context), partitionsCheck(context)];
  if (!context.config.roles.includes("watcher")) return checks;
  const findHead = rememberHead(context, facts);
  const findFaults = rememberSolidityFaults(context, facts.chain);
  return [
    ...checks,
    nodeCheck(context, { findHead, findFaults, facts }),
    scannerCheck(context, findHead, facts),
  ];
}

/** The head block, this old at most; undefined before a node was verified; it rejects when no node answers. */
type FindHead = (maxAgeMs?: number) => Promise<Head | undefined>;
/** What is wrong with where nodes are asked for solid blocks, and whether none of them serves any. */
type FindFaults = () => Promise<{ faults: string[]; isEverywhere: boolean }>;

/**
 * A head that is new enough is not asked for again, least of all where the watcher asks anyway: whoever asks for readiness
 * must not spend a hosted node's budget.
 */
function rememberHead({ clock }: ReadinessContext, { chain, seenHead }: ReadinessFacts): FindHead {
  let asked: SeenHead | undefined;
  return async (maxAgeMs = REMEMBERED_MS) => {
    const isNew = (head: SeenHead | undefined) =>
      head !== undefined && clock.monotonicMs() - head.seenMs < maxAgeMs;
    const known = [asked, seenHead?.()].filter(isNew).toSorted((a, b) => (b?.seenMs ?? 0) - (a?.seenMs ?? 0));
    if (known[0] !== undefined) return known[0];
    const head = await chain()?.client.getHeadBlock();
    asked = head && { number: head.number, timeMs: head.timeMs, seenMs: clock.monotonicMs() };
    return asked;
  };
}

/** A node that was found without solid blocks is asked again: the watcher asks for them only while deposits wait. */
function rememberSolidityFaults(
  { clock }: ReadinessContext,
  currentChain: () => Chain | undefined,
): FindFaults {
  let askedMs = clock.monotonicMs();
  return async () => {
    const nodes = currentChain()?.client.nodes ?? [];
    const faulty = nodes.filter((node) => node.solidityFault !== undefined);
    if (faulty.length > 0 && clock.monotonicMs() - askedMs >= REMEMBERED_MS) {
      askedMs = clock.monotonicMs();
      await Promise.allSettled(faulty.map((node) => node.getSolidBlock()));
    }
    const faults = faulty.flatMap((node) => node.solidityFault ?? []);
    return { faults, isEverywhere: faults.length > 0 && faults.length === nodes.length };
  };
}

function databaseCheck({ db }: ReadinessContext): ReadinessCheck {
  return {
    name: "database",
    check: () =>
      pingDatabase(db).then(
        () => ({ ok: true, detail: "answers" }),
        () => ({ ok: false, detail: "does not answer" }),
      ),
  };
}

function schemaCheck({ db }: ReadinessContext): ReadinessCheck {
  return {
    name: "schema",
    check: async () => {
      const { current, latest } = await migrationStatus(db, MIGRATIONS_DIRECTORY);
      return { ok: current === latest, detail: `version ${current} of ${latest}` };
    },
  };
}

/** Never a reason not to serve: what finds no month goes to the default partition. But old months then cannot go. */
function partitionsCheck({ db }: ReadinessContext): ReadinessCheck {
  return {
    name: "partitions",
    check: async () => {
      const months = await countMonthsAhead(db);
      const advice = months < MIN_MONTHS_AHEAD ? ": run `daric migrate`" : "";
      return { ok: true, detail: `${months} months ahead${advice}` };
    },
  };
}

/** Where another node answers, what one failed lately is said and no reason not to serve. */
function nodeCheck(
  { config }: ReadinessContext,
  { findHead, findFaults, facts }: { findHead: FindHead; findFaults: FindFaults; facts: ReadinessFacts },
): ReadinessCheck {
  const { network } = config.chain;
  return {
    name: "node",
    check: async () => {
      const found = await findHead().catch((error: unknown) => ({ error }));
      if (found === undefined) {
        return { ok: false, detail: because(`no node of ${network} was verified yet`, facts.chainFault?.()) };
      }
      if ("error" in found) {
        const words = found.error instanceof NodeError ? found.error.words : undefined;
        return { ok: false, detail: because(`no node of ${network} answers`, words) };
      }
      const { faults, isEverywhere } = await findFaults();
      const failures = (facts.chain()?.recentFailures?.() ?? []).filter((words) => !faults.includes(words));
      const lately = failures.length === 0 ? [] : [`failed within the last minute: ${failures.join(", ")}`];
      return { ok: !isEverywhere, detail: [`head block ${found.number}`, ...faults, ...lately].join("; ") };
    },
  };
}

function because(what: string, why: string | undefined): string {
  return why === undefined ? what : `${what}: ${why}`;
}

/**
 * Behind the node's head, or with it: a node that stands still looks as if there were nothing to read. The age is not
 * asked of a local chain, whose clock may stand still or run ahead.
 */
function scannerCheck(
  { db, config, clock }: ReadinessContext,
  findHead: FindHead,
  { isScannerFailing, scannerFault }: ReadinessFacts,
): ReadinessCheck {
  const isLocal = config.chain.network === "devnet";
  return {
    name: "scanner",
    check: async () => {
      const scanned = await findScannedBlock(db, config.chain.network);
      if (scanned === undefined) return { ok: false, detail: "no block was scanned yet" };
      const age = `block ${scanned.number}, ${Math.max(0, Math.round(scanned.ageSeconds))} s old`;
      const head = await headBeside(Number(scanned.number), findHead).catch(() => undefined);
      const clockFault = isLocal ? "" : clockFaultOf(head, clock.now());
      const fault = scannerFault?.() ?? (isScannerFailing() ? "the log says why" : undefined);
      if (fault !== undefined)
        return { ok: false, detail: `${age}, and reading on fails: ${fault}${clockFault}` };
      if (head === undefined) return { ok: false, detail: `${age}, head unknown` };
      const lag = head.number - Number(scanned.number);
      if (lag < -MAX_LAG_BLOCKS)
        return { ok: false, detail: `${age}, but the node's head is only ${head.number}` };
      const isFresh = isLocal || scanned.ageSeconds <= MAX_AGE_SECONDS;
      const solidFault = solidFaultOf(head, Number(scanned.solidNumber));
      return {
        ok: lag <= MAX_LAG_BLOCKS && isFresh && solidFault === "",
        detail: `${age}, ${Math.max(0, lag)} behind${solidFault}${clockFault}`,
      };
    },
  };
}

/** A remembered head that lies far below what was read is that of a moment ago: blocks can be mined at command. */
async function headBeside(scanned: number, findHead: FindHead): Promise<Head | undefined> {
  const head = await findHead();
  const isOutdated = head !== undefined && head.number < scanned - MAX_LAG_BLOCKS;
  return isOutdated ? await findHead(0) : head;
}

/** Words to add where blocks are read but do not become final. */
function solidFaultOf(head: Head, solidNumber: number): string {
  const behind = head.number - solidNumber;
  if (behind <= MAX_SOLID_LAG_BLOCKS) return "";
  return `; solid block ${solidNumber}, ${behind} behind the head: nothing above it is confirmed`;
}

/** Words to add where the head is of a time that our clock says cannot be yet: such a block is not read. */
function clockFaultOf(head: Head | undefined, now: Date): string {
  const aheadMs = (head?.timeMs ?? 0) - now.getTime();
  if (aheadMs <= MAX_AHEAD_OF_CLOCK_MS) return "";
  const aheadSeconds = Math.round(aheadMs / 1_000);
  return `; the head block is ${aheadSeconds} s ahead of this machine's clock: check this machine's clock (NTP)`;
}
