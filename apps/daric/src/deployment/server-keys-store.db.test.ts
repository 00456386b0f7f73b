import { createAddressSource } from "@daric/addresses/address-source";
import { findOwners } from "@daric/addresses/directory-store";
import { getRefByToken } from "@daric/charges/charge";
import { createCharge } from "@daric/charges/create/create-charge";
import { createChargeMemory } from "@daric/charges/create/write-charge";
import { amountFromUnits } from "@daric/domain/money";
import { sql } from "@daric/postgres/sql";
import { spreadTenants } from "@daric/postgres/tenants";
import { aMerchant } from "@daric/testing/builders";
import { aChargeRequest } from "@daric/testing/charge-request";
import { standOnServers } from "@daric/testing/cluster";
import { createTestContext } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { afterAll, beforeAll, expect, it } from "vitest";
import { adaptToServers } from "./distribute.ts";
import { hasServerKeys } from "./server-keys-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(async () => {
  spreadTenants(undefined);
  await context.close();
});

it("the copy of a distributed database on one server is used after `daric migrate`, which names every order in the directories", async () => {
  await standOnServers(context);
  const { id: merchantId } = await aMerchant(context.db);
  const addresses = createAddressSource(context);
  const creating = {
    ...context,
    ...createChargeMemory(context.db),
    addresses,
    findRate: () => Promise.reject(new Error("no rate")),
  };
  const request = aChargeRequest({ merchantId, apiKeyId: null }, { amount: amountFromUnits(5_000_000n) });
  const order = await createCharge(creating, request);
  const reserved = await addresses.take(merchantId);
  await addresses.stop();
  spreadTenants(undefined);

  await context.db.query(sql`update deployment set environment = 'test', network = 'devnet'`);
  await expect(adaptToServers(context.db)).rejects.toThrow("run `daric migrate` on it");
  const check = () => captureDaric(["restore", "check", "--database-url", context.ownerUrl], {});
  expect((await check()).err).toContain("run `daric migrate` on it");
  const env = { DATABASE_URL: context.config.runtime.databaseUrl, DATABASE_DIRECT_URL: context.ownerUrl };
  expect(await captureDaric(["migrate"], env)).toMatchObject({ code: 0 });

  expect(await hasServerKeys(context.db)).toBe(false);
  await adaptToServers(context.db);
  expect(await getRefByToken(context.db, order.checkoutToken)).toEqual({ merchantId, id: order.id });
  const owned = await context.db.query(sql`
    select charge_id as id from address_directory where merchant_id = ${merchantId}`);
  expect(owned).toEqual([{ id: order.id }]);
  expect(await findOwners(context.db, [reserved.bytes])).toMatchObject([
    { merchantId: null, chargeId: null },
  ]);
  expect((await check()).out).toContain("The copy is whole.");
});
