import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import { prettyOutput } from "./pretty-output.ts";

/** The pretty text of the logged lines. */
function written(emit: (log: ReturnType<typeof createLogger>) => void, isColoured = false): string {
  const parts: string[] = [];
  const destination = prettyOutput({ write: (part) => void parts.push(part) }, { isColoured });
  emit(createLogger({ level: "info", role: "all", destination }));
  return parts.join("");
}

it("an event is one line: time, level, message, and each field with its name", () => {
  const text = written((log) =>
    log.warn({ event: "database_unreachable", reason: "connect refused", for_s: 60 }, "still away"),
  );
  expect(text).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}still away role=all event=database_unreachable reason="connect refused" for_s=60\n$/,
  );
});

it("an error is followed by its stack, indented", () => {
  const [first, second, third] = written((log) =>
    log.error({ event: "worker_failed", err: new TypeError("a fault") }, "failed"),
  ).split("\n");
  expect(first).toMatch(/ERROR failed role=all event=worker_failed$/);
  expect(second).toBe("    TypeError: a fault");
  expect(third).toMatch(/^ {4}at .*pretty-output\.test\.ts/);
});

it("no field breaks the line or steers the terminal", () => {
  const text = written((log) => log.info({ reason: "a\nb\u001b[2J\u009b1m\u202e" }, "c\r\u001b[1mé"));
  expect(text.split("\n")).toHaveLength(2);
  expect(text).toContain('c\\u000d\\u001b[1mé role=all reason="a\\nb\\u001b[2J\\u009b1m\\u202e"');
});

it("colours appear only on request", () => {
  const emit = (log: ReturnType<typeof createLogger>) => log.error({ event: "worker_failed" }, "failed");
  expect(written(emit)).not.toContain("\u001b");
  expect(written(emit, true)).toContain("\u001b[31mERROR\u001b[0m");
});
