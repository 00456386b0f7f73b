import type { Context } from "../context.ts";
import { migrationStatus } from "../db/migrate.ts";
import { sql } from "../db/sql.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { Chain } from "./connect-network.ts";
import { findScannedBlock } from "./store.ts";

/** A minute of blocks. More than that behind, payers wait noticeably longer than the chain makes them. */
const MAX_LAG_BLOCKS = 20;
/** A public chain makes a block every three seconds, whoever says otherwise. */
const MAX_AGE_SECONDS = 120;
/** Three blocks: little beside the lag that is allowed. */
const HEAD_REMEMBERED_MS = 9_000;

/** What only the process itself knows. */
export type ReadinessFacts = {
  /** the chain, once it is verified */
  chain(): Chain | undefined;
  /** whether the scanner fails again and again */
  isScannerFailing(): boolean;
};

/**
 * What has to hold for a process of these roles: the database answers and has the right schema; for the watcher also
 * that a node of the right network answers and that the scanner keeps up with it.
 */
export function readinessChecks(context: Context, facts: ReadinessFacts): ReadinessCheck[] {
  const checks = [databaseCheck(context), schemaCheck(context)];
  if (!context.config.roles.includes("watcher")) return checks;
  const findHead = rememberHead(context, facts.chain);
  return [...checks, nodeCheck(context, findHead), scannerCheck(context, findHead, facts.isScannerFailing)];
}

/** The number of the head block, or undefined before a node was verified. Throws when no node answers. */
type FindHead = () => Promise<number | undefined>;

/** A head that is new enough is not asked for again: whoever asks for readiness must not spend a hosted node's budget. */
function rememberHead({ clock }: Context, currentChain: () => Chain | undefined): FindHead {
  let known: { number: number; atMs: number } | undefined;
  return async () => {
    if (known !== undefined && clock.monotonicMs() - known.atMs < HEAD_REMEMBERED_MS) return known.number;
    const head = await currentChain()?.client.getHeadBlock();
    known = head && { number: head.number, atMs: clock.monotonicMs() };
    return head?.number;
  };
}

function databaseCheck({ db }: Context): ReadinessCheck {
  return {
    name: "database",
    check: () =>
      db.query(sql`select 1`).then(
        () => ({ ok: true, detail: "answers" }),
        () => ({ ok: false, detail: "does not answer" }),
      ),
  };
}

function schemaCheck({ db }: Context): ReadinessCheck {
  return {
    name: "schema",
    check: async () => {
      const { current, latest } = await migrationStatus(db);
      return { ok: current === latest, detail: `version ${current} of ${latest}` };
    },
  };
}

function nodeCheck({ config }: Context, findHead: FindHead): ReadinessCheck {
  return {
    name: "node",
    check: async () => {
      const head = await findHead().catch(() => "none" as const);
      if (head === "none") return { ok: false, detail: `no node of ${config.TRON_NETWORK} answers` };
      if (head === undefined)
        return { ok: false, detail: `no node of ${config.TRON_NETWORK} was verified yet` };
      return { ok: true, detail: `head block ${head}` };
    },
  };
}

/**
 * Behind the node's head, or with it: a node that stands still looks as if there were nothing to read. The age is not
 * asked of a local chain, whose clock may stand still or run ahead.
 */
function scannerCheck(
  { db, config }: Context,
  findHead: FindHead,
  isFailing: ReadinessFacts["isScannerFailing"],
): ReadinessCheck {
  return {
    name: "scanner",
    check: async () => {
      const scanned = await findScannedBlock(db, config.TRON_NETWORK);
      if (scanned === undefined) return { ok: false, detail: "no block was scanned yet" };
      const age = `block ${scanned.number}, ${Math.max(0, Math.round(scanned.ageSeconds))} s old`;
      if (isFailing()) return { ok: false, detail: `${age}, and reading on fails: the log says why` };
      const head = await findHead().catch(() => undefined);
      if (head === undefined) return { ok: false, detail: `${age}, head unknown` };
      const lag = head - Number(scanned.number);
      if (lag < -MAX_LAG_BLOCKS) return { ok: false, detail: `${age}, but the node's head is only ${head}` };
      const isFresh = config.TRON_NETWORK === "devnet" || scanned.ageSeconds <= MAX_AGE_SECONDS;
      return { ok: lag <= MAX_LAG_BLOCKS && isFresh, detail: `${age}, ${Math.max(0, lag)} behind` };
    },
  };
}
