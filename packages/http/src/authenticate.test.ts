import { PassThrough } from "node:stream";
import { createManualClock } from "@daric/testing/offline-context";
import { FAILURES_PER_MINUTE, KEY_BURST, OTHER_ID, openSampleApp, ROW_ID } from "@daric/testing/sample-app";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiApp } from "./api-app.ts";
import { BODY_LIMIT_BYTES } from "./server.ts";

const apps: ApiApp[] = [];

function openApp() {
  const clock = createManualClock();
  const opened = openSampleApp({ clock });
  apps.push(opened.app);
  return { ...opened, clock };
}

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function get(app: ApiApp, apiKey: string | undefined, options: { ip?: string; url?: string } = {}) {
  const response = await app.inject({
    method: "GET",
    url: options.url ?? "/v1/things",
    headers: { "x-correlation-id": "c", ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) },
    remoteAddress: options.ip ?? "127.0.0.1",
  });
  return {
    status: response.statusCode,
    body: response.body,
    code: response.json().error?.code,
    headers: response.headers,
  };
}

describe("an API key", () => {
  it("a missing or malformed key is refused without a look-up, and other refusals give no reason", async () => {
    const { app, lookedUp } = openApp();
    const messages = [];
    for (const key of [undefined, "", "junk", "unknown", "wrong"]) {
      const { status, body, code } = await get(app, key);
      expect([status, code]).toEqual([401, "UNAUTHORIZED"]);
      messages.push(JSON.parse(body).message);
    }
    const missing = "Send your API key in the header X-Api-Key: this request has none.";
    const refused = "This API key is unknown, expired or revoked.";
    expect(messages).toEqual([
      missing,
      missing,
      expect.stringMatching(/not in the form of a key/),
      refused,
      refused,
    ]);
    expect(lookedUp).toEqual(["unknown", "wrong"]);
  });

  it.each([
    ["Bearer daric_test_sk_x", "Authorization: Bearer"],
    ["basic c2VjcmV0", "Authorization: basic"],
    ["daric_test_sk_x", "Authorization"],
  ])(
    "in another header (%s): the refusal names that header and does not repeat its value",
    async (authorization, seen) => {
      const { app } = openApp();
      const response = await app.inject({ url: "/v1/things", headers: { authorization } });
      expect(response.statusCode).toBe(401);
      expect(response.json().message).toBe(
        `Send your API key in the header X-Api-Key: this request has none. We saw ${seen}, which is not read.`,
      );
    },
  );

  it("is read from the header only", async () => {
    const { app } = openApp();
    expect((await get(app, undefined, { url: "/v1/things?apiKey=good&x-api-key=good" })).status).toBe(401);
  });

  it("of the other environment gets WRONG_ENVIRONMENT", async () => {
    expect(await get(openApp().app, "live")).toMatchObject({ status: 401, code: "WRONG_ENVIRONMENT" });
  });

  it("without the route's scope is INSUFFICIENT_SCOPE", async () => {
    const { body, ...answer } = await get(openApp().app, "narrow");
    expect(answer).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" });
    expect(JSON.parse(body).message).toBe("The API key lacks the scope charges:read.");
  });

  it("is limited to its burst, and accepted again after the stated time", async () => {
    const { app, clock } = openApp();
    for (let n = 0; n < KEY_BURST; n += 1) expect((await get(app, "good")).status).toBe(200);
    const limited = await get(app, "good");
    expect(limited).toMatchObject({ status: 429, code: "RATE_LIMITED", headers: { "retry-after": "1" } });
    clock.advance(1_000);
    expect((await get(app, "good")).status).toBe(200);
    expect((await get(app, "good")).status).toBe(429);
  });
});

