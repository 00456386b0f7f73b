import { addressBytes } from "@daric/addresses/address-bytes";
import type { AccountKeyId } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { type Database, sql } from "@daric/postgres/sql";
import { aMerchant, anAddress, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { plansOf } from "@daric/testing/plans";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newCheckoutToken } from "./checkout-token.ts";
import type { AddressedDraft } from "./create/charge-draft-store.ts";
import { countRoom, insertCharges } from "./create/store.ts";
import { countCharges } from "./list-store.ts";

const MERCHANTS = 10;
const SMALL_MERCHANTS = 2_000;
const BATCHES = 8;
const FULL_BATCH = 64;

let context: Awaited<ReturnType<typeof createTestContext>>;
let ours: Awaited<ReturnType<typeof aCaller>>;
let accountKeyId: AccountKeyId;
let index = 1_000;

beforeAll(async () => {
  context = await createTestContext();
  ours = await aCaller();
  await aCharge(context.db, ours);
  const keys = await context.db.query<{ id: AccountKeyId }>(sql`select id from account_keys`);
  accountKeyId = keys[0]?.id ?? expect.fail();
  const callers = await Promise.all(Array.from({ length: MERCHANTS }, aCaller));
  for (const caller of [ours, ...callers]) {
    await context.db.transaction((tx) => countRoom(tx, caller.merchantId));
    for (let batch = 0; batch < BATCHES; batch += 1) await insert(context.db, caller, FULL_BATCH);
  }
  await context.owner.query(sql`
    with merchant as (
      insert into merchants (id, name) select gen_random_uuid(), 'Small Shop' from generate_series(1, ${SMALL_MERCHANTS}::integer)
      returning id)
    insert into active_charge_counts (merchant_id) select id from merchant`);
  await context.owner.query(sql`analyze`);
});
afterAll(() => context.close());

/** A merchant with several settlement accounts, one of them used. */
async function aCaller() {
  const { id: merchantId } = await aMerchant(context.db, { activeAddressCap: 10_000 });
  const { id: apiKeyId } = await anApiKey(context, merchantId);
  const { id: settlementAccountId } = await aSettlementAccount(context.db, merchantId);
  await context.owner.query(sql`
    insert into settlement_accounts (id, merchant_id, address)
    select gen_random_uuid(), ${merchantId}, address from unnest(${Array.from({ length: 50 }, anAddress)}::text[]) address`);
  return { merchantId, apiKeyId, settlementAccountId };
}

async function insert(db: Database, caller: typeof ours, count: number): Promise<void> {
  const made = await insertCharges(
    db,
    caller.merchantId,
    Array.from({ length: count }, () => aDraft(caller)),
  );
  expect(made.map(({ refusal }) => refusal)).toEqual(Array(count).fill(null));
}

function aDraft(caller: typeof ours): AddressedDraft {
  const address = anAddress();
  index += 1;
  return {
    ...caller,
    kind: "order",
    termsVersion: 1,
    feeMode: "merchant",
    currency: "USDT",
    fiatCurrency: null,
    fiatAmount: null,
    lock: null,
    price: { expected: amountFromUnits(25_000_000n), pay: null },
    orderRef: `order-${index}`,
    label: null,
    successUrl: null,
    cancelUrl: null,
    metadata: null,
    customerRef: null,
    issued: { accountKeyId, index, address, bytes: addressBytes(address) },
    addressMac: Buffer.alloc(32),
    checkoutToken: newCheckoutToken(context.checkoutKey),
  };
}

it.each([1, FULL_BATCH])("a create of %s scans no large table", async (count) => {
  const url = context.config.runtime.databaseUrl;
  const plans = await plansOf({ db: context.db, url }, (db) => insert(db, ours, count));
  const whole = plans.map(({ scans }) => scans.filter((scan) => scan.endsWith(" whole")).sort());
  expect(
    plans.flatMap(({ scans }) => scans.filter((scan) => scan.startsWith("active_charge_counts by"))),
  ).toHaveLength(plans.length);
  expect(whole).toEqual(whole.map(() => ["scan_cursors whole"]));
});

it("paid orders are found from those that got money, where few did", async () => {
  const { merchantId } = ours;
  const { id } = await aCharge(context.db, { merchantId, amount: "10" });
  await aDeposit(context.db, { chargeId: id, amount: "10" });
  await context.owner.query(sql`analyze`);
  const url = context.config.runtime.databaseUrl;
  const plans = await plansOf({ db: context.db, url }, (db) =>
    countCharges(db, { merchantId, paymentStatus: "paid" }),
  );
  const [planned] = plans.filter((plan) => plan.of === "these values");
  expect(planned?.scans.filter((scan) => !scan.startsWith("scan_cursors"))[0]).toMatch(/^charge_sums/);
});
