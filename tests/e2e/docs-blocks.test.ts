import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSite } from "@daric/server/docs/site";
import { isNight } from "@daric/testing/at-night";
import { installClients, pythonClient } from "@daric/testing/foreign-client";
import { freePort } from "@daric/testing/free-port";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DocBlock, differences, purposeOf, readBlocks } from "./doc-blocks.ts";
import { type DocShell, startShell } from "./doc-shell.ts";
import { receiverLanguages } from "./docs-receiver.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const readJson = async (path: string) => JSON.parse(await readFile(join(ROOT, path), "utf8"));
const contract = await readJson("clients/typescript/openapi.json");

/** Every served guide, in the order of the contents, with its blocks. */
const guides = await Promise.all(
  [...String(loadSite().get("/docs")?.text).matchAll(/<li><a href="\/docs\/([\w-]+)"><strong>/g)].map(
    async ([, name = ""]) => ({ name, blocks: await readBlocks(name) }),
  ),
);
/** Guides whose blocks wait long for a compiler. */
const nightly = ["sdk"];
/** Guides with a test of their own: docs-collecting.test.ts has a service without a signer, docs-woocommerce.test.ts an empty folder. */
const testedApart = ["clients", "collecting", "woocommerce"];
/** The command that runs a block of a language as a file. TypeScript is only loaded. */
const programs: Readonly<Record<string, { file: string; command: string[] }>> = {
  js: { file: "block.mjs", command: ["node"] },
  ts: { file: "block.ts", command: ["node", "--import", "tsx"] },
  python: { file: "block.py", command: [pythonClient.program] },
  php: { file: "block.php", command: ["php"] },
  go: { file: "block.go", command: ["go", "run"] },
  ruby: { file: "block.rb", command: ["ruby"] },
  java: { file: "Block.java", command: ["java"] },
};

let folder: string;
let env: NodeJS.ProcessEnv;
let stopDemo: () => Promise<void>;
let shell: DocShell;
/** Values of the documentation, and the values of this run that replace them. */
let here: [said: string, is: string][];
/** The output of the previous block. */
let output = "";

beforeAll(async () => {
  folder = await mkdtemp(join(scratchFolder(), "daric-docs-"));
  const home = join(folder, ".daric");
  const hookPort = await freePort();
  const { devchainUrl, baseUrl, apiKey } = await startDemo(home);
  here = [
    ["http://127.0.0.1:3000", baseUrl],
    ["http://127.0.0.1:9090", devchainUrl],
    ["127.0.0.1:4000", `127.0.0.1:${hookPort}`],
    [".listen(4000,", `.listen(${hookPort},`],
    ['("127.0.0.1", 4000)', `("127.0.0.1", ${hookPort})`],
  ];
  const { PATH, HOME } = process.env;
  env = {
    ...(await installClients(folder)),
    PATH,
    HOME,
    DARIC_HOME: home,
    DARIC_URL: baseUrl,
    DARIC_KEY: apiKey,
    DARIC_API_KEY: apiKey,
  } as NodeJS.ProcessEnv;
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const scripts = { demo: `node ${join(ROOT, "apps/demo/dist/commands.js")}` };
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", scripts }));
  for (const block of guides.flatMap(({ blocks }) => blocks)) {
    const file = purposeOf(block, "file");
    if (file !== undefined) await writeFile(join(folder, file), localized(block.code));
  }
  shell = startShell(folder, env);
});

