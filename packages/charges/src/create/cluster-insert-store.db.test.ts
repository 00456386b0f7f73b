import { type AddressSource, createAddressSource } from "@daric/addresses/address-source";
import { findOwners, isAddressTaken, reserveFor } from "@daric/addresses/directory-store";
import type { IssuedAddress } from "@daric/addresses/issued-address";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { CommitUnknownError } from "@daric/postgres/errors";
import type { Database, Sql } from "@daric/postgres/sql";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { setChainTime } from "@daric/testing/charge-builders";
import { aChargeRequest } from "@daric/testing/charge-request";
import { standOnServers } from "@daric/testing/cluster";
import { createTestContext } from "@daric/testing/context";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { getRefByToken } from "../charge.ts";
import { newCheckoutToken } from "../checkout-token.ts";
import type { QuoteLock } from "../quote/quote-store.ts";
import type { AddressedDraft } from "./charge-draft-store.ts";
import { createCharge } from "./create-charge.ts";
import { countRoom, insertCharges } from "./store.ts";
import { createChargeMemory } from "./write-charge.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let leaveServers: (() => Promise<void>) | undefined;
const sources: AddressSource[] = [];

beforeAll(async () => {
  context = await createTestContext();
});
afterEach(async () => {
  await leaveServers?.();
  leaveServers = undefined;
});
afterAll(async () => {
  await Promise.all(sources.map((source) => source.stop()));
  await context.close();
});

async function aCaller(terms: Parameters<typeof aMerchant>[1] = {}) {
  const { id: merchantId } = await aMerchant(context.db, { feeBasisPoints: 100, ...terms });
  const { id: apiKeyId } = await anApiKey(context, merchantId);
  const { id: settlementAccountId } = await aSettlementAccount(context.db, merchantId);
  await context.db.transaction((tx) => countRoom(tx, merchantId));
  return { merchantId, apiKeyId, settlementAccountId };
}

type Caller = Awaited<ReturnType<typeof aCaller>>;

function aSource(db: Database = context.db): AddressSource {
  const source = createAddressSource({ ...context, db });
  sources.push(source);
  return source;
}

/** The database, with work around its single statements. */
function queriedBy(query: Database["query"]): Database {
  return { ...context.db, query };
}

const FIAT = { currency: "TRX", fiatCurrency: "USD", fiatAmount: "5.00", termsVersion: 1 } as const;
const rate = (fetchedAt = new Date()): QuoteLock => ({
  quoteId: idOf("quote", uuidv7()),
  fiatCurrency: "USD",
  rateE10: 40_000_000_000n,
  source: "test",
  fetchedAt,
  lockMs: 600_000,
});

function draftFor(
  { merchantId, apiKeyId, settlementAccountId }: Caller,
  issued: IssuedAddress,
  overrides: Partial<AddressedDraft> = {},
): AddressedDraft {
  const expected = amountFromUnits(25_500_000n);
  return {
    ...aChargeRequest(
      { merchantId, apiKeyId },
      { orderRef: "A-1", metadata: { a: "b" }, successUrl: "https://a.example" },
    ),
    kind: "order",
    termsVersion: 1,
    feeMode: "merchant",
    price: { expected, pay: null },
    lock: null,
    settlementAccountId,
    issued,
    addressMac: Buffer.alloc(32),
    checkoutToken: newCheckoutToken(context.checkoutKey),
    ...overrides,
  };
}

/** One of each kind. */
const KINDS: readonly Partial<AddressedDraft>[] = [
  {},
  {
    ...{ kind: "open", price: null, orderRef: null, settlementAccountId: null },
    sealEmail: () => Buffer.from("a sealed address"),
  },
  { kind: "receive", price: null, termsVersion: null, customerRef: "C-1" },
  { ...FIAT, price: { expected: amountFromUnits(20_000_000n), pay: null } },
];

/**
 * The rows that a create wrote, without the fields that differ from create to create. Periods begin with the chain's time, or
 * else with the create, whose transaction begins up to a millisecond later on servers.
 */
