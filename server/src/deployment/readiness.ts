import { migrationStatus } from "@daric/postgres/migrate";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import { MAX_AHEAD_OF_CLOCK_MS } from "./connect-network.ts";
import type { ReadinessContext } from "./context.ts";
import { MIGRATIONS_DIRECTORY } from "./migrations.ts";
import { cacheHead, type FindHead, type Head, type NodeFacts, nodeCheck } from "./node-readiness.ts";
import { countMonthsAhead, findScannedBlock, pingDatabase } from "./store.ts";

/** So long a database that refuses nothing may take to answer a process that has much to do. */
const LATE_MS = 15_000;
/** A minute of blocks. More than that behind, payers wait noticeably longer than the chain makes them. */
const MAX_LAG_BLOCKS = 20;
/** Solidity is asked for once in 40 blocks at least, and lies some 20 below the head; beyond this nothing is confirmed. */
const MAX_SOLID_LAG_BLOCKS = 100;
/** A public chain makes a block every three seconds, whoever says otherwise. */
const MAX_AGE_SECONDS = 120;
/** `daric migrate` makes twelve months ahead. */
const MIN_MONTHS_AHEAD = 2;

/** What only the process itself knows. */
export type ReadinessFacts = NodeFacts & {
  /** whether the scanner fails again and again */
  isScannerFailing(): boolean;
  /** what keeps it from reading on, in words; undefined where nothing is known to, and without a watcher */
  scannerFault?(): string | undefined;
  /** whose session of the database holds it up, in words; never a reason by itself not to serve */
  heldUp?(): string | undefined;
};

/**
 * What has to hold for a process of these roles: the database answers and has the right schema; for the watcher also
 * that a node of the right network answers and that the scanner keeps up with it.
 */
export function readinessChecks(context: ReadinessContext, facts: ReadinessFacts): ReadinessCheck[] {
  const checks = [databaseCheck(context), schemaCheck(context), partitionsCheck(context)];
  if (!context.config.roles.includes("watcher")) return checks;
  const findHead = cacheHead(context, facts);
  return [...checks, nodeCheck(context, findHead, facts), scannerCheck(context, findHead, facts)];
}

function databaseCheck({ db, databaseOutage, clock }: ReadinessContext): ReadinessCheck {
  let answeredMs = Number.NEGATIVE_INFINITY;
  return {
    name: "database",
    isBase: true,
    check: () =>
      pingDatabase(db).then(
        () => {
          answeredMs = clock.monotonicMs();
          return { ok: true, detail: "answers" };
        },
        (error: unknown) => {
          databaseOutage.report(error);
          // A process with very much to do reads answers late: that it waited in vain says little for a while.
          const isLate = clock.monotonicMs() - answeredMs < LATE_MS;
          if (isLate && error instanceof Error && /timeout/i.test(error.message)) throw error;
          return { ok: false, detail: "does not answer" };
        },
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

/**
 * Behind the node's head, or with it: a node that stands still looks as if there were nothing to read. The age is not
 * asked of a local chain, whose clock may stand still or run ahead.
 */
function scannerCheck(
  { db, config, clock }: ReadinessContext,
  findHead: FindHead,
  { isScannerFailing, scannerFault, heldUp }: ReadinessFacts,
): ReadinessCheck {
  const isLocal = config.chain.network === "devnet";
  const check = async (): Promise<{ ok: boolean; detail: string }> => {
    const scanned = await findScannedBlock(db, config.chain.network);
    if (scanned === undefined) return { ok: false, detail: "no block was scanned yet" };
    const lagSeconds = Math.max(0, Math.round(scanned.ageSeconds));
    const age = `complete to block ${scanned.number}, lag ${lagSeconds} s`;
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
  };
  return {
    name: "scanner",
    check: async () => {
      const { ok, detail } = await check();
      const held = heldUp?.();
      return { ok, detail: held === undefined ? detail : `${detail}; ${held}` };
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
