import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";

const PAGE = new URL("../docs/webhooks.md", import.meta.url);

/** The receiver that docs/webhooks.md tells people to copy, as a process of its own. */
export type DocsReceiver = {
  readonly url: string;
  /** what it has printed so far, by line */
  printed(): string[];
  /** ends it; answers all that it has printed */
  stop(): Promise<string[]>;
};

/** Copies the code off the page, but for its port, and runs it as the page says. */
export async function startDocsReceiver(secret: string): Promise<DocsReceiver> {
  const [, code = ""] = /```js\n(.*?)```/s.exec(await readFile(PAGE, "utf8")) ?? [];
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "daric-receiver-"));
  const file = join(folder, "receiver.mjs");
  await writeFile(file, code.replace(".listen(4000,", `.listen(${port},`));
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const printed = () => output.split("\n").filter((line) => line !== "");
  // "close" comes after the last byte of its output.
  const closed = new Promise((resolve) => child.once("close", resolve));
  const stop = async () => {
    child.kill();
    await closed;
    await rm(folder, { recursive: true, force: true });
    return printed();
  };
  const url = `http://127.0.0.1:${port}/hook`;
  const hasEnded = () => child.exitCode !== null;
  await until(
    "the receiver listens",
    async () => hasEnded() || (await fetch(url, { method: "POST" })).ok === false,
  );
  if (hasEnded()) throw new Error((await stop()).join("\n"));
  return { url, printed, stop };
}