async function written(merchantId: MerchantId, chainTime: Date | null) {
  const charges = await context.db.query<Record<string, unknown>>(sql`
    select to_jsonb(charge) - '{merchant_id,id,address,derivation_index,checkout_token,api_key_id,settlement_account_id,
        newest_quote_id,created_at,updated_at,expires_at,late_until,quote_expires_at}'::text[] as row,
      round(extract(epoch from expires_at - coalesce(${chainTime}, created_at))) as lives, late_until - expires_at as late,
      round(extract(epoch from quote_expires_at - created_at)) as quoted,
      settlement_account_id is null as "isWithout"
    from deposit_addresses charge where merchant_id = ${merchantId} order by kind, currency`);
  const quotes = await context.db.query(sql`
    select quote.rate_e4, quote.source, quote.expected_units, quote.pay_units, quote.was_offered,
      round(extract(epoch from quote.expires_at - quote.locked_at)) as locked, quote.chain_time is null as "isWithoutChain"
    from quotes quote join deposit_addresses charge
      on charge.merchant_id = quote.merchant_id and charge.newest_quote_id = quote.id and charge.id = quote.deposit_address_id
    where quote.merchant_id = ${merchantId}`);
  const totals = await context.db.query(sql`
    select facets, sum(rows) as rows from list_counts where merchant_id = ${merchantId} and list = 'deposit_addresses'
    group by facets order by facets`);
  const counts = await context.db.query(sql`
    select active, round(extract(epoch from expires_from - coalesce(${chainTime}, (
      select min(created_at) from deposit_addresses where merchant_id = ${merchantId})))) as expires
    from active_charge_counts where merchant_id = ${merchantId}`);
  return { charges, quotes, totals, counts };
}

async function insertAll(caller: Caller, source: AddressSource): Promise<void> {
  const drafts: AddressedDraft[] = [];
  for (const kind of KINDS) {
    const lock = kind.fiatAmount === undefined ? null : rate();
    drafts.push(draftFor(caller, await source.take(caller.merchantId), { ...kind, lock }));
  }
  const made = await insertCharges(context.db, caller.merchantId, drafts);
  expect(made.map(({ refusal }) => refusal)).toEqual(KINDS.map(() => null));
}

describe("a create on a distributed database", () => {
  it.each([
    ["without the chain's time", null],
    ["with the chain's time", new Date(Date.now() + 90_000)],
  ])("writes what one statement writes on one server, %s", async (_chain, time) => {
    await context.owner.query(sql`delete from scan_cursors`);
    if (time !== null) await setChainTime(context.db, time);
    const plain = await aCaller();
    await insertAll(plain, aSource());
    leaveServers = await standOnServers(context);
    const spread = await aCaller();
    await insertAll(spread, aSource());
    expect(await written(spread.merchantId, time)).toEqual(await written(plain.merchantId, time));
    await context.owner.query(sql`delete from scan_cursors`);
  });

  it("refuses what one server refuses, and writes nothing of it", async () => {
    const refusals = async () => {
      const caller = await aCaller({ activeAddressCap: 2 });
      const { merchantId } = caller;
      const source = aSource();
      const of = async (...overrides: Partial<AddressedDraft>[]) => {
        const drafts: AddressedDraft[] = [];
        for (const override of overrides)
          drafts.push(draftFor(caller, await source.take(merchantId), override));
        return (await insertCharges(context.db, merchantId, drafts)).map(({ refusal }) => refusal);
      };
      const disabled = (await aSettlementAccount(context.db, merchantId)).id;
      await context.owner.query(sql`
        update settlement_accounts set status = 'disabled' where merchant_id = ${merchantId} and id = ${disabled}`);
      const unknown = idOf("settlementAccount", uuidv7());
      const found = [
        ...(await of({ termsVersion: 2 })),
        ...(await of({ settlementAccountId: unknown })),
        ...(await of({ settlementAccountId: disabled })),
        ...(await of({ ...FIAT, lock: rate(new Date(Date.now() - 61_000)) })),
        ...(await of({ kind: "receive", termsVersion: null, price: null })),
        ...(await of({ kind: "receive", termsVersion: null, price: null })),
      ];
      await context.db.transaction((tx) => countRoom(tx, merchantId));
      found.push(...(await of({}, {}, {})), ...(await of({}, {})), ...(await of({})));
      const { rows } = one(
        await context.db.query<{ rows: bigint }>(
          sql`select count(*) as rows from deposit_addresses where merchant_id = ${merchantId}`,
        ),
      );
      return { found, rows };
    };
    const plain = await refusals();
    leaveServers = await standOnServers(context);
    expect(await refusals()).toEqual(plain);
    expect(plain.found).toContain("NO_ROOM");
    expect(plain.found).toContain("ALREADY_EXISTS");
    expect(plain.rows).toBe(3n);
  });

  it("is plain statements about rows of its merchant, and no directory is written", async () => {
    leaveServers = await standOnServers(context);
    const caller = await aCaller();
    const issued = await aSource().take(caller.merchantId);
    const statements: Sql[] = [];
    const spied: Database = {
      ...context.db,
      transaction: (work) =>
        context.db.transaction((tx) =>
          work({
            ...tx,
            query: (statement) => {
              statements.push(statement);
              return tx.query(statement);
            },
          }),
        ),
    };
    await insertCharges(spied, caller.merchantId, [draftFor(caller, issued, { settlementAccountId: null })]);
    const writes = statements.flatMap(({ text }) => /(?:insert into|update) (\w+)/.exec(text)?.[1] ?? []);
    expect(writes).toEqual(["active_charge_counts", "deposit_addresses", "list_counts"]);
    expect(statements).toHaveLength(4);
    expect(statements.filter(({ text }) => /\bwith\b/.test(text))).toEqual([]);
  });

  it("is found by its token and by its address, which no directory leads to", async () => {
    leaveServers = await standOnServers(context);
    const caller = await aCaller();
    const issued = await aSource().take(caller.merchantId);
    expect(await findOwners(context.db, [issued.bytes])).toMatchObject([
      { merchantId: caller.merchantId, chargeId: null },
    ]);
    const draft = draftFor(caller, issued);
    const [made] = await insertCharges(context.db, caller.merchantId, [draft]);
    if (made?.refusal !== null) expect.fail();
    expect(await findOwners(context.db, [issued.bytes])).toMatchObject([
      { merchantId: caller.merchantId, chargeId: made.id },
    ]);
    // Its decoy has the token too.
    await context.owner.query(sql`
      update deposit_addresses set checkout_token = 'other' where merchant_id <> ${caller.merchantId} and id = ${made.id}`);
    expect(await getRefByToken(context.db, draft.checkoutToken)).toEqual({
      merchantId: caller.merchantId,
      id: made.id,
    });
  });
});

