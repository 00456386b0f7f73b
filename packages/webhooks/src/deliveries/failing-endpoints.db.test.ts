import { sql } from "@daric/postgres/sql";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { aPerson } from "@daric/testing/people";
import { aMerchantId, anEndpointRow } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFailingEndpoints } from "./failing-endpoints.ts";

let shared: Awaited<ReturnType<typeof createTestContext>>;
let context: TestContext;
beforeAll(async () => {
  shared = await createTestContext();
  context = withSettings(shared, {
    mail: { smtpUrl: "smtp://127.0.0.1:9?tls=none", mailFrom: "a@shop.example" },
  });
});
afterAll(() => shared.close());

async function anEndpoint(failingFor: string) {
  const merchantId = await aMerchantId(shared.db);
  await aPerson(shared, { places: [{ merchantId, role: "owner" }] });
  const endpointId = await anEndpointRow(shared.db, merchantId);
  await shared.db.query(sql`
    insert into endpoint_health (merchant_id, endpoint_id, failed_attempts, failing_since, probe_at)
    values (${merchantId}, ${endpointId}, 5, now() - ${failingFor}::interval, now())`);
  const kinds = () => shared.db.query(sql`select kind, lane from messages where merchant_id = ${merchantId}`);
  return { failing: { merchantId, endpointId, mustWait: true, isHopeless: false }, kinds };
}

it("the owner gets one mail about an endpoint that has failed for a quarter of an hour, and none before", async () => {
  const [early, late] = [await anEndpoint("14 minutes"), await anEndpoint("16 minutes")];
  for (let process = 0; process < 2; process += 1)
    await createFailingEndpoints(context)([early.failing, late.failing]);
  expect(await early.kinds()).toEqual([]);
  expect(await late.kinds()).toEqual([{ kind: "endpoint_failing", lane: "mail" }]);
});

it("the owner gets one mail about an endpoint that is disabled", async () => {
  const { failing, kinds } = await anEndpoint("6 days");
  for (let again = 0; again < 2; again += 1)
    await createFailingEndpoints(context)([{ ...failing, isHopeless: true }]);
  expect(await kinds()).toEqual([{ kind: "endpoint_disabled", lane: "mail" }]);
});
