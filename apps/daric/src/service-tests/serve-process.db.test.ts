import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { startDevchain } from "@daric/devchain";
import { anOldKey } from "@daric/testing/api-keys";
import { isNight } from "@daric/testing/at-night";
import { testEnvironment } from "@daric/testing/context";
import { createEmptyDatabase, createTestDatabase } from "@daric/testing/database";
import { afterEach, describe, expect, it } from "vitest";

const PROGRAM = createRequire(import.meta.url).resolve("@daric/server/bin");
const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Line = Record<string, unknown>;

/** `daric serve` as a process of its own. */
async function spawnService(create = createTestDatabase) {
  const chain = await startDevchain({ blockTimeMs: 200 });
  const database = await create();
  cleanUps.push(
    () => chain.stop(),
    () => database.drop(),
  );
  const env = testEnvironment({
    DATABASE_URL: database.url,
    TRON_NODE_URLS: chain.url,
    PORT: "0",
    METRICS_PORT: "0",
    LOG_LEVEL: "info",
    PUBLIC_BASE_URL: "",
    PUBLIC_BASE_URI: "http://127.0.0.1:3000",
  });
  const child = spawn(process.execPath, [PROGRAM, "serve"], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  cleanUps.push(async () => child.kill("SIGKILL"));
  return { child, database, ...watch(child) };
}

function watch(child: ChildProcess) {
  const lines: Line[] = [];
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = once(child, "close").then(([code, signal]) => ({
    code,
    signal,
    errors,
    lines,
  }));
  const started = new Promise<Line>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line.msg === "started") resolve(line);
    });
    ended.then(() => reject(new Error(`ended before it had started: ${errors}`)), reject);
  });
  started.catch(() => {});
  return { started, ended, lines };
}

describe("daric serve", () => {
  it.each(isNight ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const))(
    "logs one line with its addresses, and ends with exit code 0 on %s",
    async (signal) => {
      const { child, started, ended } = await spawnService();
      const line = await started;
      expect(line).toMatchObject({
        level: "info",
        role: "all",
        environment: "test",
        network: "devnet",
        api_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        metrics_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      });
      const stoppedAt = performance.now();
      child.kill(signal);
      const { code, errors, lines } = await ended;
      expect({ code, errors }).toEqual({ code: 0, errors: "" });
      expect(performance.now() - stoppedAt).toBeLessThan(10_000);
      expect(lines.filter(({ level }) => level === "error")).toEqual([]);
      // Warnings about settings come first, one line each.
      expect(lines.slice(0, 2)).toMatchObject([
        { level: "warn", warning: expect.stringMatching(/^PUBLIC_BASE_URL is not set/) },
        { level: "warn", warning: "PUBLIC_BASE_URI is no setting: is PUBLIC_BASE_URL meant?" },
      ]);
    },
  );

  it.runIf(isNight)("ends at once on a second signal", async () => {
    const { child, started, ended } = await spawnService();
    const { api_url } = await started;
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(String(api_url)).port) });
    socket.on("error", () => {});
    socket.write(
      `POST /v1/deposit-addresses HTTP/1.1\r\nhost: a\r\nx-api-key: ${anOldKey()}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    // If the service waited for the request, its exit code would be 0.
    expect((await ended).code).toBe(1);
    socket.destroy();
  });

  it("prints in one line why it does not start", async () => {
    const { ended } = await spawnService(createEmptyDatabase);
    const { code, errors } = await ended;
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^daric: the database has schema version 0 and this program needs \d+: run `daric migrate` \[schema_mismatch\]\n$/,
    );
  });
});
