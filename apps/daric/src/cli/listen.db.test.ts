import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { freePort } from "@daric/testing/free-port";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { announceDeposit, announceOrder, eventually } from "@daric/testing/webhook-builders";
import { Webhook } from "standardwebhooks";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";
import { derivedWebhookSecret } from "./forward-event.ts";
import { forwardEvents, type ListenOptions } from "./listen.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let baseUrl: string;
let merchantId: MerchantId;
let apiKey: string;
let receiver: Receiver;

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_KEY_BURST: "10000" });
  app = createApp(context);
  baseUrl = await app.listen({ host: "127.0.0.1", port: await freePort() });
});
afterAll(async () => {
  await app.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  apiKey = (await anApiKey(context, merchantId)).key;
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

/** Listens until `work` is done; returns the printed lines. */
async function listenWhile(
  options: Partial<ListenOptions>,
  work: (lines: () => string[]) => Promise<unknown>,
): Promise<string[]> {
  let out = "";
  const write = (text: string) => {
    out += text;
  };
  const lines = () => out.trimEnd().split("\n");
  const terminal = {
    variables: {},
    readInput: async () => "",
    readLines: async function* () {},
    write,
    writeError: write,
  };
  const controller = new AbortController();
  const done = new Error("done");
  const listening = forwardEvents(
    terminal,
    { forwardTo: receiver.url, baseUrl, apiKey, after: "newest", ...options },
    controller.signal,
  );
  const ended = expect(listening).rejects.toBe(done);
  await eventually(() => out.includes("Signing secret"));
  await work(lines);
  controller.abort(done);
  await ended;
  return lines();
}

describe("daric listen", () => {
  it("delivers each event from now on to a local receiver, signed, and prints the answer", async () => {
    await announceDeposit(context, merchantId);
    const lines = await listenWhile({}, async () => {
      await announceDeposit(context, merchantId);
      receiver.answer = (response, _request, index) => response.writeHead(index === 0 ? 204 : 500).end();
      await eventually(() => receiver.received.length === 1);
      await announceDeposit(context, merchantId);
      await eventually(() => receiver.received.length === 2);
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    expect(lines.slice(0, 2)).toEqual([
      `Events of ${baseUrl} go to ${receiver.url}. Ctrl-C ends it.`,
      `Signing secret of these deliveries: ${derivedWebhookSecret(apiKey)}`,
    ]);
    expect(lines[2]).toMatch(/^\d{4}-.*Z deposit\.confirmed [0-9a-f-]{36}: 204 No Content after \d+ ms$/);
    expect(lines[3]).toMatch(/deposit\.confirmed [0-9a-f-]{36}: 500 Internal Server Error after \d+ ms$/);
    expect(receiver.received).toHaveLength(2);
    for (const { body, headers } of receiver.received) {
      const verifier = new Webhook(derivedWebhookSecret(apiKey));
      expect(verifier.verify(body.toString(), headers as Record<string, string>)).toMatchObject({
        sequence: 1,
      });
      expect(headers["x-service-event"]).toBe("deposit.confirmed");
    }
  });

  it("skips other events with --events, and says which come only to subscribers", async () => {
    const events = "deposit.confirmed,deposit.detected";
    const lines = await listenWhile({ events }, async () => {
      await announceOrder(context, merchantId);
      await announceDeposit(context, merchantId);
      await eventually(() => receiver.received.length > 0);
      await announceOrder(context, merchantId);
      await announceDeposit(context, merchantId);
      await eventually(() => receiver.received.length > 1);
    });
    expect(lines[2]).toBe(
      "deposit.detected comes only while an endpoint of yours subscribes to it, which may be disabled.",
    );
    const forwarded = receiver.received.map(({ headers }) => headers["x-service-event"]);
    expect(forwarded).toEqual(["deposit.confirmed", "deposit.confirmed"]);
  });

  it("continues after a receiver was away: it gets the next event, and not the one it missed", async () => {
    await receiver.close();
    const missed = { event: "deposit.confirmed", isAccepted: false, outcome: "not delivered: ECONNREFUSED" };
    const lines = await listenWhile({ json: true }, async (printed) => {
      await announceDeposit(context, merchantId);
      await eventually(() => printed().length === 3);
      receiver = await startReceiver({ port: receiver.port });
      await announceOrder(context, merchantId);
      await eventually(() => printed().length === 4);
    });
    expect(lines.slice(2).map((line) => JSON.parse(line))).toMatchObject([
      missed,
      { event: "order.paid", isAccepted: true, outcome: "200 OK" },
    ]);
    expect(receiver.received.map(({ headers }) => headers["x-service-event"])).toEqual(["order.paid"]);
  });

  it("delivers one event again with --replay, and fails if it is not accepted", async () => {
    await announceDeposit(context, merchantId);
    const response = await app.inject({ url: "/v1/events", headers: { "x-api-key": apiKey } });
    const [event] = response.json().data;
    const replay = (id: string) =>
      captureDaric(["listen", "--forward-to", receiver.url, "--base-url", baseUrl, "--replay", id], {
        DARIC_KEY: apiKey,
      });
    expect(await replay(event.id)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${event.id}: 200`),
    });
    expect(JSON.parse(receiver.received[0]?.body.toString() ?? "")).toEqual(event);
    receiver.answer = (answer) => answer.writeHead(302, { location: receiver.url }).end();
    expect(await replay(event.id)).toMatchObject({
      code: 1,
      err: "daric: the receiver did not accept the event\n",
    });
    expect(receiver.received).toHaveLength(2);
    expect(await replay(uuidv7())).toMatchObject({
      code: 1,
      err: expect.stringContaining("No event with this id"),
    });
  });

  it("refuses unusable options, with the reason", async () => {
    const refusalOf = async (args: string[], variables = {}) =>
      captureDaric(["listen", "--forward-to", receiver.url, "--base-url", baseUrl, ...args], variables);
    expect(await refusalOf([])).toMatchObject({
      code: 2,
      err: expect.stringContaining("an API key is missing"),
    });
    expect(await refusalOf(["--api-key", "shop"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("apiKey is not in the form of a key"),
    });
    const withKey = { DARIC_KEY: apiKey };
    expect(await refusalOf(["--events", "order.payed"], withKey)).toMatchObject({
      code: 1,
      err: expect.stringContaining("did you mean order.paid?"),
    });
    expect(await refusalOf(["--after", "7"], withKey)).toMatchObject({
      code: 1,
      err: expect.stringContaining("after"),
    });
    expect(await refusalOf(["--secret", "whsec_1"], withKey)).toMatchObject({
      code: 2,
      err: expect.stringContaining("64 lowercase hex"),
    });
  });
});
