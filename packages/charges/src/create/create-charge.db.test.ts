import { createAddressSource } from "@daric/addresses/address-source";
import type { ApiErrorCode } from "@daric/domain/errors";
import { idOf, type SettlementAccountId } from "@daric/domain/ids";
import { amountIn, formatAmount, parseAmount } from "@daric/domain/money";
import type { MerchantTerms } from "@daric/merchants/merchant-terms";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, setChainTime } from "@daric/testing/charge-builders";
import { aChargeRequest } from "@daric/testing/charge-request";
import { createTestContext } from "@daric/testing/context";
import { noRates } from "@daric/testing/rate-builders";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { isCheckoutToken } from "../checkout-token.ts";
import { archiveCharge } from "../close/archive-charge.ts";
import type { ChargeRequest } from "./charge-request.ts";
import { createCharge } from "./create-charge.ts";
import { findOrCreateReceiveAddress } from "./find-or-create-receive-address.ts";
import { createChargeMemory, type IssuingContext } from "./write-charge.ts";

const MINUTE_MS = 60_000;
let context: Awaited<ReturnType<typeof createTestContext>> & IssuingContext;

beforeAll(async () => {
  const made = await createTestContext();
  context = {
    ...made,
    addresses: createAddressSource(made),
    ...createChargeMemory(made.db),
    findRate: noRates,
  };
});
afterAll(async () => {
  await context.addresses.stop();
  await context.close();
});
beforeEach(async () => {
  await context.owner.query(sql`delete from scan_cursors`);
});

async function aCaller(terms: Partial<MerchantTerms> = {}) {
  const { id: merchantId } = await aMerchant(context.db, terms);
  const { id: apiKeyId } = await anApiKey(context, merchantId);
  return { merchantId, apiKeyId };
}

type Overrides = Partial<Omit<ChargeRequest, "amount">> & { amount?: string | null };

function request(
  caller: Pick<ChargeRequest, "merchantId" | "apiKeyId">,
  overrides: Overrides = {},
): ChargeRequest {
  const { amount = null, ...rest } = overrides;
  return aChargeRequest(caller, {
    amount: amount === null ? null : (parseAmount(amount) ?? expect.fail(`not an amount: ${amount}`)),
    fiatAmount: overrides.fiatCurrency ? amount : null,
    ...rest,
  });
}

function create(caller: Pick<ChargeRequest, "merchantId" | "apiKeyId">, overrides: Overrides = {}) {
  return createCharge(context, request(caller, overrides));
}

function findOrCreate(caller: Pick<ChargeRequest, "merchantId" | "apiKeyId">, overrides: Overrides = {}) {
  return findOrCreateReceiveAddress(context, request(caller, overrides));
}

async function codeOf(creating: Promise<unknown>): Promise<ApiErrorCode | "created"> {
  return creating.then(
    () => "created" as const,
    (error) => error.code ?? Promise.reject(error),
  );
}

function grantsOf(results: PromiseSettledResult<unknown>[]) {
  const refused = results.filter((result) => result.status === "rejected");
  return {
    created: results.length - refused.length,
    codes: [...new Set(refused.map(({ reason }) => reason.code ?? String(reason)))],
  };
}

async function rowOf(id: string) {
  return one(
    await context.db.query<Record<string, unknown>>(sql`select * from deposit_addresses where id = ${id}`),
  );
}

/** The index of the next charge's address; it stays free. */
async function nextIndex() {
  const next = await context.addresses.take(idOf("merchant", uuidv7()));
  context.addresses.giveBack(next);
  return next.index;
}

