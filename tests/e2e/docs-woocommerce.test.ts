import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { createTestContext, testEnvironment } from "@daric/testing/context";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { readBlocks } from "./doc-blocks.ts";
import { type DocShell, startShell } from "./doc-shell.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAMS = { admin: "apps/daric/bin/daric.js", signer: "apps/signer/bin/daric-signer" };

/** The folder that the guide calls /opt/daric. */
let place: string;
let context: Awaited<ReturnType<typeof createTestContext>>;
let devchain: TestDevchain;
let app: ApiApp;
let baseUrl: string;
let shell: DocShell;

beforeAll(async () => {
  devchain = await aDevchain();
  context = await createTestContext({ TRON_NODE_URLS: devchain.url });
  app = createApp(context);
  baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  place = await mkdtemp(join(scratchFolder(), "daric-shop-guide-"));
  await packDeployFolder();
  await placeDocker();
  const { HOME, PATH } = process.env;
  shell = startShell(place, {
    ...testEnvironment({ DATABASE_URL: context.config.runtime.databaseUrl, TRON_NODE_URLS: devchain.url }),
    ...{ DATABASE_DIRECT_URL: context.ownerUrl, PUBLIC_BASE_URL: baseUrl },
    ...{ HOME, PATH: `${place}/bin:${PATH}` },
  } as NodeJS.ProcessEnv);
});

afterAll(async () => {
  await shell?.stop();
  await app?.close();
  await context?.close();
  await devchain?.stop();
  if (place !== undefined) await rm(place, { recursive: true, force: true });
});

/** The part of a release with the files of a deployment. */
async function packDeployFolder(): Promise<void> {
  const args = [
    "--transform",
    "s,^,daric-deploy/,",
    "-cf",
    join(place, "daric-deploy-0.1.0.tar"),
    "compose.yaml",
    "ops/deploy",
  ];
  await promisify(execFile)("tar", args, { cwd: ROOT });
}

/**
 * A `docker` for a machine without containers: it runs the program of the named service of compose.yaml on the test's database. Images and containers
 * have tests of their own.
 */
async function placeDocker(): Promise<void> {
  const { services } = parse(await readFile(join(ROOT, "compose.yaml"), "utf8"), { merge: true });
  expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(PROGRAMS)));
  const lines = [
    "#!/bin/sh",
    "set -eu",
    '[ "$1" = compose ]; shift',
    'case "$1 $2" in',
    `"up -d") exec node ${join(ROOT, PROGRAMS.admin)} migrate > /dev/null ;;`,
    '"run --rm") service=$3; shift 3 ;;',
    "*) exit 2 ;;",
    "esac",
    'case "$service" in',
    ...Object.entries(PROGRAMS).map(([name, program]) => `${name}) exec ${join(ROOT, program)} "$@" ;;`),
    "*) exit 2 ;;",
    "esac",
  ];
  await mkdir(join(place, "bin"));
  await writeFile(join(place, "bin/docker"), `${lines.join("\n")}\n`);
  await chmod(join(place, "bin/docker"), 0o755);
}

/** A block with the folder, the secrets, the wallet and the host of this run. */
function localized(code: string, merchantId: string): string {
  return code
    .replaceAll("/opt/daric", place)
    .replaceAll("/run/secrets/", `${place}/secrets/`)
    .replaceAll("/var/lib/daric-signer", `${place}/signer`)
    .replaceAll("https://pay.example.com", baseUrl)
    .replaceAll("<id>", merchantId)
    .replaceAll("T…", devchain.payer.address);
}

it("every command of docs/woocommerce.md does what the page says", async () => {
  let merchantId = "";
  let printed = "";
  for (const { language, code, place: position } of await readBlocks("woocommerce")) {
    if (language !== "sh") continue;
    // Line by line, as a reader types them: later ones have the id and the xpub that earlier ones print.
    for (const line of code.replaceAll("\\\n", " ").trim().split("\n")) {
      const xpub = /xpub\w{100,}/.exec(printed)?.[0] ?? "xpub…";
      const said = await shell.run(localized(line, merchantId).replace("xpub…", xpub));
      expect(said, `${position}: ${line}: ${shell.errors()}`).toMatchObject({ code: 0 });
      printed += said.output;
      merchantId ||= /merchant create/.test(line)
        ? (/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(said.output)?.[0] ?? "")
        : "";
    }
  }
  expect(await readFile(join(place, "secrets/account_xpub"), "utf8")).toMatch(/^xpub\w+\n$/);
  expect(await readFile(join(place, ".env"), "utf8")).toContain("DOMAIN=pay.example.com\n");
  expect(merchantId).not.toBe("");
  expect(printed).toMatch(/\/dashboard\/link#/);
  expect(printed).toContain('"success":true');
});
