import { createHmac } from "node:crypto";
import type { MerchantId } from "@daric/domain/ids";
import { empty, sql } from "@daric/postgres/sql";
import type { ReceivedRequest, Receiver } from "@daric/testing/receiver";
import {
  announceDeposit,
  attemptRows,
  claimAsIdle,
  type DeliveryRow,
  deliveryRows,
  endInADay,
  hoursLeft,
  runMaintenance,
} from "@daric/testing/webhook-builders";
import { startWebhookApi, type WebhookShop } from "@daric/testing/webhook-shop";
import { Webhook } from "svix";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recoverLapsedDeliveries, resumeParkedDeliveries } from "./deliveries/maintain-deliveries.ts";

let api: Awaited<ReturnType<typeof startWebhookApi>>;
let context: typeof api.context;
let merchantId: MerchantId;
let receiver: Receiver;
let call: WebhookShop["call"];
let deliverAll: typeof api.deliverAll;

beforeAll(async () => {
  api = await startWebhookApi();
  ({ context, deliverAll } = api);
});
afterAll(() => api.close());
beforeEach(async () => {
  ({ merchantId, receiver, call } = await api.aShop());
});
afterEach(() => receiver.close());

async function anEndpoint(): Promise<{ id: string; secret: string }> {
  return (await call("POST", "/endpoints", { url: receiver.url })).data;
}

const rotate = (id: string, body?: object) => call("POST", `/endpoints/${id}/rotate-secret`, body);
const accepts = (secret: string, { body, headers }: ReceivedRequest) => {
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) !== undefined;
  } catch {
    return false;
  }
};

describe("rotating a secret", () => {
  it("returns the new one once, and for a day deliveries and tests are signed with both", async () => {
    const { id, secret: before } = await anEndpoint();
    const startMs = Date.now();
    const { status, data } = await rotate(id);
    expect([status, data.id, data.secret]).toEqual([200, id, expect.stringMatching(/^whsec_[0-9a-f]{64}$/)]);
    const untilMs = Date.parse(data.previous_secret_expires_at);
    expect(untilMs).toBeGreaterThanOrEqual(startMs + 86_400_000 - 5_000);
    expect(untilMs).toBeLessThanOrEqual(Date.now() + 86_400_000 + 5_000);
    expect(data.secret).not.toBe(before);
    expect((await call("GET", `/endpoints/${id}`)).data).not.toHaveProperty("secret");
    await announceDeposit(context, merchantId);
    await deliverAll();
    await call("POST", `/endpoints/${id}/test`);
    expect(receiver.received).toHaveLength(2);
    for (const request of receiver.received) {
      const plain = (secret: string) => createHmac("sha256", secret).update(request.body).digest("hex");
      expect(request.headers).toMatchObject({
        "x-service-signature": plain(data.secret),
        "x-service-signature-previous": plain(before),
      });
      expect([accepts(data.secret, request), accepts(before, request)]).toEqual([true, true]);
    }
  });

  it("signs with the new one alone after the overlap, and at once with an overlap of 0", async () => {
    const { id, secret: first } = await anEndpoint();
    const { data: second } = await rotate(id, { overlapSeconds: 60 });
    await context.db.query(sql`
      update webhook_endpoints set previous_secret_expires_at = now() where id = ${id}`);
    await announceDeposit(context, merchantId);
    await deliverAll();
    const { data: third } = await rotate(id, { overlapSeconds: 0 });
    expect(third.previous_secret_expires_at).toBeNull();
    await announceDeposit(context, merchantId);
    await deliverAll();
    const secrets = [first, second.secret, third.secret];
    expect(receiver.received.map((request) => secrets.map((secret) => accepts(secret, request)))).toEqual([
      [false, true, false],
      [false, false, true],
    ]);
    for (const { headers } of receiver.received)
      expect(headers).not.toHaveProperty("x-service-signature-previous");
  });

  it("twice within the overlap keeps the two newest, and neither is in the database in plain text", async () => {
    const { id, secret: first } = await anEndpoint();
    const { secret: second } = (await rotate(id)).data;
    const { secret: third } = (await rotate(id)).data;
    await announceDeposit(context, merchantId);
    await deliverAll();
    const [request] = receiver.received;
    const verdicts = [first, second, third].map((secret) => accepts(secret, request ?? expect.fail()));
    expect(verdicts).toEqual([false, true, true]);
    const [row] = await context.db.query<{ text: string }>(sql`
      select e::text || encode(secret_ciphertext, 'escape') || encode(previous_secret_ciphertext, 'escape') as text
      from webhook_endpoints e where id = ${id}`);
    for (const secret of [second, third]) expect(row?.text).not.toContain(secret.slice(6, 20));
  });

  it("a secret that is restored in place of the new one signs nothing, and another rotation repairs that", async () => {
    const swaps = (old: Buffer | undefined) => [
      sql`secret_ciphertext = previous_secret_ciphertext`,
      sql`secret_ciphertext = ${old}`,
      sql`secret_generation = secret_generation - 1, secret_ciphertext = previous_secret_ciphertext`,
    ];
    for (const n of [0, 1, 2]) {
      const { id } = await anEndpoint();
      const [old] = await context.db.query<{ sealed: Buffer }>(
        sql`select secret_ciphertext as sealed from webhook_endpoints where id = ${id}`,
      );
      await rotate(id);
      await context.db.query(
        sql`update webhook_endpoints set ${swaps(old?.sealed)[n] ?? empty} where id = ${id}`,
      );
      expect((await call("POST", `/endpoints/${id}/test`)).data?.ok).not.toBe(true);
      expect(receiver.received).toEqual([]);
      const { status, data } = await rotate(id);
      expect([status, data.previous_secret_expires_at]).toEqual([200, null]);
      await call("POST", `/endpoints/${id}/test`);
      expect(receiver.received.splice(0).map((request) => accepts(data.secret, request))).toEqual([true]);
    }
  });

  it.each([
    { overlapSeconds: -1 },
    { overlapSeconds: 604_801 },
    { overlapSeconds: 1.5 },
    { overlapSeconds: "60" },
  ])("refuses %j", async (body) => {
    const { id } = await anEndpoint();
    const { status, error } = await rotate(id, body);
    expect([status, error.code, error.details[0].path]).toEqual([422, "VALIDATION_ERROR", "overlapSeconds"]);
  });
});

