import { createAddressSource } from "@daric/addresses/address-source";
import { ApiError } from "@daric/domain/errors";
import type { ApiKeyId, MerchantId } from "@daric/domain/ids";
import type { MerchantTerms } from "@daric/merchants/merchant-terms";
import { openDatabase } from "@daric/postgres/database";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, setChainTime } from "@daric/testing/charge-builders";
import { aChargeRequest } from "@daric/testing/charge-request";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import { countOutcomes, raceLimitMs, raceRounds, raceRoundsOfTwo, startTogether } from "@daric/testing/races";
import { noRates } from "@daric/testing/rate-builders";
import { announced } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Charge, getCharge, type NewCharge } from "./charge.ts";
import { expireCharges, hasChargesToExpire } from "./close/close-charges.ts";
import type { ChargeRequest } from "./create/charge-request.ts";
import { createCharge } from "./create/create-charge.ts";
import { findOrCreateReceiveAddress } from "./create/find-or-create-receive-address.ts";
import { createChargeMemory, type IssuingContext } from "./create/write-charge.ts";
import { extendCharge } from "./extend-charge.ts";

/*
 * Two processes work for one merchant at the same moment; each has connections, addresses and a cache of its
 * own.
 */

type Process = TestContext & IssuingContext;
/** A merchant, with a key for each of the two processes, so that a row names its process. */
type Shop = { readonly merchantId: MerchantId; readonly keys: readonly [ApiKeyId, ApiKeyId] };

let context: Awaited<ReturnType<typeof createTestContext>>;
let processes: readonly [Process, Process];

beforeAll(async () => {
  context = await createTestContext();
  processes = [aProcess(), aProcess()];
});
afterAll(async () => {
  for (const { addresses, db } of processes) {
    await addresses.stop();
    await db.close();
  }
  await context.close();
});

function aProcess(): Process {
  const db = openDatabase({ url: context.config.runtime.databaseUrl, onError: () => undefined });
  const own = { ...context, db };
  return { ...own, addresses: createAddressSource(own), ...createChargeMemory(db), findRate: noRates };
}

async function aShop(terms: Partial<MerchantTerms> = {}): Promise<Shop> {
  const { id: merchantId } = await aMerchant(context.db, terms);
  const [first, second] = [await anApiKey(context, merchantId), await anApiKey(context, merchantId)];
  return { merchantId, keys: [first.id, second.id] };
}

/** Runs calls, half of them in each of two processes that begin at once or one after the other. */
async function together(
  round: number,
  { shop, count }: { shop: Shop; count: number },
  requestOf: (n: number) => Partial<ChargeRequest>,
  create: (process: Process, request: ChargeRequest) => Promise<NewCharge> = createCharge,
): Promise<PromiseSettledResult<NewCharge>[]> {
  const half = (which: 0 | 1) => () =>
    Promise.allSettled(
      Array.from({ length: count / 2 }, (_, n) =>
        create(
          processes[which],
          aChargeRequest(
            { merchantId: shop.merchantId, apiKeyId: shop.keys[which] },
            requestOf(n * 2 + which),
          ),
        ),
      ),
    );
  const halves = await startTogether(round, [half(0), half(1)]);
  return halves.flat();
}

type Row = { id: string; address: string; index: bigint; apiKeyId: ApiKeyId };

function rowsOf({ merchantId }: Shop): Promise<Row[]> {
  return context.db.query<Row>(sql`
    select id, address, derivation_index as "index", api_key_id as "apiKeyId"
    from deposit_addresses where merchant_id = ${merchantId}`);
}

function made(results: readonly PromiseSettledResult<NewCharge>[]): NewCharge[] {
  return results.map((result) =>
    result.status === "fulfilled" ? result.value : expect.fail(String(result.reason)),
  );
}

const half = (shop: Shop, { apiKeyId }: Pick<Row, "apiKeyId">) =>
  apiKeyId === shop.keys[0] ? ("first" as const) : ("second" as const);

it(
  "race: of a hundred concurrent creates exactly as many succeed as the cap has room for, in either process",
  async () => {
    const seen = countOutcomes("cap, who got most of the room", ["first", "second"]);
    for (let round = 0; round < raceRoundsOfTwo; round += 1) {
      const cap = 1 + ((round * 37) % 49) * 2;
      const shop = await aShop({ activeAddressCap: cap });
      const results = await together(round, { shop, count: 100 }, () => ({}));
      const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
      expect([results.length - refused.length, [...new Set(refused)]]).toEqual([
        cap,
        ["MAX_ACTIVE_ADDRESSES"],
      ]);
      const rows = await rowsOf(shop);
      expect(rows).toHaveLength(cap);
      const firstHalf = rows.filter((row) => half(shop, row) === "first").length;
      seen.add(firstHalf * 2 > cap ? "first" : "second");
    }
    await requireDerivedTables(context.db);
    seen.requireEach();
  },
  raceLimitMs,
);