describe("a create", () => {
  it("with an amount makes an order that expires after the order lifetime", async () => {
    const caller = await aCaller({ orderLifetimeSeconds: 600, lateWindowSeconds: 120 });
    const before = Date.now();
    const charge = await create(caller, {
      amount: "25.50",
      orderRef: "A-1",
      label: "shelf",
      successUrl: "https://shop.example/ok",
      cancelUrl: "https://shop.example/no",
    });
    expect(charge).toMatchObject({
      chain: "tron",
      currency: "USDT",
      status: "ACTIVE",
      feeMode: "merchant",
      expectedAmount: 25_500_000n,
      payAmount: null,
      fiatCurrency: null,
      quote: null,
      orderRef: "A-1",
      successUrl: "https://shop.example/ok",
      cancelUrl: "https://shop.example/no",
    });
    expect(isCheckoutToken(context.checkoutKey, charge.checkoutToken)).toBe(true);
    const lifetime = (charge.expiresAt?.getTime() ?? 0) - before;
    expect(lifetime).toBeGreaterThan(9.9 * MINUTE_MS);
    expect(lifetime).toBeLessThan(10.5 * MINUTE_MS);
    const row = await rowOf(charge.id);
    expect(row).toMatchObject({ kind: "order", label: "shelf", api_key_id: caller.apiKeyId });
    expect((row.late_until as Date).getTime()).toBe((charge.expiresAt?.getTime() ?? 0) + 2 * MINUTE_MS);
  });

  it("without an amount makes an open address that expires after the open lifetime", async () => {
    const caller = await aCaller({ openLifetimeSeconds: 60 });
    const charge = await create(caller);
    expect(charge.expectedAmount).toBeNull();
    expect((await rowOf(charge.id)).kind).toBe("open");
    expect((charge.expiresAt?.getTime() ?? 0) - Date.now()).toBeLessThan(61_000);
  });

  it("with zero makes an order", async () => {
    const charge = await create(await aCaller(), { amount: "0" });
    expect(charge.expectedAmount).toBe(0n);
    expect((await rowOf(charge.id)).kind).toBe("order");
  });

  it("starts the life of a charge at the chain's time if that is ahead", async () => {
    const ahead = new Date(Date.now() + 3 * 60 * MINUTE_MS);
    await setChainTime(context.db, ahead);
    const charge = await create(await aCaller({ orderLifetimeSeconds: 600 }), { amount: "1" });
    expect(charge.expiresAt).toEqual(new Date(ahead.getTime() + 10 * MINUTE_MS));
  });

  it("in client fee mode the amount due is the price with the fee on top, rounded up", async () => {
    const caller = await aCaller({
      feeMode: "client",
      feeBasisPoints: 100,
      feeFixedUsdt: amountIn("USDT", 500_000n),
      feeFixedTrx: amountIn("TRX", 2_000_000n),
    });
    const usdt = await create(caller, { amount: "25" });
    const trx = await create(caller, { amount: "25", currency: "TRX" });
    expect(formatAmount(usdt.payAmount ?? expect.fail())).toBe("25.757576");
    expect(formatAmount(trx.payAmount ?? expect.fail())).toBe("27.272728");
    expect(await rowOf(usdt.id)).toMatchObject({ fee_basis_points: 100, fee_fixed_units: 500_000n });
  });

  it("keeps its terms after later changes of the merchant's terms", async () => {
    const caller = await aCaller({ feeBasisPoints: 50 });
    const charge = await create(caller, { amount: "25" });
    await context.owner.query(
      sql`update merchants set fee_basis_points = 900 where id = ${caller.merchantId}`,
    );
    expect((await rowOf(charge.id)).fee_basis_points).toBe(50);
  });

  it("keeps the named settlement account", async () => {
    const caller = await aCaller();
    const account = await aSettlementAccount(context.db, caller.merchantId);
    const charge = await create(caller, { amount: "1", settlementAccountId: account.id });
    expect((await rowOf(charge.id)).settlement_account_id).toBe(account.id);
  });
});

describe("a create is refused", () => {
  it("in client fee mode without an amount", async () => {
    const caller = await aCaller({ feeMode: "client" });
    expect(await codeOf(create(caller))).toBe("EXPECTED_AMOUNT_REQUIRED");
    expect(await codeOf(create(caller, { amount: "0" }))).toBe("EXPECTED_AMOUNT_REQUIRED");
  });

  it("with a settlement account that is another merchant's, unknown or disabled", async () => {
    const caller = await aCaller();
    const { id: foreign } = await aSettlementAccount(context.db, (await aCaller()).merchantId);
    const { id: disabled } = await aSettlementAccount(context.db, caller.merchantId, { status: "disabled" });
    const using = (settlementAccountId: SettlementAccountId) =>
      codeOf(create(caller, { amount: "1", settlementAccountId }));
    expect(await using(foreign)).toBe("SETTLEMENT_ACCOUNT_NOT_FOUND");
    expect(await using(idOf("settlementAccount", "0193a1b2-0000-7000-8000-000000000001"))).toBe(
      "SETTLEMENT_ACCOUNT_NOT_FOUND",
    );
    expect(await using(disabled)).toBe("SETTLEMENT_ACCOUNT_DISABLED");
  });

  it("in the order of the contract, and a refused request uses no address", async () => {
    const caller = await aCaller({ feeMode: "client", activeAddressCap: 1 });
    const { id: disabled } = await aSettlementAccount(context.db, caller.merchantId, { status: "disabled" });
    const unknown = idOf("settlementAccount", "0193a1b2-0000-7000-8000-000000000001");
    await create(caller, { amount: "1" });
    const before = await nextIndex();
    const inUsd = (overrides: Overrides) => codeOf(create(caller, { fiatCurrency: "USD", ...overrides }));
    expect(await inUsd({ settlementAccountId: unknown })).toBe("USD_AMOUNT_REQUIRED");
    expect(await inUsd({ amount: "0", settlementAccountId: unknown })).toBe("USD_AMOUNT_REQUIRED");
    expect(await codeOf(create(caller, { settlementAccountId: unknown }))).toBe("EXPECTED_AMOUNT_REQUIRED");
    expect(await inUsd({ amount: "1", settlementAccountId: unknown })).toBe("SETTLEMENT_ACCOUNT_NOT_FOUND");
    expect(await inUsd({ amount: "1", settlementAccountId: disabled })).toBe("SETTLEMENT_ACCOUNT_DISABLED");
    expect(await inUsd({ amount: "1" })).toBe("MAX_ACTIVE_ADDRESSES");
    await context.owner.query(
      sql`update merchants set active_address_cap = 5 where id = ${caller.merchantId}`,
    );
    expect(await inUsd({ amount: "1" })).toBe("RATE_UNAVAILABLE");
    expect(await nextIndex()).toBe(before);
  });
});