describe("resending a delivery", () => {
  async function aDelivery(): Promise<{ endpointId: string; deliveryId: string }> {
    const { id: endpointId } = await anEndpoint();
    await announceDeposit(context, merchantId);
    const [row] = await deliveryRows(context, endpointId);
    return { endpointId, deliveryId: row?.id ?? expect.fail() };
  }
  const resend = (id: string) => call("POST", `/deliveries/${id}/resend`);
  const rowOf = async (endpointId: string): Promise<DeliveryRow> =>
    (await deliveryRows(context, endpointId))[0] ?? expect.fail();

  it("that was DELIVERED sends the same bytes again, and is DELIVERED again", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    await deliverAll();
    const { status, data } = await resend(deliveryId);
    expect([status, data]).toMatchObject([200, { id: deliveryId, status: "PENDING", attempts: 1 }]);
    await deliverAll();
    const [first, second] = receiver.received;
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(await rowOf(endpointId)).toMatchObject({ status: "DELIVERED", attempt_count: 2 });
    expect((await attemptRows(context, deliveryId)).map(({ trigger }) => trigger)).toEqual([
      "schedule",
      "resend",
    ]);
    const { data: delivered } = await call("GET", "/deliveries?status=DELIVERED");
    expect(delivered.map(({ id }: { id: string }) => id)).toEqual([deliveryId]);
  });

  it("that has ended is tried once: after a failure it is EXHAUSTED, and can be resent again", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    await deliverAll();
    receiver.answer = (response) => response.writeHead(500).end();
    await resend(deliveryId);
    await deliverAll();
    expect(await rowOf(endpointId)).toMatchObject({ status: "EXHAUSTED", last_error: "http_status" });
    receiver.answer = (response) => response.end();
    await resend(deliveryId);
    await deliverAll();
    expect(await rowOf(endpointId)).toMatchObject({ status: "DELIVERED", attempt_count: 3 });
  });

  it("that has ended is due again when its worker dies, and is tried once more", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    await deliverAll();
    await resend(deliveryId);
    await claimAsIdle(context, 1);
    await context.db.query(sql`
      update webhook_deliveries set lease_until = now() - interval '1 second' where id = ${deliveryId}`);
    await context.db.query(sql`update endpoint_queue set due_at = now() where endpoint_id = ${endpointId}`);
    await runMaintenance(context, recoverLapsedDeliveries);
    expect(await rowOf(endpointId)).toMatchObject({ status: "FAILED", last_error: "lease_expired" });
    receiver.answer = (response) => response.writeHead(500).end();
    await deliverAll();
    expect(receiver.received).toHaveLength(2);
    expect(await rowOf(endpointId)).toMatchObject({ status: "EXHAUSTED", last_error: "http_status" });
    expect((await attemptRows(context, deliveryId)).map(({ trigger }) => trigger)).toEqual([
      "schedule",
      "resend",
      "resend",
    ]);
  });

  it("that waits for its next attempt is due now, and keeps its schedule", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    receiver.answer = (response) => response.writeHead(500).end();
    await deliverAll();
    await deliverAll();
    expect(receiver.received).toHaveLength(1);
    expect((await resend(deliveryId)).data).toMatchObject({ status: "FAILED", attempts: 1 });
    await deliverAll();
    expect(receiver.received).toHaveLength(2);
    expect(await rowOf(endpointId)).toMatchObject({ status: "FAILED", attempt_count: 2 });
    expect((await attemptRows(context, deliveryId)).map(({ trigger }) => trigger)).toEqual([
      "schedule",
      "schedule",
    ]);
  });

  it("gives it four days again, whether it has ended or waits", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    receiver.answer = (response) => response.writeHead(500).end();
    for (const status of ["FAILED", "DELIVERED"]) {
      await deliverAll();
      expect((await rowOf(endpointId)).status).toBe(status);
      await endInADay(context, endpointId);
      await resend(deliveryId);
      expect(await hoursLeft(context, endpointId)).toEqual([96]);
      receiver.answer = (response) => response.end();
    }
  });

  it("that is being sent does not change it", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    await claimAsIdle(context, 1);
    const before = await rowOf(endpointId);
    expect((await resend(deliveryId)).data.status).toBe("SENDING");
    expect(await rowOf(endpointId)).toEqual(before);
  });

  it("that is parked is refused until its endpoint is enabled, and then goes out at once", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    await call("PATCH", `/endpoints/${endpointId}`, { isActive: false });
    const refused = await resend(deliveryId);
    expect([refused.status, refused.error.code, refused.message]).toEqual([
      422,
      "NOT_RESENDABLE",
      "The endpoint of this delivery is disabled: enable it first.",
    ]);
    await call("PATCH", `/endpoints/${endpointId}`, { isActive: true });
    await deliverAll();
    expect(receiver.received).toHaveLength(0);
    await resend(deliveryId);
    await deliverAll();
    expect(receiver.received).toHaveLength(1);
    expect(await runMaintenance(context, resumeParkedDeliveries)).toBe(false);
  });

  it("is refused for a test, for a deleted endpoint and without a body", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    await deliverAll();
    await call("POST", `/endpoints/${endpointId}/test`);
    const { data } = await call("GET", `/deliveries?referenceId=${endpointId}`);
    const refusalOf = async (id: string) => {
      const { status, error, message } = await resend(id);
      return [status, error.code, message];
    };
    expect(await refusalOf(data[0].id)).toEqual([
      422,
      "NOT_RESENDABLE",
      "A test is not sent again: send a new one to its endpoint.",
    ]);
    await context.owner.query(sql`delete from webhook_event_bodies where merchant_id = ${merchantId}`);
    expect(await refusalOf(deliveryId)).toEqual([
      422,
      "NOT_RESENDABLE",
      "The body of this event is not kept any more.",
    ]);
    await call("DELETE", `/endpoints/${endpointId}`);
    expect(await refusalOf(deliveryId)).toEqual([
      422,
      "NOT_RESENDABLE",
      "The endpoint of this delivery is deleted.",
    ]);
    expect((await rowOf(endpointId)).status).toBe("DELIVERED");
  });

  it("and tests are limited to six a minute together for one endpoint, and a refused one does not count", async () => {
    const { endpointId, deliveryId } = await aDelivery();
    const other = await aDelivery();
    await call("POST", `/endpoints/${endpointId}/test`);
    const { data: tests } = await call("GET", `/deliveries?referenceId=${endpointId}`);
    for (let n = 0; n < 6; n += 1) expect((await resend(tests[0].id)).status).toBe(422);
    for (let n = 0; n < 5; n += 1) expect((await resend(deliveryId)).status).toBe(200);
    const before = await rowOf(endpointId);
    const refused = [await resend(deliveryId), await call("POST", `/endpoints/${endpointId}/test`)];
    expect(refused.map(({ status, error }) => [status, error.code])).toEqual([
      [429, "RATE_LIMITED"],
      [429, "RATE_LIMITED"],
    ]);
    expect(await rowOf(endpointId)).toEqual(before);
    expect((await resend(other.deliveryId)).status).toBe(200);
  });

  it("a hundred times at once sends it once", async () => {
    const { deliveryId } = await aDelivery();
    await deliverAll();
    const answers = await Promise.all(Array.from({ length: 100 }, () => resend(deliveryId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    await deliverAll();
    await deliverAll();
    expect(receiver.received).toHaveLength(2);
  });
});
