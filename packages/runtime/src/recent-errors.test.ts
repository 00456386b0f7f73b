import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import { createRecentErrors } from "./recent-errors.ts";

/** A logger that writes only to `recentErrors`. */
function start() {
  const recentErrors = createRecentErrors();
  const log = createLogger({ level: "trace", role: "test", destination: { write: () => {} }, recentErrors });
  return { log, recentErrors };
}

it("an error is kept with its reason and without its stack", () => {
  const { log, recentErrors } = start();
  log.error(
    {
      event: "worker_failed",
      worker: "watcher",
      err: Object.assign(new Error("a fault"), { code: "XX000" }),
    },
    "step failed",
  );
  expect(recentErrors.list()).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: "error",
      event: "worker_failed",
      message: "step failed",
      reason: "a fault",
      code: "XX000",
      worker: "watcher",
    },
  ]);
});

it("only warnings about an outage are kept", () => {
  const { log, recentErrors } = start();
  log.warn({ event: "rate_source_failed", reason: "late" }, "weather");
  log.info("all is well");
  log.warn({ event: "database_unreachable", reason: "connection refused" }, "the database does not answer");
  expect(recentErrors.list()).toMatchObject([
    { level: "warn", event: "database_unreachable", message: "the database does not answer" },
  ]);
});

it("the last ten are kept, the newest first", () => {
  const { log, recentErrors } = start();
  for (let number = 1; number <= 25; number += 1) log.error({ event: "worker_failed" }, `error ${number}`);
  const messages = recentErrors.list().map(({ message }) => message);
  expect(messages).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16].map((number) => `error ${number}`));
});

it("redacted values are not kept, and no text is longer than 300 characters", () => {
  const { log, recentErrors } = start();
  log.error(
    { event: "worker_failed", secret: "canary", apiKey: "canary", reason: "r".repeat(10_000) },
    "m".repeat(10_000),
  );
  const [only] = recentErrors.list();
  expect(JSON.stringify(only)).not.toContain("canary");
  expect(only).toMatchObject({ reason: "r".repeat(300), message: "m".repeat(300) });
});

it("lines of a child logger are kept too", () => {
  const { log, recentErrors } = start();
  log.child({ room: "http" }).fatal("the end");
  expect(recentErrors.list()).toMatchObject([{ level: "fatal", message: "the end" }]);
});
