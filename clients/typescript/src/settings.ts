import { parses } from "./url.ts";
/** The options of a client. */
export type DaricOptions = {
  /** the URL of the deployment, `https://pay.example.com`, without `/v1` */
  readonly baseUrl: string;
  /** a secret key of a merchant; optional if only `checkout` is called */
  readonly apiKey?: string | undefined;
  /** limit of each try, from the request to the complete answer; 15,000 by default */
  readonly timeoutMs?: number | undefined;
  /** retries of safe calls; 2 by default, 10 at most */
  readonly maxRetries?: number | undefined;
  /** used instead of the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** appended to the client's own, `shop/1.2` */
  readonly userAgent?: string | undefined;
  /** called when the service ignored a field of a body; `console.warn` by default */
  readonly warn?: ((message: string) => void) | undefined;
};

/** The validated options of a client. */
export type Settings = {
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  /** the environment of the key */
  readonly environment: "test" | "live" | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: typeof fetch;
  /** undefined in a page, because the browser sends its own user agent */
  readonly userAgent: string | undefined;
  readonly warn: (message: string) => void;
};

/** The version of this package; a test compares it with package.json. */
export const VERSION = "0.1.0";

const DEFAULT_TIMEOUT_MS = 15_000;
/** The longest time of a JavaScript timer. */
const MAX_TIMEOUT_MS = 2_147_483_647;
const DEFAULT_RETRIES = 2;
const MAX_RETRIES = 10;
const KEY = /^daric_(test|live)_sk_[0-9A-Za-z]+_[0-9A-Za-z]+$/;

/**
 * Validates the options of a client.
 *
 * @throws TypeError for an invalid option: a base URL that is malformed or ends with /v1, a malformed key, a
 * secret key in a page.
 */
export function settingsOf(options: DaricOptions): Settings {
  const isPage = "document" in globalThis;
  if (isPage && options.apiKey !== undefined) {
    throw new TypeError(
      "A secret key does not belong in a page, where every visitor can read it: call from your server.",
    );
  }
  const { fetch: ownFetch, warn } = options;
  return {
    baseUrl: baseUrlOf(options.baseUrl),
    apiKey: options.apiKey,
    environment: environmentOf(options.apiKey),
    timeoutMs: timeoutOf(options.timeoutMs) ?? DEFAULT_TIMEOUT_MS,
    maxRetries: between(options.maxRetries ?? DEFAULT_RETRIES, {
      name: "maxRetries",
      min: 0,
      max: MAX_RETRIES,
    }),
    // Called without `this`: browsers refuse a `fetch` with another one.
    fetch: (...args) => (ownFetch ?? globalThis.fetch)(...args),
    userAgent: isPage ? undefined : [`daric-sdk/${VERSION}`, options.userAgent].filter(Boolean).join(" "),
    // biome-ignore lint/suspicious/noConsole: the default place for a warning
    warn: warn ?? ((message) => console.warn(message)),
  };
}

/**
 * The time limit of a try.
 *
 * @throws TypeError if it is outside the range of a timer.
 */
export function timeoutOf(timeoutMs: number | undefined): number | undefined {
  if (timeoutMs === undefined) return undefined;
  return between(timeoutMs, { name: "timeoutMs", min: 1, max: MAX_TIMEOUT_MS });
}

function baseUrlOf(text: string): URL {
  if (!parses(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new TypeError(
      `baseUrl must be the URL of the deployment, like https://pay.example.com, not ${JSON.stringify(text)}.`,
    );
  }
  const url = new URL(text);
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  if (/\/v1$/.test(path))
    throw new TypeError("baseUrl must not end with /v1: the client adds it to every path.");
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new TypeError("baseUrl must have no query, fragment or password.");
  }
  return new URL(`${url.origin}${path}/`);
}

function environmentOf(apiKey: string | undefined): "test" | "live" | undefined {
  if (apiKey === undefined) return undefined;
  const [, environment] = KEY.exec(apiKey) ?? [];
  if (environment === "test" || environment === "live") return environment;
  const isSecret = String(apiKey).startsWith("whsec_");
  throw new TypeError(
    isSecret
      ? "apiKey is the secret of a webhook endpoint: it goes to verifyWebhook. A key begins with daric_test_sk_ or daric_live_sk_."
      : "apiKey is not in the form of a key: daric_test_sk_… or daric_live_sk_…, without blanks around it.",
  );
}

function between(value: number, range: { name: string; min: number; max: number }): number {
  const { name, min, max } = range;
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${name} must be a whole number from ${min} to ${max}, not ${String(value)}.`);
}
