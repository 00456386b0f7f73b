import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { newCheckoutToken } from "@daric/charges/checkout-token";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { type Database, sql } from "@daric/postgres/sql";
import { createLogger } from "@daric/runtime/logger";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { createOfflineContext } from "@daric/testing/offline-context";
import type { InjectOptions } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkoutProjection } from "./schema.ts";

const HOUR_MS = 3_600_000;
const JUNK = ["x", "A".repeat(40), "..%2f..%2f", "%00", "a'--", "A".repeat(300)];
const PAGE_BUDGET_BYTES = 25_000;

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
/** passes the checksum, and no charge has it */
let unknown: string;

beforeAll(async () => {
  context = await createTestContext();
  app = createApp(context);
  unknown = newCheckoutToken(context.checkoutKey);
  merchantId = (await aMerchant(context.db, { name: "Blue Bottle Books", accentColor: "#0b5fff" })).id;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

function anOrder(overrides: Partial<Parameters<typeof aCharge>[1]> = {}) {
  return aCharge(context.db, { merchantId, amount: "25.5", orderRef: "A-1042", ...overrides });
}

async function project(token: string) {
  const response = await app.inject(`/v1/checkout/${token}`);
  expect(response.statusCode).toBe(200);
  return response.json().data;
}

describe("GET /v1/checkout/:token", () => {
  it("returns the whole projection of an order, from its row", async () => {
    const order = await anOrder({
      successUrl: "https://shop.example/thanks",
      cancelUrl: "https://shop.example/cart",
    });
    const response = await app.inject(`/v1/checkout/${order.checkoutToken}`);
    expect(response.json()).toEqual({
      success: true,
      message: "Success",
      data: {
        state: "awaiting",
        merchant: { name: "Blue Bottle Books", logoUrl: null, accentColor: "#0b5fff" },
        order: {
          ref: "A-1042",
          amount: "25.5",
          payAmount: "25.5",
          currency: "USDT",
          feeMode: "merchant",
          successUrl: "https://shop.example/thanks",
          cancelUrl: "https://shop.example/cart",
          fiatCurrency: null,
          fiatAmount: null,
          quoteRate: null,
          quoteExpiresAt: null,
        },
        payment: { address: order.address, chain: "tron", expiresAt: order.expiresAt?.toISOString() },
        status: {
          depositStatus: null,
          confirmations: 0,
          requiredConfirmations: 19,
          amountReceived: "0",
          paymentState: "none",
          txHash: null,
          confirmedAt: null,
        },
      },
    });
    expect(response.headers).toMatchObject({
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
    });
    expect(response.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  it("costs only a check for changes if polled, and nothing within a second", async () => {
    const statements: string[] = [];
    const query: Database["query"] = (statement) => {
      statements.push(statement.sql);
      return context.db.query(statement);
    };
    const counted = { ...context.db, query, answeringWithin: () => counted };
    let passedMs = 0;
    const clock = { ...context.clock, monotonicMs: () => passedMs };
    const polled = createApp({ ...context, db: counted, clock });
    const orders = [await anOrder(), await anOrder()];
    const poll = async (etags: (string | undefined)[] = []) => {
      statements.length = 0;
      const answers = await Promise.all(
        orders.map(({ checkoutToken }, n) =>
          polled.inject({
            url: `/v1/checkout/${checkoutToken}`,
            headers: { "if-none-match": etags[n] ?? "" },
          }),
        ),
      );
      const etagsNow = answers.map(({ headers }) => headers.etag as string);
      return {
        statuses: answers.map(({ statusCode }) => statusCode),
        etags: etagsNow,
        cost: statements.length,
      };
    };
    const first = await poll();
    expect(first).toMatchObject({ statuses: [200, 200], cost: 1 });
    expect(await poll(first.etags)).toEqual({ statuses: [304, 304], etags: first.etags, cost: 0 });
    passedMs += 3_000;
    expect(await poll(first.etags)).toEqual({ statuses: [304, 304], etags: first.etags, cost: 1 });
    await aDeposit(context.db, { chargeId: orders[0]?.id ?? "", amount: "5" });
    passedMs += 1_000;
    const changed = await poll(first.etags);
    expect(changed).toMatchObject({ statuses: [200, 304], cost: 2 });
    await polled.close();
  });

  it("shows the newest deposit that can still change, before newer final ones", async () => {
    await setChainTime(context.db, new Date());
    const order = await anOrder();
    const open = await aDeposit(context.db, {
      chargeId: order.id,
      amount: "5",
      status: "CONFIRMING",
      blockNumber: 96,
      createdAt: new Date(Date.now() - HOUR_MS),
    });
    await aDeposit(context.db, { chargeId: order.id, amount: "10" });
    expect(await project(order.checkoutToken)).toMatchObject({
      state: "confirming",
      status: {
        depositStatus: "CONFIRMING",
        txHash: open.txId,
        amountReceived: "15",
        paymentState: "under",
        confirmations: expect.any(Number),
      },
    });
    const { confirmations } = (await project(order.checkoutToken)).status;
    expect(confirmations).toBeGreaterThanOrEqual(5);
  });

  it("shows the newest deposit once all are final", async () => {
    const order = await anOrder();
    await aDeposit(context.db, {
      chargeId: order.id,
      amount: "10",
      createdAt: new Date(Date.now() - HOUR_MS),
    });
    const newest = await aDeposit(context.db, { chargeId: order.id, amount: "15.5" });
    expect(await project(order.checkoutToken)).toMatchObject({
      state: "paid",
      status: { txHash: newest.txId, confirmations: 19, amountReceived: "25.5", paymentState: "exact" },
    });
  });

  it("leaves money of the other currency out of the projection", async () => {
    const order = await anOrder();
    await aDeposit(context.db, {
      chargeId: order.id,
      currency: "TRX",
      amount: "5",
      source: "transfer",
    });
    const { state, status } = await project(order.checkoutToken);
    expect([state, status.depositStatus, status.amountReceived]).toEqual(["awaiting", null, "0"]);
  });

  it("costs one statement", async () => {
    const order = await anOrder();
    let statements = 0;
    const db: Database = {
      query: (statement) => {
        statements += 1;
        return context.db.query(statement);
      },
      transaction: (work) => context.db.transaction(work),
      answeringWithin: () => db,
      forTenant: () => db,
      close: () => context.db.close(),
    };
    const counting = createApp({ ...context, db });
    const response = await counting.inject(`/v1/checkout/${order.checkoutToken}`);
    await counting.close();
    expect([response.statusCode, statements]).toEqual([200, 1]);
    expect(checkoutProjection.safeParse(response.json().data).success).toBe(true);
  });

  it("answers every invalid token with the same 404", async () => {
    const bodies = await Promise.all(
      [unknown, ...JUNK].map(async (token) => {
        const { statusCode, body, headers } = await app.inject({
          url: `/v1/checkout/${token}`,
          headers: { "x-correlation-id": "same" },
        });
        return `${statusCode} ${body} ${headers["access-control-allow-origin"]}`;
      }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toMatch(/^404 .*NOT_FOUND/);
  });
});

describe("a parameter of the link's own", () => {
  it("is ignored, however often it is repeated", async () => {
    const order = await anOrder();
    const requestPage = async (token: string) =>
      (await app.inject(`/v1/checkout/${token}?a=1&a=2`)).statusCode;
    expect([await requestPage(order.checkoutToken), await requestPage(unknown)]).toEqual([200, 404]);
  });
});

describe("a forged token", () => {
  it("is refused without a statement, on every route with a token", async () => {
    const offline = createApp(createOfflineContext());
    for (const token of JUNK) {
      for (const path of [`/v1/checkout/${token}`, `/v1/checkout/${token}?a=1&a=2`, `/c/${token}`]) {
        for (const method of ["GET", "HEAD"] as const) {
          const { statusCode } = await offline.inject({ method, url: path });
          expect([method, path, statusCode]).toEqual([method, path, 404]);
        }
      }
    }
    const { checkoutKey } = createOfflineContext();
    const ours = await offline.inject(`/v1/checkout/${newCheckoutToken(checkoutKey)}`);
    await offline.close();
    expect(ours.statusCode).toBe(503);
  });

  it("has no budget: it is always 404, and leaves its line in the log", async () => {
    const lines: string[] = [];
    const log = createLogger({
      level: "info",
      role: "test",
      destination: { write: (line) => void lines.push(line) },
    });
    const open = createApp({ ...withSettings(context, { http: { failuresPerMinute: 1 } }), log });
    const statuses = new Set<number>();
    for (let index = 0; index < 20; index += 1) statuses.add((await open.inject("/c/junk")).statusCode);
    await open.close();
    expect([...statuses]).toEqual([404]);
    expect(lines.filter((line) => line.includes('"route":"/c/:token"'))).toHaveLength(20);
  });
});

describe("rate limits", () => {
  it("counts unknown tokens per address, and never locks out a valid one", async () => {
    const limited = createApp(withSettings(context, { http: { failuresPerMinute: 3 } }));
    const order = await anOrder();
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      statuses.push((await limited.inject(`/v1/checkout/${unknown}`)).statusCode);
    }
    const valid = await limited.inject(`/v1/checkout/${order.checkoutToken}`);
    const elsewhere = await limited.inject({ url: `/v1/checkout/${unknown}`, remoteAddress: "127.0.0.9" });
    await limited.close();
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
    expect([valid.statusCode, elsewhere.statusCode]).toEqual([200, 404]);
  });

  it("refuses a token whose budget is spent before a query", async () => {
    const offline = createApp(createOfflineContext({ RATE_LIMIT_CHECKOUT_PER_MINUTE: "2" }));
    const token = newCheckoutToken(createOfflineContext().checkoutKey);
    const requests = [
      { url: `/v1/checkout/${token}` },
      { url: `/c/${token}` },
      { url: `/v1/checkout/${token}` },
      { url: `/c/${token}` },
    ];
    const statuses: number[] = [];
    for (const requestPage of requests) statuses.push((await offline.inject(requestPage)).statusCode);
    const lookup = {
      method: "POST",
      url: `/v1/checkout/${token}/lookup`,
      payload: { txHash: "0f".repeat(32) },
    } as const;
    for (let n = 0; n < 7; n += 1) statuses.push((await offline.inject(lookup)).statusCode);
    const requote = { method: "POST", url: `/v1/checkout/${token}/requote` } as const;
    for (let n = 0; n < 7; n += 1) statuses.push((await offline.inject(requote)).statusCode);
    await offline.close();
    const sixAndRefused = [503, 503, 503, 503, 503, 503, 429];
    expect(statuses).toEqual([503, 503, 429, 429, ...sixAndRefused, ...sixAndRefused]);
  });

  it("gives each valid token a budget of its own, for the projection and the page together", async () => {
    const limited = createApp(withSettings(context, { checkout: { readsPerMinute: 2 } }));
    const [first, second] = [await anOrder(), await anOrder()];
    const answers = [
      await limited.inject(`/v1/checkout/${first.checkoutToken}`),
      await limited.inject(`/c/${first.checkoutToken}`),
      await limited.inject(`/v1/checkout/${first.checkoutToken}`),
      await limited.inject(`/c/${first.checkoutToken}`),
      await limited.inject(`/v1/checkout/${second.checkoutToken}`),
    ];
    await limited.close();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429, 429, 200]);
    expect(answers[2]?.headers["retry-after"]).toMatch(/^\d+$/);
    expect(answers[3]?.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answers[3]?.body).toContain("One moment, please");
  });
});

describe("GET /c/:token", () => {
  it("has headers that keep it private and unframed", async () => {
    const order = await anOrder();
    const { statusCode, headers, body } = await app.inject(`/c/${order.checkoutToken}`);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "content-security-policy": expect.stringMatching(/^default-src 'none'; script-src 'self' /),
    });
    expect(headers["set-cookie"]).toBeUndefined();
    expect(body).toContain("Blue Bottle Books");
    expect(body).toContain("Local development chain");
  });

  it("ignores a shop's tracking parameters, also repeated ones", async () => {
    const order = await anOrder();
    expect((await app.inject(`/c/${order.checkoutToken}?utm=a&utm=b&x[]=1`)).statusCode).toBe(200);
  });

  it("has a QR code, on a phone only if its address asks for one", async () => {
    const order = await anOrder();
    const hasCode = async (agent: string, query = "") => {
      const url = `/c/${order.checkoutToken}${query}`;
      return (await app.inject({ url, headers: { "user-agent": agent } })).body.includes('class="qr-code"');
    };
    const android =
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/147.0.0.0 Mobile Safari/537.36";
    const iphone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    for (const agent of [android, iphone]) {
      const asked = ["", "?qr=junk", "?qr=uri&qr=address", "?qr=address", "?lang=en&qr=uri"];
      const shown = await Promise.all(asked.map((query) => hasCode(agent, query)));
      expect(shown).toEqual([false, false, false, true, true]);
    }
    for (const agent of [firefox, ""]) expect(await hasCode(agent)).toBe(true);
  });

  it("is in the language of its address, else of the browser, also as a problem page", async () => {
    const order = await anOrder();
    const languageOf = async (url: string, accepted: string, form: Partial<InjectOptions> = {}) => {
      const server = { ...form.headers, "accept-language": accepted };
      const { headers, body } = await app.inject({ url, ...form, headers: server });
      expect(headers.vary).toContain("accept-language");
      expect(body).toContain(`<html lang="${headers["content-language"]}" dir="`);
      return headers["content-language"];
    };
    const page = `/c/${order.checkoutToken}`;
    const languages = [
      languageOf(page, "de, pt;q=0.9"),
      languageOf(`${page}?lang=zh-CN&utm=a`, "pt"),
      languageOf(`/c/${unknown}?lang=fa`, "pt"),
      languageOf("/c/junk", "ar-EG"),
      languageOf(page, "de"),
      languageOf(`${page}?lang=tr`, "pt", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "txHash=x",
      }),
    ];
    expect(await Promise.all(languages)).toEqual(["pt-BR", "zh-Hans", "fa", "ar", "en", "tr"]);
  });

  it("is in a language that the merchant chose, and offers no other", async () => {
    const { id } = await aMerchant(context.db, { checkoutLanguages: ["en", "ru"] });
    const order = await aCharge(context.db, { merchantId: id });
    const server = { "accept-language": "fa, ru;q=0.5" };
    const { headers, body } = await app.inject({ url: `/c/${order.checkoutToken}`, headers: server });
    expect(headers["content-language"]).toBe("ru");
    expect(body).not.toContain("lang=fa");
  });

  it("answers an unknown and a forged token with the same page", async () => {
    const { statusCode, headers, body } = await app.inject(`/c/${unknown}`);
    const junk = await app.inject("/c/junk");
    const own = { "x-correlation-id": "", date: "" };
    expect([junk.statusCode, junk.body]).toEqual([statusCode, body]);
    expect({ ...junk.headers, ...own }).toEqual({ ...headers, ...own });
    expect(statusCode).toBe(404);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(body).toContain("We cannot find this payment");
  });

  it("stays a page without the database, and reveals nothing of it; the log has a request and no fault", async () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const log = createLogger({ level: "info", role: "test", destination });
    const failing: Database = {
      ...context.db,
      answeringWithin: () => failing,
      forTenant: () => failing,
      query: async () => {
        throw Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED" });
      },
    };
    const broken = createApp({ ...context, db: failing, log });
    const { statusCode, headers, body } = await broken.inject(`/c/${unknown}`);
    await broken.close();
    expect([statusCode, headers["retry-after"]]).toEqual([503, "5"]);
    expect(lines).toMatchObject([{ msg: "request", status: 503, error_code: "SERVICE_UNAVAILABLE" }]);
    expect(body).toContain("This page is not available right now");
    expect(body).not.toContain("10.0.0.5");
  });

  it("shows the time of a payment's block, but at most when it was first seen: a chain's clock may be ahead", async () => {
    const shownTime = async (minutesAhead: number) => {
      const order = await anOrder();
      const blockTime = new Date(Date.now() + minutesAhead * 60_000);
      await aDeposit(context.db, { chargeId: order.id, amount: "25.5", blockTime });
      const { body } = await app.inject(`/c/${order.checkoutToken}`);
      const shown = new Date(/<dt>Received on<\/dt><dd><time datetime="([^"]+)"/.exec(body)?.[1] ?? "");
      return { blockTime, shown };
    };
    const past = await shownTime(-3);
    expect(past.shown).toEqual(past.blockTime);
    const { shown } = await shownTime(20);
    expect(Math.abs(shown.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it("names money of the other currency", async () => {
    const order = await anOrder();
    const transfer = { chargeId: order.id, currency: "TRX", source: "transfer" } as const;
    await aDeposit(context.db, { ...transfer, amount: "5" });
    await aDeposit(context.db, { ...transfer, amount: "1.5", status: "DETECTED" });
    await aDeposit(context.db, { ...transfer, amount: "100", status: "FAILED" });
    const { body } = await app.inject(`/c/${order.checkoutToken}`);
    expect(body).toContain("6.5\u00a0TRX arrived; this order is in USDT");
    expect(body.match(/<li class="\w+"/g)).toEqual([
      '<li class="failed"',
      '<li class="doesNotCount"',
      '<li class="doesNotCount"',
    ]);
  });
});

describe("the countdown of the page", () => {
  const MINUTE_MS = 60_000;
  afterEach(() => context.owner.query(sql`delete from scan_cursors`));

  /** The time left by the page's own clock, as the script shows it. */
  async function leftMs(token: string): Promise<number> {
    const { body } = await app.inject(`/c/${token}`);
    const [, now] = /data-now="(\d+)"/.exec(body) ?? [];
    const [, until] = /data-until="(\d+)"/.exec(body) ?? [];
    return Number(until) - Number(now);
  }

  it("starts at the order's lifetime, also if the chain is ahead", async () => {
    await setChainTime(context.db, new Date(Date.now() + 13 * MINUTE_MS));
    const { key } = await anApiKey(context, merchantId);
    const created = await app.inject({
      method: "POST",
      url: "/v1/deposit-addresses",
      headers: { "x-api-key": key },
      payload: { amount: "25.5" },
    });
    const left = await leftMs(created.json().data.checkout_token);
    expect(left).toBeGreaterThan(59.5 * MINUTE_MS);
    expect(left).toBeLessThanOrEqual(60 * MINUTE_MS);
  });

  it("follows a chain that is ahead, and is absent past the expiry", async () => {
    const order = await anOrder();
    await setChainTime(context.db, new Date(Date.now() + 50 * MINUTE_MS));
    expect(await leftMs(order.checkoutToken)).toBeLessThanOrEqual(10 * MINUTE_MS);
    await aDeposit(context.db, { chargeId: order.id, amount: "5", status: "CONFIRMING" });
    await setChainTime(context.db, new Date(Date.now() + 70 * MINUTE_MS));
    expect(await leftMs(order.checkoutToken)).toBeNaN();
  });

  it("runs by our clock if the chain is behind it", async () => {
    await setChainTime(context.db, new Date(Date.now() - 5 * MINUTE_MS));
    const order = await anOrder();
    expect(await leftMs(order.checkoutToken)).toBeLessThanOrEqual(60 * MINUTE_MS);
  });
});

describe("GET /checkout/:version/:file", () => {
  it("serves the page's files, cacheable for ever under their version and compressed for the browser", async () => {
    const order = await anOrder();
    const { body } = await app.inject(`/c/${order.checkoutToken}`);
    const paths = [...body.matchAll(/(?:src|href)="\.\.(\/checkout\/[^"]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    expect(paths.length).toBe(1);
    let weight = gzipSync(body).length;
    for (const url of paths) {
      const plain = await app.inject(url);
      const gzip = await app.inject({ url, headers: { "accept-encoding": "gzip, deflate" } });
      const brotli = await app.inject({ url, headers: { "accept-encoding": "gzip, br" } });
      expect(plain.statusCode).toBe(200);
      expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(plain.body).not.toContain("/*");
      expect(gunzipSync(gzip.rawPayload)).toEqual(plain.rawPayload);
      expect(brotliDecompressSync(brotli.rawPayload)).toEqual(plain.rawPayload);
      expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
      weight += gzip.rawPayload.length;
    }
    expect(weight).toBeLessThan(PAGE_BUDGET_BYTES);
  });

  it("serves the page itself in the browser's encoding, with Vary", async () => {
    const url = `/c/${(await anOrder()).checkoutToken}`;
    const [plain, gzip, brotli] = await Promise.all(
      ["identity", "gzip, deflate", "gzip, br"].map((accepted) =>
        app.inject({ url, headers: { "accept-encoding": accepted } }),
      ),
    );
    const own = /data-now="\d+"/;
    const page = plain?.body.replace(own, "");
    expect(
      gunzipSync(gzip?.rawPayload ?? "")
        .toString()
        .replace(own, ""),
    ).toBe(page);
    expect(
      brotliDecompressSync(brotli?.rawPayload ?? "")
        .toString()
        .replace(own, ""),
    ).toBe(page);
    expect(brotli?.headers).toMatchObject({ "content-encoding": "br" });
    expect(plain?.headers.vary).toBe("accept-encoding, accept-language, user-agent");
  });

  it("serves the version of another release, without caching it", async () => {
    const { statusCode, headers } = await app.inject("/checkout/another-release/main.js");
    expect([statusCode, headers["cache-control"]]).toEqual([200, "no-store"]);
  });

  it("serves nothing but the files of the page", async () => {
    for (const file of ["package.json", "main.d.ts", "..%2f..%2fpackage.json", "%2e%2e"]) {
      expect((await app.inject(`/checkout/v/${file}`)).statusCode).toBe(404);
    }
  });
});