describe("RateLimit-Limit, -Remaining and -Reset", () => {
  const limitsOf = ({ headers }: { headers: Record<string, unknown> }) =>
    ["limit", "remaining", "reset"].map((name) => headers[`ratelimit-${name}`]);

  it("are on every answer to a right key: 200, 403, 404, 422 and 429", async () => {
    const { app, clock } = openApp();
    const answers = [
      await get(app, "good"),
      await get(app, "good", { url: "/v1/things?limit=0" }),
      await get(app, "good", { url: `/v1/things/${OTHER_ID}?a=1&a=1` }),
      await get(app, "good"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 404, 429]);
    expect(answers.map(limitsOf)).toEqual([
      ["3", "2", "1"],
      ["3", "1", "2"],
      ["3", "0", "3"],
      ["3", "0", "3"],
    ]);
    clock.advance(1_500);
    expect(limitsOf(await get(app, "good"))).toEqual(["3", "0", "3"]);
    expect(limitsOf(await get(app, "good"))).toEqual(["3", "0", "3"]);
    clock.advance(60_000);
    expect(limitsOf(await get(app, "good"))).toEqual(["3", "2", "1"]);
  });

  it("count requests without the scope too", async () => {
    const { app } = openApp();
    await app.inject({
      method: "PATCH",
      url: `/v1/things/${ROW_ID}`,
      headers: { "x-api-key": "narrow" },
      payload: {},
    });
    const answer = await get(app, "narrow");
    expect(answer.status).toBe(403);
    expect(limitsOf(answer)).toEqual(["3", "1", "2"]);
  });

  it("describe the limit that refused, also for an unverified key, and are on no other answer without a key", async () => {
    const { app } = openApp();
    for (let n = 0; n < FAILURES_PER_MINUTE; n += 1) {
      expect(limitsOf(await get(app, `guess-${n}`))).toEqual([undefined, undefined, undefined]);
    }
    const refused = await get(app, "guess-more");
    expect(refused.status).toBe(429);
    expect(limitsOf(refused)).toEqual(["3", "0", "60"]);
    expect(JSON.parse(refused.body).message).toBe(
      "Too many keys from your address that were refused: more than 3 a minute. Retry in 20 s.",
    );
  });
});

describe("failed authentications", () => {
  it("beyond the budget of an address are refused without a look-up, until it refills", async () => {
    const { app, lookedUp, clock } = openApp();
    for (let n = 0; n < FAILURES_PER_MINUTE; n += 1) expect((await get(app, `guess-${n}`)).status).toBe(401);
    const refused = await get(app, "guess-more");
    expect(refused).toMatchObject({ status: 429, code: "RATE_LIMITED", headers: { "retry-after": "20" } });
    expect(lookedUp).not.toContain("guess-more");
    clock.advance(20_000);
    expect((await get(app, "guess-more")).status).toBe(401);
  });

  it("beyond the budget leave one look-up a second, so that a right key is accepted among them", async () => {
    const { app, lookedUp, clock } = openApp();
    for (let n = 0; n < FAILURES_PER_MINUTE; n += 1) await get(app, `guess-${n}`);
    expect((await get(app, "good")).status).toBe(429);
    clock.advance(1_000);
    expect((await get(app, "guess-more")).status).toBe(401);
    expect((await get(app, "good")).status).toBe(429);
    clock.advance(1_000);
    expect((await get(app, "good")).status).toBe(200);
    for (let n = 0; n < 50; n += 1) expect((await get(app, `guess-again-${n}`)).status).toBe(429);
    expect((await get(app, "good")).status).toBe(200);
    expect(lookedUp).toHaveLength(FAILURES_PER_MINUTE + 3);
  });

  it("by keys that cannot be forged use no budget", async () => {
    const { app } = openApp();
    for (let n = 0; n < FAILURES_PER_MINUTE * 3; n += 1)
      expect((await get(app, `new-${n}`)).status).toBe(401);
    expect((await get(app, "guess")).status).toBe(401);
  });

  it("of one address leave other addresses alone", async () => {
    const { app } = openApp();
    for (let n = 0; n <= FAILURES_PER_MINUTE; n += 1) await get(app, `guess-${n}`);
    expect((await get(app, "good", { ip: "127.0.0.2" })).status).toBe(200);
  });

  it("do not lock out a key that was accepted before from the same address", async () => {
    const { app } = openApp();
    expect((await get(app, "good")).status).toBe(200);
    for (let n = 0; n <= FAILURES_PER_MINUTE; n += 1) await get(app, `guess-${n}`);
    expect((await get(app, "good")).status).toBe(200);
  });

  it("without a look-up cost no budget", async () => {
    const { app } = openApp();
    for (let n = 0; n < FAILURES_PER_MINUTE * 3; n += 1) expect((await get(app, "junk")).status).toBe(401);
    expect((await get(app, "good")).status).toBe(200);
  });

  it("are counted for the whole /64 of an IPv6 address", async () => {
    const { app } = openApp();
    for (let n = 0; n < FAILURES_PER_MINUTE; n += 1)
      await get(app, `guess-${n}`, { ip: `2001:db8:1:2::${n}` });
    expect((await get(app, "guess", { ip: "2001:db8:1:2:ffff::1" })).status).toBe(429);
    expect((await get(app, "guess", { ip: "2001:db8:1:3::1" })).status).toBe(401);
  });
});

