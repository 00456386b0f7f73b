import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import { announceDeposit, deliveryRows } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeOpenApiDocuments } from "../../scripts/openapi/make-documents.ts";
import type { DocumentedOperation } from "../../scripts/openapi/openapi-document.ts";
import { createApp } from "../app.ts";

/** How a sample runs: its text is an argument, the input, or a program that was built before. */
const languages = [
  { label: "curl", program: "curl", run: (source: string) => ["sh", "-c", source] },
  {
    label: "Node.js",
    program: "node",
    run: (source: string) => ["node", "--input-type=module", "-e", source],
  },
  { label: "Python", program: "python3", run: (source: string) => ["python3", "-c", source] },
  { label: "PHP", program: "php", run: (source: string) => ["php", "-r", source.replace("<?php", "")] },
];
/** Statuses of an understood request. A row that was made for a sample may break a rule, such as ORDER_CLOSED. */
const RULES = /^(2\d\d|409|422|503)$/;
const MISUNDERSTOOD = ["INVALID_JSON", "VALIDATION_ERROR"];
const GO_BUILD_MS = 240_000;

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let url: string;
let samples: { name: string; path: string; operation: DocumentedOperation }[];
const answers: { operationId: string | undefined; status: number; body: string }[] = [];

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_KEY_BURST: "1000" });
  app = createApp(context);
  app.addHook("onSend", async ({ routeOptions }, reply, payload) => {
    const { operationId } = routeOptions.schema ?? {};
    answers.push({ operationId, status: reply.statusCode, body: String(payload) });
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  const { api: document } = await makeOpenApiDocuments();
  samples = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ name: operation.operationId ?? "", path, operation })),
  );
});
afterAll(async () => {
  await app.close();
  await context.close();
});

for (const { label, program, run } of languages) {
  it.skipIf(!exists(program))(`every sample in ${label} is understood`, { timeout: 120_000 }, async () => {
    const caller = await aCaller();
    for (const sample of samples) {
      const source = await filled(sourceOf(sample.operation, label), { sample, caller });
      const [file = "", ...args] = run(source);
      await requireUnderstood(sample.name, await execute(file, args, caller.key));
    }
  });
}

it.skipIf(!exists("go"))("every sample in Go is understood", { timeout: GO_BUILD_MS }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "daric-samples-"));
  const caller = await aCaller();
  for (const sample of samples) {
    const source = await filled(sourceOf(sample.operation, "Go"), { sample, caller });
    const name = sample.name.toLowerCase();
    const text = source.replace("package main", `package ${name}`).replace("func main()", "func Main()");
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "sample.go"), text);
  }
  const names = samples.map(({ name }) => name.toLowerCase());
  const cases = names.map((name) => `\tcase "${name}":\n\t\t${name}.Main()`).join("\n");
  const imports = ["os", ...names.map((name) => `samples/${name}`)].map((name) => `\t"${name}"`).join("\n");
  const main = `package main\n\nimport (\n${imports}\n)\n\nfunc main() {\n\tswitch os.Args[1] {\n${cases}\n\t}\n}\n`;
  await writeFile(join(folder, "go.mod"), "module samples\n\ngo 1.18\n");
  await writeFile(join(folder, "main.go"), main);
  execFileSync("go", ["build", "-o", "samples", "."], {
    cwd: folder,
    env: { ...process.env, GOTOOLCHAIN: "local", GOPROXY: "off", CGO_ENABLED: "0" },
  });
  for (const { name } of samples) {
    await requireUnderstood(name, await execute(join(folder, "samples"), [name.toLowerCase()], caller.key));
  }
  await rm(folder, { recursive: true });
});

type SampleCaller = { readonly merchantId: MerchantId; readonly key: string };
type Sample = (typeof samples)[number];

async function aCaller(): Promise<SampleCaller> {
  const { id: merchantId } = await aMerchant(context.db);
  return { merchantId, key: (await anApiKey(context, merchantId)).key };
}

function exists(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}

function sourceOf(operation: DocumentedOperation, label: string): string {
  const sample = operation["x-codeSamples"]?.find((sample) => sample.label === label);
  if (sample === undefined) throw new Error(`${operation.operationId} has no sample in ${label}`);
  return sample.source;
}

/**
 * The sample with a row of the caller if the example names one, and with a receiver that needs no look-up.
 */
async function filled(
  source: string,
  { sample: { path, operation }, caller }: { sample: Sample; caller: SampleCaller },
): Promise<string> {
  const [before = "", name] = path.split(/\/\{(\w+)\}/);
  const example = operation.parameters?.find((parameter) => parameter.name === name)?.example;
  const here = source.replace("https://shop.example.org/webhooks", "http://127.0.0.1:9/webhooks");
  if (example === undefined) return here;
  const row = await aRow(before.split("/").at(-1) ?? "", caller);
  return here.replace(String(example), row);
}

/** A row of the kind that the path names before its parameter. */
async function aRow(noun: string, { merchantId, key }: SampleCaller): Promise<string> {
  const { db } = context;
  if (noun === "endpoints") return anEndpoint(key);
  if (noun === "deliveries") {
    const endpointId = await anEndpoint(key);
    await announceDeposit(context, merchantId);
    return (await deliveryRows(context, endpointId))[0]?.id ?? "";
  }
  if (noun === "settlements") return aSettlement(merchantId);
  if (noun === "payment-links" || noun === "links") {
    const link = await aPaymentLink(context, merchantId);
    return noun === "links" ? link.token : link.id;
  }
  if (noun === "events") {
    await anEndpoint(key);
    await announceDeposit(context, merchantId);
    const rows = await db.query<{ id: string }>(
      sql`select id from webhook_events where merchant_id = ${merchantId} limit 1`,
    );
    return one(rows).id;
  }
  const charge = await aCharge(db, { merchantId });
  if (noun === "deposits") return (await aDeposit(db, { chargeId: charge.id })).id;
  return noun === "checkout" ? charge.checkoutToken : charge.id;
}

async function aSettlement(merchantId: MerchantId): Promise<string> {
  const account = await aSettlementAccount(context.db, merchantId);
  const rows = await context.owner.query<{ id: string }>(sql`
    insert into settlements (merchant_id, id, currency, settlement_account_id, status)
    values (${merchantId}, gen_random_uuid(), 'USDT', ${account.id}, 'OPEN') returning id`);
  return one(rows).id;
}

async function anEndpoint(key: string): Promise<string> {
  const answer = await app.inject({
    method: "POST",
    url: "/v1/webhooks/endpoints",
    headers: { "x-api-key": key },
    payload: { url: "http://127.0.0.1:9/" },
  });
  return answer.json().data.id;
}

function execute(file: string, args: readonly string[], key: string): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, DARIC_URL: url, DARIC_API_KEY: key };
    execFile(file, args, { env }, (error, stdout, stderr) => resolve(`${stdout}${error ? stderr : ""}`));
  });
}

/** Requires that the sample's call was understood, and that the sample printed the answer. */
async function requireUnderstood(operationId: string, shown: string): Promise<void> {
  const answer = answers.pop();
  expect(answer?.operationId, `${operationId}: ${shown}`).toBe(operationId);
  expect(String(answer?.status), `${operationId}: ${answer?.body}`).toMatch(RULES);
  const { success, error } = JSON.parse(answer?.body ?? "");
  expect(MISUNDERSTOOD, operationId).not.toContain(error?.code);
  if (success) expect(JSON.parse(shown)).toEqual(JSON.parse(answer?.body ?? ""));
}
