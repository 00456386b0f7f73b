import { setTimeout as sleep } from "node:timers/promises";
import type { ContextOf } from "../runtime/context.ts";
import { adaptToNodes } from "./distribute.ts";
import { requireFacts } from "./require-facts.ts";
import { requireServedSchema } from "./schema-status.ts";
import { StartError } from "./start-error.ts";

const WAIT_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * Resolves when the database answers and serves this program, and logs doubts about it. Waits for
 * an unreachable database, at most `waitMs` (60 s).
 *
 * @throws StartError if it stays unreachable, its schema is older or newer, or a fact does not hold that the service depends on.
 */
export async function awaitDatabase(
  context: Pick<
    ContextOf<{ readonly runtime: { readonly databaseUrl: string } }>,
    "config" | "db" | "clock" | "log" | "databaseOutage"
  >,
  options: { waitMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { db, clock, config, log, databaseOutage } = context;
  const { waitMs = WAIT_MS, signal } = options;
  const deadlineMs = clock.monotonicMs() + waitMs;
  for (;;) {
    try {
      const doubts = await requireFacts(db, { url: config.runtime.databaseUrl, purpose: "serving" });
      await requireServedSchema(db);
      await adaptToNodes(db);
      for (const warning of doubts)
        log.warn({ event: "configuration_warning", warning }, "the database is doubtful");
      return;
    } catch (error) {
      if (!databaseOutage.report(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (clock.monotonicMs() >= deadlineMs)
        throw new StartError("database_unreachable", `${reason} (for ${waitMs / 1000} s)`, { cause: error });
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