describe("a standing address for fifty concurrent requests", () => {
  it(
    "race: is one row for all, in either process",
    async () => {
      const seen = countOutcomes("reusable address, who made it", ["first", "second"]);
      for (let round = 0; round < raceRoundsOfTwo; round += 1) {
        const shop = await aShop();
        await aSettlementAccount(context.db, shop.merchantId);
        const answers = made(
          await together(round, { shop, count: 50 }, () => ({ amount: null }), findOrCreateReceiveAddress),
        );
        const rows = await rowsOf(shop);
        const { id, address, ...row } = one(rows);
        expect(new Set(answers.map((answer) => `${answer.id} ${answer.address}`))).toEqual(
          new Set([`${id} ${address}`]),
        );
        seen.add(half(shop, row));
      }
      seen.requireEach();
    },
    raceLimitMs,
  );

  it(
    "race: is one row for each customer",
    async () => {
      const seen = countOutcomes("address of a customer, who made it", ["first", "second"]);
      for (let round = 0; round < raceRoundsOfTwo; round += 1) {
        const shop = await aShop();
        await aSettlementAccount(context.db, shop.merchantId);
        const customerOf = (n: number) => `c-${Math.floor(n / 2) % 5}`;
        const answers = made(
          await together(
            round,
            { shop, count: 50 },
            (n) => ({ amount: null, customerRef: customerOf(n) }),
            findOrCreateReceiveAddress,
          ),
        );
        const rows = await rowsOf(shop);
        expect(new Set(answers.map(({ customerRef, id }) => `${customerRef} ${id}`)).size).toBe(5);
        expect(new Set(answers.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)));
        for (const row of rows) seen.add(half(shop, row));
      }
      seen.requireEach();
    },
    raceLimitMs,
  );
});

it(
  "race: sixty-four concurrent creates never share an index or an address, nor with an earlier one",
  async () => {
    const shop = await aShop({ activeAddressCap: 1_000_000 });
    for (let round = 0; round < raceRoundsOfTwo; round += 1) {
      const answers = made(await together(round, { shop, count: 64 }, () => ({})));
      expect(new Set(answers.map(({ address }) => address)).size).toBe(64);
    }
    const rows = await rowsOf(shop);
    expect([
      rows.length,
      new Set(rows.map(({ index }) => index)).size,
      new Set(rows.map(({ address }) => address)).size,
    ]).toEqual([raceRoundsOfTwo * 64, raceRoundsOfTwo * 64, raceRoundsOfTwo * 64]);
    await requireDerivedTables(context.db);
  },
  raceLimitMs,
);

describe("two extensions and the expiry at the same moment", () => {
  const STEP_SECONDS = 60;
  /** Past the expiry, with none or one extension, but not with two. */
  const CHAIN_PAST_MS = 90_000;
  const LATER_BLOCKS = 20;

  async function meet(round: number, { merchantId, id }: Charge, expiresAt: Date) {
    const chainTime = new Date(expiresAt.getTime() + CHAIN_PAST_MS);
    const extend = (which: 0 | 1) => () =>
      extendCharge(processes[which], { merchantId, id, seconds: STEP_SECONDS }).then(
        () => "extended",
        (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
      );
    const expire = () =>
      context.db.transaction(async (tx) => {
        await setChainTime(tx, chainTime);
        await announced(context, tx, expireCharges(context, tx, { chainTime }));
      });
    const [first, second] = await startTogether(round, [extend(0), extend(1), expire]);
    // A row that an extension locks is left for a later block.
    for (
      let block = 0;
      block < LATER_BLOCKS && (await hasChargesToExpire(context.db, { chainTime }));
      block += 1
    )
      await expire();
    return [first, second];
  }

  it(
    "race: extensions before the expiry count, and later ones do not",
    async () => {
      const { merchantId } = await aShop();
      const expiresAt = new Date(Date.now() + 3_600_000);
      const seen = countOutcomes("two extensions and expiry, how many counted", ["none", "one", "both"]);
      for (let round = 0; round < raceRounds; round += 1) {
        await context.owner.query(sql`delete from scan_cursors`);
        const order = await aCharge(context.db, { merchantId, expiresAt });
        const codes = await meet(round, order, expiresAt);
        const counted = codes.filter((code) => code === "extended").length;
        expect(codes.filter((code) => !["extended", "ORDER_CLOSED"].includes(code))).toEqual([]);
        const after = await getCharge(context.db, order);
        const movedMs = counted * STEP_SECONDS * 1_000;
        expect({
          status: after.status,
          expiresAt: after.expiresAt?.getTime(),
          lateUntil: after.lateUntil?.getTime(),
          events: await eventsOf(order),
        }).toEqual({
          status: counted === 2 ? "ACTIVE" : "EXPIRED",
          expiresAt: expiresAt.getTime() + movedMs,
          lateUntil: (order.lateUntil?.getTime() ?? 0) + movedMs,
          events: counted === 2 ? [] : ["order.expired"],
        });
        seen.add((["none", "one", "both"] as const)[counted as 0 | 1 | 2]);
      }
      await context.owner.query(sql`delete from scan_cursors`);
      await requireDerivedTables(context.db);
      seen.requireEach();
    },
    raceLimitMs,
  );

  async function eventsOf({ merchantId, id }: Charge): Promise<string[]> {
    const rows = await context.db.query<{ type: string }>(sql`
      select type from webhook_events where merchant_id = ${merchantId} and resource_id = ${id} order by sequence`);
    return rows.map(({ type }) => type);
  }
});
