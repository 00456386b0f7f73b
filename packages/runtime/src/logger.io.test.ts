import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";

const BUILD = fileURLToPath(new URL("../dist/logger.js", import.meta.url));

/** The output of a process that logs two lines in one turn and then ends in this way. */
function linesOf(end: string): Promise<string[]> {
  const program = `
    import { createLogger, standardOutput } from ${JSON.stringify(BUILD)};
    const log = createLogger({ level: "info", role: "test", destination: standardOutput() });
    log.info("first");
    log.info("second");
    ${end}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--input-type=module", "-e", program], (_error, stdout) =>
      resolve(
        stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).msg),
      ),
    );
  });
}

it.each([
  ["ends by itself", ""],
  ["is ended", "process.exit(1);"],
  ["throws without a catch", 'throw new Error("a fault");'],
  ["leaves a promise rejected", 'await Promise.reject(new Error("a fault"));'],
])("a process that %s has written every line", async (_name, end) => {
  expect(await linesOf(end)).toEqual(["first", "second"]);
});

it("many lines of one turn are written whole and in their order", async () => {
  const lines = await linesOf('for (let line = 0; line < 5_000; line += 1) log.info("line " + line);');
  expect(lines).toHaveLength(5_002);
  expect(lines.slice(-2)).toEqual(["line 4998", "line 4999"]);
});

it("an error whose message contains its cause's shows it once, and the stack names both", () => {
  const lines: string[] = [];
  const log = createLogger({
    level: "info",
    role: "test",
    destination: { write: (line) => void lines.push(line) },
  });
  const cause = new Error("connect ECONNREFUSED");
  log.error({ event: "worker_failed", err: new TypeError(`away: ${cause.message}`, { cause }) }, "failed");
  const { err } = JSON.parse(lines[0] ?? "");
  expect(err).toMatchObject({ type: "TypeError", message: "away: connect ECONNREFUSED" });
  expect(err.stack).toMatch(/TypeError: away[\s\S]*caused by: Error: connect ECONNREFUSED/);
});