it.each([
  ["no key", undefined],
  ["a malformed key", "junk"],
])("a request with %s is refused before its body is read", async (_, apiKey) => {
  const { app } = openApp();
  const body = new PassThrough();
  const response = await app.inject({
    method: "PATCH",
    url: `/v1/things/${ROW_ID}`,
    headers: { "content-type": "application/json", ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) },
    payload: body,
  });
  expect(response.json().error.code).toBe("UNAUTHORIZED");
  body.end();
});

/** The faults of one request in the order of their answers, and how a PATCH gets each. */
const faults = {
  PAYLOAD_TOO_LARGE: { payload: `{"x":"${"x".repeat(BODY_LIMIT_BYTES)}"}` },
  UNSUPPORTED_MEDIA_TYPE: { contentType: "text/plain" },
  INVALID_JSON: { payload: "{broken" },
  UNAUTHORIZED: { apiKey: "unknown" },
  INSUFFICIENT_SCOPE: { apiKey: "narrow" },
  RATE_LIMITED: { isSpent: true },
  NOT_FOUND: { id: OTHER_ID },
  VALIDATION_ERROR: { payload: '{"isActive":"yes"}' },
};
type Fault = keyof typeof faults;
const order = Object.keys(faults) as Fault[];

/** Pairs of faults that exclude each other. */
const exclusive: [Fault, Fault][] = [
  ["PAYLOAD_TOO_LARGE", "INVALID_JSON"],
  ["PAYLOAD_TOO_LARGE", "VALIDATION_ERROR"],
  ["INVALID_JSON", "VALIDATION_ERROR"],
  ["UNAUTHORIZED", "INSUFFICIENT_SCOPE"],
];
const pairs = order.flatMap((first, index) =>
  order
    .slice(index + 1)
    .filter((second) => !exclusive.some((pair) => pair[0] === first && pair[1] === second))
    .map((second): [Fault, Fault] => [first, second]),
);

describe("of two faults in one request the earlier one is answered", () => {
  it.each([...order.map((fault): [Fault, Fault] => [fault, fault]), ...pairs])(
    "%s before %s",
    async (first, second) => {
      const { app } = openApp();
      const request = {
        payload: '{"isActive":true}',
        contentType: "application/json",
        apiKey: "good",
        id: ROW_ID,
        isSpent: false,
      };
      const { payload, contentType, apiKey, id, isSpent } = {
        ...request,
        ...faults[second],
        ...faults[first],
      };
      if (isSpent) for (let n = 0; n < KEY_BURST; n += 1) await get(app, "good");
      const response = await app.inject({
        method: "PATCH",
        url: `/v1/things/${id}`,
        headers: { "x-api-key": apiKey, "content-type": contentType },
        payload,
      });
      expect(response.json().error.code).toBe(first);
    },
  );
});
