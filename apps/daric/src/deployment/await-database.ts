import { setTimeout as sleep } from "node:timers/promises";
import { databaseAt, isLastingFault, withAdvice } from "@daric/domain/transport-fault";
import { isDatabaseUnavailable } from "@daric/postgres/errors";
import type { ContextOf } from "@daric/runtime/context";
import { adaptToServers } from "./distribute.ts";
import { requireFacts } from "./require-facts.ts";
import { requireServedSchema } from "./schema-status.ts";
import { StartError } from "./start-error.ts";

const WAIT_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * Resolves when the database answers and serves this program, and logs doubts about it. Waits for
 * an unreachable database, at most `waitMs` (60 s).
 *
 * @throws StartError if it stays unreachable, its certificate is not trusted, its schema is another one, or it lacks a fact.
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
      await adaptToServers(db);
      for (const warning of doubts)
        log.warn({ event: "configuration_warning", warning }, "the database is doubtful");
      return;
    } catch (error) {
      const reason = withAdvice(error instanceof Error ? error.message : String(error), error, databaseAt());
      if (isDatabaseUnavailable(error) && isLastingFault(error))
        throw new StartError("database_unreachable", reason, { cause: error });
      if (!databaseOutage.report(error)) throw error;
      if (clock.monotonicMs() >= deadlineMs)
        throw new StartError("database_unreachable", `${reason} (for ${waitMs / 1000} s)`, { cause: error });
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