describe("the cap of active addresses", () => {
  it("admits exactly ten of a hundred parallel creates at ten", async () => {
    const caller = await aCaller({ activeAddressCap: 10 });
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, () => create(caller, { amount: "1" })),
    );
    expect(grantsOf(results)).toEqual({ created: 10, codes: ["MAX_ACTIVE_ADDRESSES"] });
  });

  it("counts neither reusable addresses nor rows past their expiry by either clock", async () => {
    const caller = await aCaller({ activeAddressCap: 1 });
    await aSettlementAccount(context.db, caller.merchantId);
    await findOrCreate(caller);
    await aCharge(context.db, { merchantId: caller.merchantId, expiresAt: new Date(Date.now() - 1_000) });
    const first = await create(caller, { amount: "1" });
    expect(await codeOf(create(caller, { amount: "1" }))).toBe("MAX_ACTIVE_ADDRESSES");
    await setChainTime(context.db, new Date((first.expiresAt?.getTime() ?? 0) + 1));
    expect(await codeOf(create(caller, { amount: "1" }))).toBe("created");
  });

  it("has room again once a charge is archived", async () => {
    const caller = await aCaller({ activeAddressCap: 1 });
    const { id } = await create(caller);
    expect(await codeOf(create(caller))).toBe("MAX_ACTIVE_ADDRESSES");
    await archiveCharge(context, { merchantId: caller.merchantId, id });
    expect(await codeOf(create(caller))).toBe("created");
  });
});

describe("addresses", () => {
  it("of parallel creates are all different and belong to the account key", async () => {
    const caller = await aCaller();
    const charges = await Promise.all(Array.from({ length: 64 }, () => create(caller, { amount: "1" })));
    expect(new Set(charges.map(({ address }) => address)).size).toBe(64);
    const rows = await context.db.query<{ index: bigint; address: string }>(
      sql`select derivation_index as index, address from deposit_addresses`,
    );
    const account = parseAccountXpub(context.config.addresses.accountXpub);
    for (const { index, address } of rows) expect(address).toBe(deriveReceiveAddress(account, Number(index)));
  });
});

