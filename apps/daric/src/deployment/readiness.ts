import { findFaults } from "@daric/postgres/facts";
import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import { MAX_AHEAD_OF_CLOCK_MS } from "./connect-network.ts";
import type { ReadinessContext } from "./context.ts";
import { findIdleHolders, textOfIdleHolder } from "./idle-holder-store.ts";
import { cacheHead, type FindHead, type Head, type NodeFacts, nodeCheck } from "./node-readiness.ts";
import { findSchemaStatus } from "./schema-status.ts";
import { countMonthsAhead, findScannedBlock, pingDatabase } from "./store.ts";

/** A healthy database may take this long to answer a busy process. */
const LATE_MS = 15_000;
/** A minute of blocks. Beyond it payers wait noticeably longer than the chain requires. */
const MAX_LAG_BLOCKS = 20;
/**
 * Solidity is read at least once in 40 blocks, and is some 20 below the head; beyond this confirmations stop.
 */
const MAX_SOLID_LAG_BLOCKS = 100;
/** A public chain makes a block every three seconds. */
const MAX_AGE_SECONDS = 120;
/** `daric migrate` makes twelve months ahead. */
const MIN_MONTHS_AHEAD = 2;

/** The facts that only the process itself has. */
export type ReadinessFacts = NodeFacts & {
  /** whether the scanner fails repeatedly */
  isScannerFailing(): boolean;
  /** the reason why it cannot continue; undefined if there is none, and without a watcher */
  scannerFault?(): string | undefined;
  /** the database session that blocks it; this alone never fails readiness */
  blocker?(): string | undefined;
};

/**
 * The checks of a process with these roles. The database must answer and have the right schema. The watcher
 * also needs a node of the right network and a scanner that keeps up with it.
 */
export function readinessChecks(context: ReadinessContext, facts: ReadinessFacts): ReadinessCheck[] {
  const checks = [
    databaseCheck(context),
    factsCheck(context),
    schemaCheck(context),
    partitionsCheck(context),
    leasesCheck(context),
  ];
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
          // A very busy process reads answers late, so a timeout counts only after a while.
          const isLate = clock.monotonicMs() - answeredMs < LATE_MS;
          if (isLate && error instanceof Error && /timeout/i.test(error.message)) throw error;
          return { ok: false, detail: "does not answer" };
        },
      ),
  };
}

/** The statements that mend a fact name roles, so they stay in `daric config check`. */
function factsCheck({ db, config }: ReadinessContext): ReadinessCheck {
  return {
    name: "facts",
    check: async () => {
      const found = await findFaults(db, { url: config.runtime.databaseUrl, purpose: "serving" });
      const faults = found.filter(({ stops }) => stops !== undefined);
      const doubts = found.length - faults.length;
      const words = [...faults.map((fault) => fault.words), ...(doubts > 0 ? [`${doubts} doubtful`] : [])];
      const detail = words.length === 0 ? "all hold" : `${words.join("; ")}: run \`daric config check\``;
      return { ok: faults.length === 0, detail };
    },
  };
}

function schemaCheck({ db }: ReadinessContext): ReadinessCheck {
  return {
    name: "schema",
    check: async () => {
      const { isServed: ok, detail } = await findSchemaStatus(db);
      return { ok, detail };
    },
  };
}

/**
 * Never fails readiness: rows without a month go to the default partition. But then old months cannot be
 * dropped.
 */
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

/** Never fails readiness: orders and payments need neither alerts nor settlement. */
function leasesCheck({ db }: ReadinessContext): ReadinessCheck {
  return {
    name: "leases",
    check: async () => {
      const idle = await findIdleHolders(db);
      return { ok: true, detail: idle.length === 0 ? "work" : idle.map(textOfIdleHolder).join("; ") };
    },
  };
}

/**
 * Compares the scanner with the node's head and its age: a stopped node looks like a chain without new
 * blocks. A local chain has no age check, because its clock may stop or run ahead.
 */
function scannerCheck(
  { db, config, clock }: ReadinessContext,
  findHead: FindHead,
  { isScannerFailing, scannerFault, blocker }: ReadinessFacts,
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
      const held = blocker?.();
      return { ok, detail: held === undefined ? detail : `${detail}; ${held}` };
    },
  };
}

/** A cached head far below the blocks read is old: blocks can be mined on command. */
async function headBeside(scanned: number, findHead: FindHead): Promise<Head | undefined> {
  const head = await findHead();
  const isOutdated = head !== undefined && head.number < scanned - MAX_LAG_BLOCKS;
  return isOutdated ? await findHead(0) : head;
}

/** The text if blocks are read but do not become final. */
function solidFaultOf(head: Head, solidNumber: number): string {
  const behind = head.number - solidNumber;
  if (behind <= MAX_SOLID_LAG_BLOCKS) return "";
  return `; solid block ${solidNumber}, ${behind} behind the head: nothing above it is confirmed`;
}

/** The text if the head is from the future by our clock: the scanner refuses such a block. */
function clockFaultOf(head: Head | undefined, now: Date): string {
  const aheadMs = (head?.timeMs ?? 0) - now.getTime();
  if (aheadMs <= MAX_AHEAD_OF_CLOCK_MS) return "";
  const aheadSeconds = Math.round(aheadMs / 1_000);
  return `; the head block is ${aheadSeconds} s ahead of this machine's clock: check this machine's clock (NTP)`;
}
