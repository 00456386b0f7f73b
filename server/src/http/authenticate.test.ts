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
  it("missing, empty, malformed and unknown keys get one and the same answer", async () => {
    const { app, lookedUp } = openApp();
    const answers = [];
    for (const key of [undefined, "", "junk", "unknown"]) answers.push(await get(app, key));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    expect(lookedUp).toEqual(["unknown"]);
  });

  it("is read from the header only", async () => {
    const { app } = openApp();
    expect((await get(app, undefined, { url: "/v1/things?apiKey=good&x-api-key=good" })).status).toBe(401);
  });

  it("of the other environment is told so", async () => {
    expect(await get(openApp().app, "live")).toMatchObject({ status: 401, code: "WRONG_ENVIRONMENT" });
  });

  it("without the route's scope is INSUFFICIENT_SCOPE", async () => {
    expect(await get(openApp().app, "narrow")).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" });
  });

  it("is limited to its burst, and may go on when the stated time has passed", async () => {
    const { app, clock } = openApp();
    for (let n = 0; n < KEY_BURST; n += 1) expect((await get(app, "good")).status).toBe(200);
    const limited = await get(app, "good");
    expect(limited).toMatchObject({ status: 429, code: "RATE_LIMITED", headers: { "retry-after": "1" } });
    clock.advance(1_000);
    expect((await get(app, "good")).status).toBe(200);
    expect((await get(app, "good")).status).toBe(429);
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

  it("of one address leave other addresses alone", async () => {
    const { app } = openApp();
    for (let n = 0; n <= FAILURES_PER_MINUTE; n += 1) await get(app, `guess-${n}`);
    expect((await get(app, "good", { ip: "127.0.0.2" })).status).toBe(200);
  });

  it("do not shut out a key that was let in before from the same address", async () => {
    const { app } = openApp();
    expect((await get(app, "good")).status).toBe(200);
    for (let n = 0; n <= FAILURES_PER_MINUTE; n += 1) await get(app, `guess-${n}`);
    expect((await get(app, "good")).status).toBe(200);
  });

  it("that cost no look-up cost no budget", async () => {
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

/** The order in which faults of one request are answered, and how a PATCH of a row is given each of them. */
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

/** Pairs of faults that one request cannot have at once. */
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
