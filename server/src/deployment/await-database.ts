import { setTimeout as sleep } from "node:timers/promises";
import { findUnbounded } from "@daric/postgres/role-defaults";
import type { Queryable } from "@daric/postgres/sql";
import type { ContextOf } from "../runtime/context.ts";
import { adaptToNodes } from "./distribute.ts";
import { requireServedSchema } from "./schema-status.ts";
import { StartError } from "./start-error.ts";

const WAIT_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * Resolves when the database answers, its schema serves this program, and our role has limits. Waits for
 * an unreachable database, at most `waitMs` (60 s).
 *
 * @throws StartError if it stays unreachable, its schema is older or newer, or a limit is missing.
 */
export async function awaitDatabase(
  context: Pick<ContextOf, "db" | "clock" | "databaseOutage">,
  options: { waitMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { db, clock, databaseOutage } = context;
  const { waitMs = WAIT_MS, signal } = options;
  const deadlineMs = clock.monotonicMs() + waitMs;
  for (;;) {
    try {
      await requireServedSchema(db);
      await adaptToNodes(db);
      return await requireLimits(db);
    } catch (error) {
      if (!databaseOutage.report(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (clock.monotonicMs() >= deadlineMs)
        throw new StartError("database_unreachable", `${reason} (for ${waitMs / 1000} s)`, { cause: error });
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}

/**
 * Resolves if every statement of our role has a timeout.
 *
 * @throws StartError if a statement could wait for ever, with the statements to run or the advice for the
 * pooler.
 */
export async function requireLimits(db: Queryable): Promise<void> {
  const { toRun, stale } = await findUnbounded(db);
  if (toRun.length > 0)
    throw new StartError(
      "role_limits_missing",
      `the role of the service has no limits in this database: run \`daric migrate\`, or: ${toRun.join(" ")}`,
    );
  if (stale.length > 0)
    throw new StartError(
      "role_limits_stale",
      `a pooler kept this connection from before the limits of the role were set (${stale.join(", ")}): make it open ` +
        "new connections, for example by RECONNECT in the console of PgBouncer, and start again",
    );
}