describe("a reusable address", () => {
  async function aCallerWithAccount(terms: Partial<MerchantTerms> = {}) {
    const caller = await aCaller(terms);
    return { caller, account: await aSettlementAccount(context.db, caller.merchantId) };
  }

  it("is the same row for fifty parallel calls", async () => {
    const { caller, account } = await aCallerWithAccount();
    const fresh = { ...context, addresses: createAddressSource(context) };
    const { index: first } = await fresh.addresses.take(caller.merchantId);
    const order = request(caller);
    const charges = await Promise.all(
      Array.from({ length: 50 }, () => findOrCreateReceiveAddress(fresh, order)),
    );
    expect(new Set(charges.map(({ id }) => id)).size).toBe(1);
    const left = await Promise.all(Array.from({ length: 49 }, () => fresh.addresses.take(caller.merchantId)));
    expect(Math.max(...left.map(({ index }) => index))).toBe(first + 50);
    await fresh.addresses.stop();
    expect(isCheckoutToken(context.checkoutKey, charges[0]?.checkoutToken ?? "")).toBe(true);
    const row = await rowOf(charges[0]?.id ?? "");
    expect(row).toMatchObject({ kind: "receive", expires_at: null, settlement_account_id: account.id });
  });

  it("is returned unchanged, whatever the later call contains", async () => {
    const { caller } = await aCallerWithAccount();
    const made = await findOrCreate(caller, { orderRef: "first" });
    const { updated_at: before } = await rowOf(made.id);
    const found = await findOrCreate(caller, { orderRef: "second", label: "other" });
    expect(found).toMatchObject({ id: made.id, orderRef: "first", checkoutToken: made.checkoutToken });
    expect((await rowOf(made.id)).updated_at).toEqual(before);
  });

  it("is the same row for fifty parallel calls about one customer", async () => {
    const { caller } = await aCallerWithAccount();
    const calls = Array.from({ length: 50 }, (_, n) =>
      findOrCreate(caller, { customerRef: n % 2 === 0 ? "even" : "odd" }),
    );
    const made = await Promise.all(calls);
    const idsOf = (ref: string) =>
      new Set(made.filter(({ customerRef }) => customerRef === ref).map(({ id }) => id));
    expect([idsOf("even").size, idsOf("odd").size]).toEqual([1, 1]);
    expect(idsOf("even")).not.toEqual(idsOf("odd"));
  });

  it("differs for another currency and for another settlement account", async () => {
    const { caller } = await aCallerWithAccount();
    const { id: second } = await aSettlementAccount(context.db, caller.merchantId);
    const charges = [
      await findOrCreate(caller),
      await findOrCreate(caller, { currency: "TRX" }),
      await findOrCreate(caller, { settlementAccountId: second }),
    ];
    expect(new Set(charges.map(({ address }) => address)).size).toBe(3);
  });

  it("has fee mode merchant even if the merchant's terms have fee mode client", async () => {
    const { caller } = await aCallerWithAccount({ feeMode: "client" });
    expect(await findOrCreate(caller)).toMatchObject({ feeMode: "merchant", payAmount: null });
  });

  it("needs an active settlement account", async () => {
    const caller = await aCaller();
    expect(await codeOf(findOrCreate(caller))).toBe("NO_SETTLEMENT_ACCOUNT");
    const { id: disabled } = await aSettlementAccount(context.db, caller.merchantId, { status: "disabled" });
    expect(await codeOf(findOrCreate(caller))).toBe("NO_SETTLEMENT_ACCOUNT");
    expect(await codeOf(findOrCreate(caller, { settlementAccountId: disabled }))).toBe(
      "SETTLEMENT_ACCOUNT_DISABLED",
    );
  });

  it("uses an active account if there is no default", async () => {
    const caller = await aCaller();
    const account = await aSettlementAccount(context.db, caller.merchantId, { isDefault: false });
    const { id } = await findOrCreate(caller);
    expect((await rowOf(id)).settlement_account_id).toBe(account.id);
  });
});

describe("ids", () => {
  it("contain the database's time, so that their order is that of (created_at, id) under any process's clock", async () => {
    const caller = await aCaller();
    for (let wrongMs = 3_600_000; wrongMs > -3_600_000; wrongMs -= 600_000) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + wrongMs });
      await create(caller, { amount: "25" }).finally(() => vi.useRealTimers());
    }
    const rows = await context.db.query<{ id: string; us: bigint }>(sql`
      select id, (extract(epoch from created_at) * 1000000)::bigint as us from deposit_addresses
      where merchant_id = ${caller.merchantId} order by created_at, id`);
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort());
    for (const { id, us } of rows) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}`)).toBe(us / 1000n);
    }
  });
});

describe("a standing address of a customer", () => {
  it("is refused beyond the cap if it is new, and found otherwise; no statement scans for it", async () => {
    const { id: merchantId } = await aMerchant(context.db);
    await aSettlementAccount(context.db, merchantId);
    const { id: apiKeyId } = await anApiKey(context, merchantId);
    const caller = { merchantId, apiKeyId };
    const capped = {
      ...context,
      config: { ...context.config, charges: { ...context.config.charges, maxCustomerAddresses: 2 } },
    };
    const createFor = (customerRef: string | null, order = capped) =>
      findOrCreateReceiveAddress(order, request(caller, { customerRef }));
    const first = await createFor("one");
    await createFor("two");
    expect(await codeOf(createFor("three"))).toBe("MAX_ACTIVE_ADDRESSES");
    expect((await createFor("one")).id).toBe(first.id);
    expect(await codeOf(createFor(null))).toBe("created");
    expect(await codeOf(create(caller, { amount: "5" }))).toBe("created");
    expect(await codeOf(createFor("three", context))).toBe("created");
    expect((await context.metrics.customerAddresses.get()).values).toMatchObject([{ value: 3 }]);
  });
});
