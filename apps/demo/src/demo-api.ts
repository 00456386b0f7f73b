import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DemoError } from "./settings.ts";

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ANSWER_MS = 30_000;
/** The most waits of a request beyond the key's rate; each is as long as the answer says. */
const MAX_WAITS = 10;
const ROWS_A_PAGE = 100;
/** The most pages to read of a merchant, because new charges are on the first. */
const MAX_PAGES = 10;

/** A demo of `npm start`, as in its demo.json. */
export type RunningDemo = {
  readonly baseUrl: string;
  readonly apiKeys: readonly string[];
  /** of the merchant of the README */
  readonly apiKey: string;
  /** of the merchant whose payers pay the fee, and whose orders live two minutes */
  readonly clientFeeApiKey: string | undefined;
  /** undefined on another chain than the demo's own */
  readonly chainUrl: string | undefined;
};

/** The used fields of a deposit address. */
export type DemoCharge = {
  readonly id: string;
  readonly address: string;
  readonly currency: string;
  readonly amount_due: string | null;
  readonly order_ref: string | null;
  readonly checkout_token: string;
  readonly payment_status?: string;
  readonly amount_received: string;
};

/** A charge of a demo, with its merchant's API client. */
export type DemoMerchantApi = {
  readonly charge: DemoCharge;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
};

/**
 * Reads the demo.json of this home.
 *
 * @throws DemoError if no demo is running there.
 */
export async function readDemo(env: NodeJS.ProcessEnv): Promise<RunningDemo> {
  const path = join(resolve(env.DARIC_HOME?.trim() || ".daric"), "demo.json");
  const content = await readFile(path, "utf8").catch(() => undefined);
  if (content === undefined) {
    throw new DemoError(
      `no demo is running: there is no ${path}. Start one with \`npm start\`, or say where its files are: DARIC_HOME`,
    );
  }
  const { baseUrl, apiKey, secondMerchant, clientFeeMerchant, devchain } = JSON.parse(content) as {
    baseUrl: string;
    apiKey: string;
    secondMerchant?: { apiKey: string };
    clientFeeMerchant?: { apiKey: string };
    devchain?: { url: string };
  };
  const others = [secondMerchant, clientFeeMerchant].flatMap((merchant) => merchant?.apiKey ?? []);
  return {
    baseUrl,
    apiKeys: [apiKey, ...others],
    apiKey,
    clientFeeApiKey: clientFeeMerchant?.apiKey,
    chainUrl: devchain?.url,
  };
}

/**
 * Finds the charge by checkout URL, token or id, among all merchants of the demo.
 *
 * @throws DemoError if it is unknown, or the API does not answer.
 */
export async function findDemoCharge(demo: RunningDemo, named: string): Promise<DemoMerchantApi> {
  for (const apiKey of demo.apiKeys) {
    const { get, post, find } = apiOf(demo.baseUrl, apiKey);
    const charge = ID.test(named)
      ? await find<DemoCharge>(`/v1/deposit-addresses/${named}`)
      : await findByToken(get, tokenOf(named));
    if (charge !== undefined) return { charge, get, post };
  }
  throw new DemoError(
    `no merchant of the demo has ${named}: give the checkout_url of an order, or the id of a deposit address`,
  );
}

/** The last part of a checkout URL, or the text itself. */
function tokenOf(named: string): string {
  return (
    named
      .replace(/[?#].*$/, "")
      .replace(/(?<!\/)\/+$/, "")
      .split("/")
      .at(-1) ?? ""
  );
}

async function findByToken(get: DemoMerchantApi["get"], token: string): Promise<DemoCharge | undefined> {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const rows = await get<DemoCharge[]>(`/v1/deposit-addresses?limit=${ROWS_A_PAGE}&page=${page}`);
    const found = rows.find(({ checkout_token }) => checkout_token === token);
    if (found !== undefined || rows.length < ROWS_A_PAGE) return found;
  }
  return undefined;
}

/** The API as one merchant. `post` and `get` throw a DemoError if they are refused. */
export function apiOf(baseUrl: string, apiKey: string) {
  async function requestOnce<T>(
    path: string,
    body?: object,
  ): Promise<{ status: number; message: string; data: T; waitSeconds: number }> {
    const answer = await fetch(baseUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((error: unknown) => {
      throw new DemoError(`${baseUrl} does not answer (${String(error)}): is the demo still running?`);
    });
    const { message, data } = (await answer.json()) as { message: string; data: T };
    const waitSeconds = answer.status === 429 ? Number(answer.headers.get("retry-after")) : 0;
    return { status: answer.status, message, data, waitSeconds };
  }

  async function request<T>(path: string, body?: object) {
    for (let waits = 0; ; waits += 1) {
      const answer = await requestOnce<T>(path, body);
      if (answer.waitSeconds === 0 || waits === MAX_WAITS) return answer;
      await sleep(1_000 * answer.waitSeconds);
    }
  }

  async function requestOrFail<T>(path: string, body?: object): Promise<T> {
    const { status, message, data } = await request<T>(path, body);
    if (status >= 300) throw new DemoError(message);
    return data;
  }

  return {
    get: <T>(path: string) => requestOrFail<T>(path),
    post: <T>(path: string, body: object) => requestOrFail<T>(path, body),
    /** undefined while the service cannot do it, as with a price in a currency without rates */
    postIfAvailable: async <T>(path: string, body: object): Promise<T | undefined> => {
      const { status, message, data } = await request<T>(path, body);
      if (status === 503) return undefined;
      if (status >= 300) throw new DemoError(message);
      return data;
    },
    find: async <T>(path: string): Promise<T | undefined> => {
      const { status, message, data } = await request<T>(path);
      if (status === 404) return undefined;
      if (status >= 300) throw new DemoError(message);
      return data;
    },
  };
}
