import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const TSX = import.meta.resolve("tsx");
const running: ChildProcessWithoutNullStreams[] = [];
const directories: string[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function run(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ["--import", TSX, MAIN, ...args]);
  running.push(child);
  return child;
}

async function startedUrl(child: ChildProcessWithoutNullStreams): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout) {
    text += chunk;
    const url = /listening on (\S+)/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`did not start: ${text}`);
}

async function headAt(url: string): Promise<number> {
  const response = await fetch(`${url}/devchain/info`);
  return ((await response.json()) as { head: number }).head;
}

async function failure(child: ChildProcessWithoutNullStreams): Promise<{ code: number; text: string }> {
  let text = "";
  child.stderr.on("data", (chunk: Buffer) => (text += chunk));
  const [code] = await once(child, "close");
  return { code, text };
}

/** Reads what a chain prints until it matches. */
async function printed(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk));
  await expect.poll(() => text, { timeout: 25_000 }).toMatch(pattern);
  return text;
}

describe("the command", () => {
  it("prints address, token, accounts with their keys and the mnemonic, then a line for each request while it has a reader", async () => {
    const words = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    const child = run("--port", "0", "--accounts", "2", "--balance", "5", "--mnemonic", words);
    const text = await printed(child, /mnemonic: legal .* yellow/);
    expect(text.match(/^ +\d {2}T\w{33} {2}[0-9a-f]{64}$/gm)).toHaveLength(2);
    expect(text).toContain("USDT contract  TXdcZGu8AmPXzHVmcoyPnh7tSG4ymHD2rW");
    const url = /listening on (\S+)/.exec(text)?.[1] ?? "";
    const lines = printed(child, /\/devchain\/nothing/);
    await fetch(`${url}/wallet/getnowblock`);
    await fetch(`${url}/devchain/nothing`);
    expect(await lines).toMatch(
      /^GET \/wallet\/getnowblock → 200, \d+ ms\nGET \/devchain\/nothing → 404, \d+ ms: there is no/m,
    );
    child.stdout.destroy();
    for (let call = 0; call < 3; call += 1) expect(await headAt(url)).toBeGreaterThan(0);
  }, 30_000);

  it("prints no request with --quiet", async () => {
    const child = run("--port", "0", "--quiet");
    const text = await printed(child, /PUBLIC/);
    let more = "";
    child.stdout.on("data", (chunk: Buffer) => (more += chunk));
    expect(await headAt(/listening on (\S+)/.exec(text)?.[1] ?? "")).toBeGreaterThan(0);
    child.kill("SIGTERM");
    await once(child, "close");
    expect(more).not.toContain("/devchain/info");
  }, 30_000);

  it("killed during production loses no reported block, and ends at once on request", async () => {
    const directory = mkdtempSync(join(tmpdir(), "devchain-test-"));
    directories.push(directory);
    const first = run("--port", "0", "--data", directory, "--block-time", "10");
    const firstUrl = await startedUrl(first);
    await expect.poll(() => headAt(firstUrl)).toBeGreaterThan(40);
    const printed = await headAt(firstUrl);
    first.kill("SIGKILL");
    await once(first, "close");
    const second = run("--port", "0", "--data", directory, "--paused");
    expect(await headAt(await startedUrl(second))).toBeGreaterThanOrEqual(printed);
    second.kill("SIGTERM");
    const [code] = await once(second, "close");
    expect(code).toBe(0);
  }, 15_000);

  it("prints its fault in one line and exits with 1", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const address = holder.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const [taken, badPort, badWords, unknown] = await Promise.all(
      [
        ["--port", port],
        ["--port", "70000"],
        ["--mnemonic", "test test"],
        ["--prot", "1"],
      ].map((args) => failure(run(...args))),
    );
    holder.close();
    expect(taken).toMatchObject({ code: 1, text: expect.stringMatching(/^devchain: .*port is in use.*\n$/) });
    expect(badPort).toMatchObject({ code: 1, text: expect.stringContaining("--port must be") });
    expect(badWords).toMatchObject({ code: 1, text: expect.stringMatching(/^devchain: mnemonic has .*\n$/) });
    expect(unknown).toMatchObject({ code: 1, text: expect.stringContaining("--prot") });
  }, 15_000);
});
