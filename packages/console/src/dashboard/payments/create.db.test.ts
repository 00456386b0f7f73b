import type { MerchantId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const PATH = "/dashboard/v1/payments";
const DAY_SECONDS = 86_400;

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
});

async function aBrowserOf(role: MerchantRole): Promise<Browser> {
  return signedIn(app, await aPerson(context, { places: [{ merchantId, role }] }), merchantId);
}

describe("a payment that a person makes", () => {
  it.each([3_600, DAY_SECONDS, 7 * DAY_SECONDS, 30 * DAY_SECONDS])(
    "can be paid for %s seconds, and its late window follows",
    async (lifetimeSeconds) => {
      const browser = await aBrowserOf("developer");
      const body = { amount: "25.5", orderRef: "A-1042", lifetimeSeconds };
      const { status, body: answer } = await browser.send(PATH, body);
      expect([status, answer.data.order_ref, answer.data.expected_amount]).toEqual([201, "A-1042", "25.5"]);
      const rows = await context.owner.query(sql`
        select id, round(extract(epoch from expires_at - created_at))::int as lives,
          extract(epoch from late_until - expires_at)::int as late, updated_at = created_at as "isWrittenOnce"
        from deposit_addresses where merchant_id = ${merchantId}`);
      expect(rows).toEqual([
        { id: answer.data.id, lives: lifetimeSeconds, late: DAY_SECONDS, isWrittenOnce: true },
      ]);
      const entries = await context.owner.query(sql`
        select action, subject, after from audit_log where merchant_id = ${merchantId} and action = 'createDepositAddress'`);
      expect(entries).toMatchObject([{ subject: `deposit address ${answer.data.id}`, after: body }]);
    },
  );

  it("has the lifetime of the merchant's settings without one, as by the API", async () => {
    const browser = await aBrowserOf("developer");
    const { data } = (await browser.send(PATH, { amount: "25.5" })).body;
    expect(Date.parse(data.expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    expect(Date.parse(data.expires_at) - Date.now()).toBeLessThan(3_700_000);
    await browser.send("/v1/deposit-addresses", { amount: "1", lifetimeSeconds: DAY_SECONDS });
    const [byApi] = await context.owner.query<{ lives: number }>(sql`
      select round(extract(epoch from expires_at - created_at))::int as lives from deposit_addresses
      where merchant_id = ${merchantId} order by id desc limit 1`);
    expect(byApi?.lives).toBe(3_600);
  });

  it.each([
    ["lifetimeSeconds", { lifetimeSeconds: 59 }],
    ["lifetimeSeconds", { lifetimeSeconds: "3600" }],
    ["lifetimeSeconds", { lifetimeSeconds: 400 * DAY_SECONDS }],
    ["amount", { amount: "1e3" }],
    ["reusable", { reusable: true }],
  ])("is refused with a wrong %s", async (path, body) => {
    const { status, body: answer } = await (await aBrowserOf("developer")).send(PATH, body);
    expect([status, answer.error.details.map((detail: { path: string }) => detail.path)]).toEqual([
      422,
      [path],
    ]);
  });

  it.each([
    ["amount", { pricingCurrency: "JPY", amount: "1.5" }, "must have no decimals in JPY"],
    ["amount", { pricingCurrency: "EUR", amount: "1.001" }, "must have at most 2 decimals in EUR"],
    ["pricingCurrency", { pricingCurrency: "XYZ", amount: "1e3" }, "must be one of USD, "],
  ])("is refused with a wrong %s: %j", async (path, body, message) => {
    const { status, body: answer } = await (await aBrowserOf("developer")).send(PATH, body);
    expect([status, answer.error.details.length]).toEqual([422, 1]);
    expect(answer.error.details[0]).toMatchObject({ path, message: expect.stringContaining(message) });
  });

  it("is made by no person without the right", async () => {
    expect((await (await aBrowserOf("viewer")).send(PATH, { amount: "1" })).status).toBe(403);
  });
});
