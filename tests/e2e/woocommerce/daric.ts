import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { runDaricForOutput } from "@daric/server/cli/daric";
import { freePort } from "@daric/testing/free-port";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startProgramOfShop } from "./programs.ts";

const DEMO = join(import.meta.dirname, "../../../apps/demo/dist/main.js");
const START_LIMIT_MS = 120_000;
const FINAL_BLOCKS = 20;

/** The service of `npm start`, with its local chain. */
export type ShopDaric = {
  readonly baseUrl: string;
  readonly merchantId: string;
  /** an own key of the merchant, with all scopes: the test looks with it, the plugin has another one */
  readonly apiKey: string;
  /** Calls the API with `apiKey`, and returns `data`. @throws Error with the body of a failed call */
  call<T = Row>(method: string, path: string, body?: object): Promise<T>;
  /** a command of the `daric` program */
  command<T = Row>(...args: string[]): Promise<T>;
  /** Plays a payment of docs/testing.md, and makes it final unless `isFinal` is false. */
  pay(chargeId: string, testCase: string, options?: { isFinal?: boolean }): Promise<Row>;
  mine(blocks?: number): Promise<void>;
  stop(): Promise<void>;
};

export async function startDaricOfShop(parent: string): Promise<ShopDaric> {
  const home = join(parent, "daric");
  const [port, devchainPort, metricsPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const demo = startProgramOfShop(process.execPath, [DEMO], {
    cwd: parent,
    env: {
      ...{ DARIC_HOME: home, DEMO_HISTORY: "off" },
      ...{ PORT: `${port}`, DEVCHAIN_PORT: `${devchainPort}`, METRICS_PORT: `${metricsPort}` },
      // The test plays many customers from one address.
      ...{ RATE_LIMIT_KEY_PER_SECOND: "1000", RATE_LIMIT_KEY_BURST: "1000" },
      ...{ RATE_LIMIT_TEST_EVENTS_PER_MINUTE: "1000", RATE_LIMIT_CHECKOUT_PER_MINUTE: "10000" },
      WEBHOOK_RETRY_SCHEDULE: "0s,1s,2s,4s,8s,16s,30s,60s",
    },
  });
  await until(
    "Daric is ready",
    async () => {
      if (!demo.isRunning()) throw new Error(demo.output());
      return (await stat(join(home, "demo.json"))).isFile();
    },
    START_LIMIT_MS,
  ).catch(async (error: unknown) => {
    await demo.end();
    throw error;
  });
  const { baseUrl, merchantId, apiKey, devchain, adminDatabaseUrl } = JSON.parse(
    await readFile(join(home, "demo.json"), "utf8"),
  );
  const variables = {
    ...(await readExports(join(home, "daric.env"))),
    DATABASE_DIRECT_URL: adminDatabaseUrl,
  };
  const mine = async (blocks = FINAL_BLOCKS) =>
    void (await requestJson(`${devchain.url}/devchain/mine`, { method: "POST", body: { blocks } }));
  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await requestJson(`${baseUrl}${path}`, { method, body, headers: { "x-api-key": apiKey } })).data;
  return {
    baseUrl,
    merchantId,
    apiKey,
    call,
    command: (...args) => runDaricForOutput(args, variables),
    pay: async (chargeId, testCase, { isFinal = true } = {}) => {
      const sent = await call<Row>("POST", `/v1/test/deposit-addresses/${chargeId}/simulate`, {
        case: testCase,
      });
      if (isFinal) await mine();
      return sent;
    },
    mine,
    stop: demo.end,
  };
}

type JsonRequest = { method: string; body?: object | undefined; headers?: Record<string, string> };

async function requestJson(url: string, { method, body, headers = {} }: JsonRequest): Promise<Row> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return JSON.parse(text) as Row;
}

/** The lines `export NAME='value'` of a file for shells. */
async function readExports(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(file, "utf8")).matchAll(/^export (\w+)='(.*)'$/gm);
  return Object.fromEntries(
    [...lines].map(([, name = "", value = ""]) => [name, value.replaceAll("'\\''", "'")]),
  );
}
