import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type ForeignClient,
  goClient,
  installClients,
  phpClient,
  pythonClient,
} from "@daric/testing/foreign-client";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";
import { purposeOf, readBlocks } from "./doc-blocks.ts";

/** A receiver from the documentation, as a process of its own. */
export type DocsReceiver = {
  readonly url: string;
  /** its output so far, by line */
  printed(): string[];
  /** ends the receiver; returns all its output */
  stop(): Promise<string[]>;
};

/** A receiver of the documentation: its page and its command. */
export type ReceiverLanguage = {
  readonly name: string;
  readonly page: string;
  readonly file: string;
  /** builds an executable of the file, if the language needs one; the address is passed at the start */
  readonly build?: readonly string[];
  /** a further file that the program needs */
  readonly needs?: string;
  /** the client that the program stands on */
  readonly client?: ForeignClient;
  /** the interpreter's own first line */
  readonly banner?: RegExp;
  run(port: number): readonly [program: string, ...args: string[]];
};

/** The path of Gson in Debian's libgoogle-gson-java. */
const GSON = "/usr/share/java/gson.jar";

/** The stored charge of the order A-1042. */
export const CHARGE_ID = "01a1c0de-0000-7000-8000-000000001042";

export const nodeReceiver: ReceiverLanguage = {
  name: "Node",
  page: "webhooks",
  file: "receiver.mjs",
  run: () => [process.execPath, "receiver.mjs"],
};

/** Every receiver of the documentation. */
export const receiverLanguages: readonly ReceiverLanguage[] = [
  nodeReceiver,
  {
    name: "Python",
    page: "receivers",
    file: "receiver.py",
    client: pythonClient,
    run: () => [pythonClient.program, "receiver.py"],
  },
  {
    name: "PHP",
    page: "receivers",
    file: "receiver.php",
    client: phpClient,
    run: (port) => ["php", "-q", "-S", `127.0.0.1:${port}`, "receiver.php"],
    banner: /PHP [\d.]+ Development Server \(.*\) started$/,
  },
  {
    name: "Go",
    page: "receivers",
    file: "receiver.go",
    client: goClient,
    build: [goClient.program, "build", "-o", "receiver", "receiver.go"],
    run: () => ["./receiver"],
  },
  { name: "Ruby", page: "receivers", file: "receiver.rb", run: () => ["ruby", "receiver.rb"] },
  {
    name: "Java",
    page: "receivers",
    file: "Receiver.java",
    needs: GSON,
    run: () => ["java", "-cp", GSON, "Receiver.java"],
  },
];

/** Whether the interpreter or compiler of a language is on this machine. */
export function isInstalled({ build, client, needs, run }: ReceiverLanguage): boolean {
  if (client !== undefined) return client.isHere;
  if (needs !== undefined && !existsSync(needs)) return false;
  try {
    execFileSync("sh", ["-c", `command -v ${build?.[0] ?? run(0)[0]}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Copies the code of the page with another port, and runs it by the page's command. */
export async function startDocsReceiver(
  secret: string,
  { language = nodeReceiver, chargeId = CHARGE_ID }: { language?: ReceiverLanguage; chargeId?: string } = {},
): Promise<DocsReceiver> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "daric-receiver-"));
  const clients = await copyReceiver(language, { folder, port });
  const [program, ...args] = language.run(port);
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...clients,
      PATH: process.env.PATH,
      WEBHOOK_SECRET: secret,
      CHARGE_ID: chargeId,
      ADDRESS: `127.0.0.1:${port}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const printed = () => output.split("\n").filter((line) => line !== "" && !language.banner?.test(line));
  // The event "close" follows the last byte of the output.
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

type Place = { readonly folder: string; readonly port: number };

/** Copies the program; returns the variables that it needs. */
async function copyReceiver(
  language: ReceiverLanguage,
  { folder, port }: Place,
): Promise<Record<string, string>> {
  const { page, file, build, client } = language;
  if (build !== undefined) {
    const built = builds.get(file) ?? buildReceiver(language);
    builds.set(file, built);
    await symlink(await built, join(folder, "receiver"));
    return {};
  }
  const code = (await codeOf(page, file))
    .replace(".listen(4000,", `.listen(${port},`)
    .replace('"127.0.0.1", 4000', `"127.0.0.1", ${port}`);
  await writeFile(join(folder, file), code);
  return client === undefined ? {} : installClients(folder);
}

/** The built files by their source, in the system's temporary folder. */
const builds = new Map<string, Promise<string>>();

async function buildReceiver({ page, file, build = [] }: ReceiverLanguage): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "daric-receiver-"));
  await writeFile(
    join(folder, file),
    (await codeOf(page, file)).replace('"127.0.0.1:4000"', 'os.Getenv("ADDRESS")'),
  );
  const env = { ...process.env, ...(await installClients(folder)) };
  const [program = "", ...args] = build;
  await promisify(execFile)(program, args, { cwd: folder, env });
  return join(folder, "receiver");
}

async function codeOf(page: string, file: string): Promise<string> {
  const block = (await readBlocks(page)).find((readBlock) => purposeOf(readBlock, "file") === file);
  if (block === undefined) throw new Error(`docs/${page}.md does not show ${file}`);
  return block.code;
}