afterAll(async () => {
  await shell?.stop();
  await stopDemo?.();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

type Demo = { readonly baseUrl: string; readonly devchainUrl: string; readonly apiKey: string };

/** Runs the program behind `npm start`, which would build everything again, in a home and on ports of its own. */
async function startDemo(home: string): Promise<Demo> {
  const [port, devchainPort, metricsPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const ports = { PORT: `${port}`, DEVCHAIN_PORT: `${devchainPort}`, METRICS_PORT: `${metricsPort}` };
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(ROOT, "apps/demo/dist/main.js")], {
    cwd: ROOT,
    env: { PATH, HOME, DARIC_HOME: home, DEMO_HISTORY: "off", ...ports } as NodeJS.ProcessEnv,
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  stopDemo = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
  };
  let facts: { baseUrl: string; apiKey: string } | undefined;
  await until(
    "the demo is ready",
    async () => {
      facts = JSON.parse(await readFile(join(home, "demo.json"), "utf8"));
      return true;
    },
    60_000,
  );
  if (facts === undefined) throw new Error("no demo.json");
  return { ...facts, devchainUrl: `http://127.0.0.1:${devchainPort}` };
}

function localized(text: string): string {
  return here.reduce((result, [stated, is]) => result.replaceAll(stated, is), text);
}

function exists(program: string): boolean {
  if (program === pythonClient.program) return pythonClient.isHere;
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Runs a block alone; returns its output. */
async function runFile({ language, code }: DocBlock, file: string): Promise<string> {
  const [program = "", ...args] = programs[language]?.command ?? [];
  await writeFile(join(folder, file), localized(code));
  return new Promise((resolve, reject) => {
    execFile(program, [...args, file], { cwd: folder, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(stdout),
    );
  });
}

/** Compares a JSON block with the last output, a valid request or an event; otherwise it must be JSON. */
async function requireTrueJson(block: DocBlock): Promise<void> {
  const shown = JSON.parse(localized(block.code));
  const event = purposeOf(block, "event");
  const request = purposeOf(block, "request");
  if (block.purpose === "output") expect(differences(shown, JSON.parse(output))).toEqual([]);
  if (request !== undefined) {
    const [path] = Object.entries<Record<string, { operationId?: string }>>(contract.paths).find(
      ([, { post }]) => post?.operationId === request,
    ) ?? [""];
    const headers = { "x-api-key": env.DARIC_KEY ?? "", "content-type": "application/json" };
    const body = JSON.stringify(shown);
    expect((await fetch(`${env.DARIC_URL}${path}`, { method: "POST", headers, body })).status).toBe(201);
  }
  if (event !== undefined) {
    const { examples } = contract.webhooks[event].post.requestBody.content["application/json"];
    const { value } = Object.values<{ value: { data: object } }>(examples)[0] ?? { value: { data: {} } };
    expect(Object.keys(shown).sort()).toEqual(Object.keys(value).sort());
    expect(Object.keys(shown.data).sort()).toEqual(Object.keys(value.data).sort());
  }
}

async function requireTrue(block: DocBlock): Promise<void> {
  const { language, purpose, code } = block;
  if (language === "sh") {
    const stated = await shell.run(localized(code));
    output = stated.output;
    expect(stated, shell.errors()).toMatchObject({
      code: 0,
      output: expect.not.stringContaining('"success":false'),
    });
  } else if (language === "json") await requireTrueJson(block);
  else if (language === "text" && purpose === "printed")
    await until(`${code} is printed`, () => shell.printed().includes(localized(code).trim()));
  else if (language === "text") expect(differences(localized(code).trim(), output.trim())).toEqual([]);
  else output = await runFile(block, purposeOf(block, "file") ?? programs[language]?.file ?? "");
}

/** Whether a block is a receiver, which its page starts and its own tests run. */
function isReceiver(block: DocBlock): boolean {
  return receiverLanguages.some(({ file }) => file === purposeOf(block, "file"));
}

/** Whether a block runs alone. */
function isRun(block: DocBlock): boolean {
  return block.purpose !== "no-run" && (!isReceiver(block) || block.language === "sh");
}

for (const { name, blocks } of guides) {
  const runnable = blocks.filter(isRun);
  if (runnable.length === 0 || testedApart.includes(name) || (!isNight && nightly.includes(name))) continue;
  describe(`docs/${name}.md`, () => {
    // Background processes of a guide end here, because they would print into the output of the next one.
    afterAll(async () => void (await shell.run("kill $(jobs -p) 2> /dev/null; wait")));
    for (const [i, block] of runnable.entries()) {
      const maker = runnable.slice(0, i + 1).findLast(({ language }) => !["json", "text"].includes(language));
      const [program] = programs[(block.purpose === "output" ? maker : block)?.language ?? ""]?.command ?? [];
      const isMissing = program !== undefined && !exists(program);
      it.skipIf(isMissing)(`${block.place} ${block.language} ${block.purpose} is true`, () =>
        requireTrue(block),
      );
    }
  });
}

it("every block has a known language, or is marked as not for running", () => {
  const known = [...Object.keys(programs), "sh", "json", "text"];
  const unknown = guides
    .flatMap(({ blocks }) => blocks)
    .filter((block) => block.purpose !== "no-run" && !known.includes(block.language) && !isReceiver(block));
  expect(unknown.map(({ place }) => place)).toEqual([]);
});
