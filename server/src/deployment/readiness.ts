import type { Context } from "../context.ts";
import { migrationStatus } from "../db/migrate.ts";
import { sql } from "../db/sql.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { Chain } from "./connect-network.ts";
import { findScannedBlock } from "./store.ts";

/** A minute of blocks. More than that behind, payers wait noticeably longer than the chain makes them. */
const MAX_LAG_BLOCKS = 20;

/**
 * What has to hold for a process of these roles: the database answers and has the right schema; for the watcher also
 * that a node of the right network answers and that the scanner keeps up with it.
 */
export function readinessChecks(context: Context, currentChain: () => Chain | undefined): ReadinessCheck[] {
  const checks = [databaseCheck(context), schemaCheck(context)];
  if (!context.config.roles.includes("watcher")) return checks;
  return [...checks, nodeCheck(context, currentChain), scannerCheck(context, currentChain)];
}

function databaseCheck({ db }: Context): ReadinessCheck {
  return {
    name: "database",
    check: async () => {
      await db.query(sql`select 1`);
      return { ok: true, detail: "answers" };
    },
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

function nodeCheck({ config }: Context, currentChain: () => Chain | undefined): ReadinessCheck {
  return {
    name: "node",
    check: async () => {
      const chain = currentChain();
      if (chain === undefined)
        return { ok: false, detail: `no node of ${config.TRON_NETWORK} was verified yet` };
      const head = await chain.client.getHeadBlock();
      return { ok: true, detail: `head block ${head.number}` };
    },
  };
}

/** Measured in blocks, because the clock of a local chain may stand still or run ahead. */
function scannerCheck({ db, config }: Context, currentChain: () => Chain | undefined): ReadinessCheck {
  return {
    name: "scanner",
    check: async () => {
      const scanned = await findScannedBlock(db, config.TRON_NETWORK);
      if (scanned === undefined) return { ok: false, detail: "no block was scanned yet" };
      const age = `block ${scanned.number}, ${Math.round(scanned.ageSeconds)} s old`;
      const head = await currentChain()?.client.getHeadBlock();
      if (head === undefined) return { ok: false, detail: `${age}, head unknown` };
      const lag = Math.max(0, head.number - Number(scanned.number));
      return { ok: lag <= MAX_LAG_BLOCKS, detail: `${age}, ${lag} behind` };
    },
  };
}
