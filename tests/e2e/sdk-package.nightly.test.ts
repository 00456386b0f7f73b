import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** A foreign project with only the tarball to publish. */
let project: string;
let installed: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "daric-sdk-"));
  const packed = ["pack", "--json", "--workspace", "@daric/sdk", "--pack-destination", project];
  await run("npm", packed, { cwd: ROOT });
  const { version } = JSON.parse(await readFile(join(ROOT, "clients/typescript/package.json"), "utf8"));
  installed = join(project, "node_modules/@daric/sdk");
  await mkdir(installed, { recursive: true });
  await run("tar", [
    "-xzf",
    join(project, `daric-sdk-${version}.tgz`),
    "--strip-components=1",
    "-C",
    installed,
  ]);
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
});

afterAll(() => rm(project, { recursive: true, force: true }));

it("contains its code without sources and tests, has no dependencies and no side effects", async () => {
  const { stdout } = await run("find", [installed, "-type", "f"]);
  const files = stdout
    .trim()
    .split("\n")
    .map((path) => path.slice(installed.length + 1));
  expect(files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "package.json", "openapi.json", "vectors/webhooks.json"]),
  );
  const kinds =
    /^(dist\/[\w-]+\.(js|d\.ts)(\.map)?|LICENSE|README\.md|package\.json|openapi\.json|vectors\/(?:calls|webhooks)\.json)$/;
  expect(files.filter((path) => !kinds.test(path))).toEqual([]);
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(manifest).toMatchObject({ sideEffects: false, engines: { node: ">=20.19" }, license: "MIT" });
  expect(manifest.dependencies).toBeUndefined();
});

it("runs in Node", async () => {
  const source = `
    import { Daric, DaricError, verifyWebhook } from "@daric/sdk";
    import contract from "@daric/sdk/openapi.json" with { type: "json" };
    import file from "@daric/sdk/vectors/webhooks.json" with { type: "json" };
    const [{ body, headers, secrets, now }] = file.vectors;
    const { event } = await verifyWebhook(body, headers, secrets, { now: new Date(now * 1000) });
    const daric = new Daric({ baseUrl: "http://127.0.0.1:1", apiKey: "daric_test_sk_a_b", maxRetries: 0 });
    const error = await daric.deposits.list().catch((reason) => reason);
    console.log(event, error instanceof DaricError, error.code, contract.openapi.slice(0, 3));`;
  await writeFile(join(project, "run.js"), source);
  const { stdout } = await run(process.execPath, ["--no-warnings", "run.js"], { cwd: project });
  expect(stdout.trim()).toBe("webhook.test true CONNECTION 3.1");
});

/** A shop's code; each misuse must not compile. */
const SHOP = `
import { Daric, DaricError, type DepositAddress, verifyWebhook, type WebhookEvent } from "@daric/sdk";
import type { Checkout } from "@daric/sdk/contract";

export async function shop(daric: Daric): Promise<string> {
  const { data, meta } = await daric.depositAddresses.list({ kind: "order", limit: 5 });
  const [first]: DepositAddress[] = data;
  for await (const deposit of daric.deposits.all({ status: "CONFIRMED" })) console.log(deposit.tx_hash);
  const { order, isNew } = await daric.createOrderOnce({ orderRef: "A-1", amount: "1" });
  const view: Checkout = await daric.checkout.retrieve(order.checkout_token);
  // @ts-expect-error an amount is text
  await daric.depositAddresses.create({ amount: 1 });
  // @ts-expect-error requests are in camelCase
  await daric.depositAddresses.create({ order_ref: "A-1" });
  // @ts-expect-error the state is one of the contract's
  view.state === "done";
  // @ts-expect-error the secret is shown once
  (await daric.webhooks.endpoints.retrieve("1")).secret;
  return [first?.payment_status, meta.total, isNew].join();
}

export async function hook(request: Request, secret: string): Promise<string | null> {
  const event: WebhookEvent = await verifyWebhook(await request.text(), request.headers, [secret]);
  switch (event.event) {
    case "deposit.confirmed":
      return event.data.confirmedAt;
    case "order.paid":
      return event.data.deposits[0]?.txHash ?? null;
    case "webhook.test":
      // @ts-expect-error a test is about no order
      return event.data.orderRef;
    default:
      return event.id;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof DaricError && error.code === "RATE_LIMITED" ? \`in \${error.retryAfter} s\` : "no";
}
`;

it.each([
  ["nodenext", { module: "nodenext", types: ["node"], lib: ["es2023"] }],
  ["bundler", { module: "esnext", moduleResolution: "bundler", types: [], lib: ["es2022", "dom"] }],
])("its types work for a project with module resolution %s", async (name, own) => {
  const folder = join(project, name);
  await mkdir(folder);
  await writeFile(join(folder, "shop.ts"), SHOP);
  if (name === "nodenext")
    await symlink(join(ROOT, "node_modules/@types"), join(project, "node_modules/@types"));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: "es2022", skipLibCheck: false, noUncheckedIndexedAccess: true },
    ...{ exactOptionalPropertyTypes: true, ...own },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["shop.ts"] }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch((error) => error);
  expect(stdout).toBe("");
});

/** A script as text, because the test runner rewrites imports. */
const IN_A_PAGE = `(async () => {
  const { Daric, verifyWebhook } = await import("/dist/sdk.js");
  const { vectors } = await (await fetch("/vectors/webhooks.json")).json();
  const [{ body, headers, secrets, now }] = vectors;
  const { event } = await verifyWebhook(body, headers, secrets, { now: new Date(now * 1000) });
  const { state } = await new Daric({ baseUrl: location.origin }).checkout.retrieve("a-token");
  try {
    new Daric({ baseUrl: location.origin, apiKey: "daric_test_sk_a_b" });
  } catch (error) {
    return { event, state, refusal: String(error) };
  }
})()`;

it("runs in a browser, with the payer's part", async () => {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    if (url.startsWith("/v1/")) {
      keys.push(`${url} ${headers["x-api-key"]} ${headers["user-agent"]?.startsWith("daric-sdk")}`);
      response.setHeader("content-type", "application/json");
      response.end('{"success":true,"message":"Success","data":{"state":"awaiting"}}');
    } else if (url === "/") {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>shop</title>");
    } else {
      const type = url.endsWith(".js") ? "text/javascript" : "application/json";
      readFile(join(installed, url)).then(
        (file) => response.setHeader("content-type", type).end(file),
        () => response.writeHead(404).end(),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const seen = await page.evaluate<Record<string, string>>(IN_A_PAGE);
    expect(seen).toMatchObject({ event: "webhook.test", state: "awaiting" });
    expect(seen.refusal).toContain("does not belong in a page");
    expect(keys).toEqual(["/v1/checkout/a-token undefined false"]);
  } finally {
    await browser.close();
    server.close();
  }
});