describe("a standing address on a distributed database", () => {
  it("that is a merchant's first charge makes its count, and waits with an order for which there is no room", async () => {
    leaveServers = await standOnServers(context);
    const { id: merchantId } = await aMerchant(context.db, { activeAddressCap: 1 });
    const { id: apiKeyId } = await anApiKey(context, merchantId);
    const { id: settlementAccountId } = await aSettlementAccount(context.db, merchantId);
    const caller = { merchantId, apiKeyId, settlementAccountId };
    const source = aSource();
    const insert = async (...kinds: Partial<AddressedDraft>[]) => {
      const drafts: AddressedDraft[] = [];
      for (const kind of kinds) drafts.push(draftFor(caller, await source.take(merchantId), kind));
      return (await insertCharges(context.db, merchantId, drafts)).map(({ refusal }) => refusal);
    };
    const standing = { kind: "receive", termsVersion: null, price: null } as const;
    expect(await insert(standing)).toEqual(["NO_ROOM"]);
    await context.db.transaction((tx) => countRoom(tx, merchantId));
    expect(await insert(standing, {}, {})).toEqual(["NO_ROOM", "NO_ROOM", "NO_ROOM"]);
    expect(await insert(standing, {})).toEqual([null, null]);
  });
});

it.each([
  ["in one statement", false],
  ["on a distributed database", true],
])(
  "%s each draft has its own lifetime, and none expires before the merchant is looked at",
  async (_where, onServers) => {
    if (onServers) leaveServers = await standOnServers(context);
    const caller = await aCaller();
    const source = aSource();
    const lives = [undefined, 120, 604_800];
    const drafts: AddressedDraft[] = [];
    for (const lifetimeSeconds of lives)
      drafts.push(draftFor(caller, await source.take(caller.merchantId), { lifetimeSeconds }));
    const made = await insertCharges(context.db, caller.merchantId, drafts);
    const ends = made.map((row) => (row.refusal === null ? (row.expiresAt?.getTime() ?? 0) : expect.fail()));
    const [usual = 0, short = 0, long = 0] = ends;
    expect([usual - short, long - short]).toEqual([(3_600 - 120) * 1_000, (604_800 - 120) * 1_000]);
    const { due } = one(
      await context.db.query<{ due: Date }>(sql`
      select expires_from as due from active_charge_counts where merchant_id = ${caller.merchantId}`),
    );
    expect(due.getTime()).toBeLessThanOrEqual(short);
  },
);

