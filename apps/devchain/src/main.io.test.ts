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

describe("the command", () => {
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
    const [taken, badPort, unknown] = await Promise.all(
      [
        ["--port", port],
        ["--port", "70000"],
        ["--prot", "1"],
      ].map((args) => failure(run(...args))),
    );
    holder.close();
    expect(taken).toMatchObject({ code: 1, text: expect.stringMatching(/^devchain: .*port is in use.*\n$/) });
    expect(badPort).toMatchObject({ code: 1, text: expect.stringContaining("--port must be") });
    expect(unknown).toMatchObject({ code: 1, text: expect.stringContaining("--prot") });
  }, 15_000);
});