describe("a reserved address", () => {
  it("of another merchant, reserved while a process starts, is no sign of a lost index", async () => {
    leaveServers = await standOnServers(context);
    const [ours, other] = [await aCaller(), await aCaller()];
    const running = aSource();
    await running.take(ours.merchantId);
    let isFirst = true;
    const starting = aSource(
      queriedBy(async <Row>(statement: Sql) => {
        const reads = statement.text.includes("from address_directory where address = any");
        if (reads && isFirst) {
          isFirst = false;
          await running.take(other.merchantId);
        }
        return context.db.query<Row>(statement);
      }),
    );
    await starting.take(ours.merchantId);
    expect(isFirst).toBe(false);
    expect(await context.owner.query(sql`select from index_gaps`)).toEqual([]);
  });

  it("has one order of one merchant", async () => {
    leaveServers = await standOnServers(context);
    const [ours, other] = [await aCaller(), await aCaller()];
    const issued = await aSource().take(ours.merchantId);
    const insert = (caller: Caller, address = issued) =>
      insertCharges(context.db, caller.merchantId, [draftFor(caller, address)]).catch(
        (error: unknown) => error,
      );
    expect(isAddressTaken(await insert(other))).toBe(true);
    expect(await reserveFor(context.db, other.merchantId, [issued])).toBe(issued.address);
    expect(isAddressTaken(await insert(other))).toBe(true);
    expect(await insert(ours)).toMatchObject([{ refusal: null }]);
    expect(isAddressTaken(await insert(ours))).toBe(true);
    const unknown = { ...issued, bytes: Buffer.alloc(20, 7), index: 2_000_000_000 };
    expect(isAddressTaken(await insert(ours, unknown))).toBe(true);
    const both = await context.db.query(sql`
      select from deposit_addresses
      where account_key_id = ${issued.accountKeyId} and derivation_index = ${issued.index}
        and merchant_id in (${ours.merchantId}, ${other.merchantId})`);
    expect(both).toHaveLength(1);
  });

  it("is tried again while a server takes no write, so that an outage uses up one batch of indexes", async () => {
    leaveServers = await standOnServers(context);
    const { merchantId } = await aCaller();
    const nextIndex = async () =>
      (await context.db.query<{ next: bigint }>(sql`select max(next_index) as next from account_keys`))[0]
        ?.next ?? 0n;
    await aSource().take((await aCaller()).merchantId);
    const before = await nextIndex();
    const source = aSource();
    await context.owner.query(
      sql`alter table address_directory add constraint away check (merchant_id is null) not valid`,
    );
    for (let tries = 0; tries < 5; tries += 1) await expect(source.take(merchantId)).rejects.toThrow();
    await context.owner.query(sql`alter table address_directory drop constraint away`);
    expect(BigInt((await source.take(merchantId)).index)).toBe(before);
    expect((await nextIndex()) - before).toBeLessThanOrEqual(48n);
  });

  it("may be in the directory already, from an earlier call without an answer", async () => {
    leaveServers = await standOnServers(context);
    const { merchantId } = await aCaller();
    let isAnswered = false;
    const source = aSource(
      queriedBy(async <Row>(statement: Sql) => {
        const rows = await context.db.query<Row>(statement);
        if (!isAnswered && statement.text.includes("insert into address_directory"))
          throw new CommitUnknownError("lost");
        return rows;
      }),
    );
    await expect(source.take(merchantId)).rejects.toThrow("did not confirm");
    isAnswered = true;
    await source.take(merchantId);
    expect(await context.owner.query(sql`select from index_gaps`)).toEqual([]);
  });

  it("is one process's alone, also after a crash between reservation and create", async () => {
    leaveServers = await standOnServers(context);
    const caller = await aCaller({ activeAddressCap: 1_000 });
    const crashed = aSource();
    const unused = await crashed.take(caller.merchantId);
    const apis = [aSource(), aSource()].map((addresses) => ({
      ...context,
      ...createChargeMemory(context.db),
      addresses,
      findRate: () => Promise.reject(new Error("no rate")),
    }));
    const orders = Array.from({ length: 120 }, (_, n) => {
      const api = apis[n % 2] ?? expect.fail();
      return createCharge(api, aChargeRequest(caller, { amount: amountFromUnits(5_000_000n) }));
    });
    const addresses = (await Promise.all(orders)).map(({ address }) => address);
    expect(new Set(addresses).size).toBe(120);
    expect(addresses).not.toContain(unused.address);
  });
});
