import { createAddressSource } from "@daric/addresses/address-source";
import type { MerchantId } from "@daric/domain/ids";
import { amountIn } from "@daric/domain/money";
import { priceForClient } from "@daric/domain/order";
import type { MerchantTerms } from "@daric/merchants/merchant-terms";
import { updateMerchantTerms } from "@daric/merchants/store";
import { openDatabase } from "@daric/postgres/database";
import { type Database, one, sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aChargeRequest } from "@daric/testing/charge-request";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { ownersDatabase } from "@daric/testing/owners-database";
import { noRates } from "@daric/testing/rate-builders";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";
import { archiveCharge } from "../close/archive-charge.ts";
import type { ChargeRequest } from "./charge-request.ts";
import { createCharge } from "./create-charge.ts";
import { createChargeMemory, type IssuingContext } from "./write-charge.ts";

type Process = TestContext & IssuingContext;
type Caller = Pick<ChargeRequest, "merchantId" | "apiKeyId">;

let context: Awaited<ReturnType<typeof createTestContext>>;
let first: Process;
let second: Process;

beforeAll(async () => {
  context = await createTestContext();
  first = aProcess();
  second = aProcess();
});
afterAll(async () => {
  for (const { addresses, db } of [first, second]) {
    await addresses.stop();
    await db.close();
  }
  await context.close();
});

/** With connections, addresses and a cache of its own. */
function aProcess(): Process {
  const db = openDatabase({ url: context.config.runtime.databaseUrl, onError: () => undefined });
  const own = { ...context, db };
  return { ...own, addresses: createAddressSource(own), ...createChargeMemory(db), findRate: noRates };
}

/** The same with a shorter time limit; counts the returned addresses. */
function aProcessWithTimeout(answerMs: number) {
  let givenBack = 0;
  const { addresses } = first;
  const giveBack: typeof addresses.giveBack = (issued) => {
    givenBack += 1;
    addresses.giveBack(issued);
  };
  const process = {
    ...first,
    addresses: { ...addresses, giveBack },
    ...createChargeMemory(first.db, answerMs),
  };
  return { process, givenBack: () => givenBack };
}

async function aCaller(terms: Partial<MerchantTerms> = {}): Promise<Caller> {
  const { id: merchantId } = await aMerchant(context.db, terms);
  const { id: apiKeyId } = await anApiKey(context, merchantId);
  return { merchantId, apiKeyId };
}

function create(process: Process, caller: Caller, overrides: Partial<ChargeRequest> = {}) {
  return createCharge(process, aChargeRequest(caller, overrides));
}

function storm(count: number, caller: Caller) {
  const processes = [first, second];
  return Promise.allSettled(
    Array.from({ length: count }, (_, n) => create(processes[n % 2] ?? first, caller)),
  );
}

/** The rows that a merchant's charges lack in other tables. Everything is 0 if all is well. */
async function missing(db: Database, merchantId: MerchantId) {
  return one(
    await db.query<Record<string, number>>(sql`
      with charge as (select * from deposit_addresses where merchant_id = ${merchantId})
      select
        (select count(*) from charge) - (select coalesce(sum(rows), 0) from list_counts
          where merchant_id = ${merchantId} and list = 'deposit_addresses') as "counted",
        (select count(*) from charge where status = 'ACTIVE') - (select coalesce(sum(rows), 0) from list_counts
          where merchant_id = ${merchantId} and list = 'deposit_addresses' and facets[2] = 'ACTIVE') as "countedActive",
        (select count(*) from charge left join token_directory directory
          on directory.charge_id = charge.id and directory.merchant_id = ${merchantId}
            and directory.token = decode(translate(charge.checkout_token, '-_', '+/'), 'base64')
          where directory.token is null) as "tokens",
        (select count(*) from charge left join address_directory directory
          on directory.charge_id = charge.id and directory.merchant_id = ${merchantId}
          where directory.derivation_index is distinct from charge.derivation_index) as "addresses",
        (select count(*) - count(distinct address) from deposit_addresses
          where merchant_id = ${merchantId}) as "twice",
        (select count(*) from active_charge_counts load where merchant_id = ${merchantId}
          and (active < (select count(*) from charge where status = 'ACTIVE' and expires_at > now())
            or expires_from > (select min(expires_at) from charge where status = 'ACTIVE'))) as "load"`),
  );
}
const NOTHING = {
  counted: "0",
  countedActive: "0",
  tokens: 0n,
  addresses: 0n,
  twice: 0n,
  load: 0n,
};

async function rowsOf(merchantId: MerchantId) {
  return context.db.query<{ id: string; fee: number; units: bigint; pay: bigint | null }>(sql`
    select id, fee_basis_points as fee, expected_units as units, pay_units as pay
    from deposit_addresses where merchant_id = ${merchantId}`);
}

it("two processes that create at the same time meet the cap exactly", async () => {
  const caller = await aCaller({ activeAddressCap: 60 });
  const before = await storm(40, caller);
  expect(before.every(({ status }) => status === "fulfilled")).toBe(true);
  const results = await storm(200, caller);
  const refused = results.filter((result) => result.status === "rejected");
  expect(results.length - refused.length).toBe(20);
  expect([...new Set(refused.map(({ reason }) => reason.code))]).toEqual(["MAX_ACTIVE_ADDRESSES"]);
  expect(await rowsOf(caller.merchantId)).toHaveLength(60);
  expect(await missing(context.db, caller.merchantId)).toEqual(NOTHING);
});

it("the next create finds new room under the cap, in every process", async () => {
  const caller = await aCaller({ activeAddressCap: 5 });
  const made = await storm(5, caller);
  await expect(create(first, caller)).rejects.toMatchObject({ code: "MAX_ACTIVE_ADDRESSES" });
  for (const result of made.slice(0, 2)) {
    if (result.status === "rejected") throw result.reason;
    await archiveCharge(context, { merchantId: caller.merchantId, id: result.value.id });
  }
  const results = await storm(20, caller);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
});

it("after an answered change of terms no charge uses the old ones, and each price is of its row's terms", async () => {
  const caller = await aCaller({ feeMode: "client", feeBasisPoints: 50 });
  const late: string[] = [];
  let isChanged = false;
  let isOver = false;
  const creating = Array.from({ length: 16 }, async (_, n) => {
    while (!isOver) {
      const begunLate = isChanged;
      const { id } = await create(n % 2 === 0 ? first : second, caller);
      if (begunLate) late.push(id);
    }
  });
  for (const [change, basisPoints] of [100, 150, 200].entries()) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await updateMerchantTerms(ownersDatabase(context.db), caller.merchantId, { feeBasisPoints: basisPoints });
    isChanged = change === 2;
  }
  await expect.poll(() => late.length, { timeout: 10_000 }).toBeGreaterThan(0);
  isOver = true;
  await Promise.all(creating);
  const rows = await rowsOf(caller.merchantId);
  const feesOfLate = new Set(rows.filter(({ id }) => late.includes(id)).map(({ fee }) => fee));
  expect([...feesOfLate]).toEqual([200]);
  for (const { units, pay, fee } of rows) {
    expect(pay).toBe(
      priceForClient(amountIn("USDT", units), { basisPoints: fee, fixed: amountIn("USDT", 0n) }),
    );
  }
});

it("a row that the database refuses fails no other of its batch", async () => {
  const caller = await aCaller();
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) =>
      create(first, caller, { orderRef: n === 17 ? "x".repeat(121) : `${n}` }),
    ),
  );
  expect(results.map(({ status }) => status === "rejected")).toEqual(
    Array.from({ length: 30 }, (_, n) => n === 17),
  );
  expect(await missing(context.db, caller.merchantId)).toEqual(NOTHING);
});

it("killed connections lose no answered charge, and leave nothing half done", async () => {
  const caller = await aCaller();
  const answered: string[] = [];
  let isOver = false;
  const creating = Array.from({ length: 24 }, async (_, n) => {
    while (!isOver) {
      await create(n % 2 === 0 ? first : second, caller).then(
        ({ id }) => answered.push(id),
        () => new Promise((resolve) => setTimeout(resolve, 5)),
      );
    }
  });
  for (let kill = 0; kill < 5; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    await context.db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        and query like '%active_charge_counts%'`);
  }
  isOver = true;
  await Promise.all(creating);
  // A killed connection may still be in a pool.
  await until("the rows are read", async () => (await rowsOf(caller.merchantId)).length > 0);
  const ids = new Set((await rowsOf(caller.merchantId)).map(({ id }) => id));
  expect(answered.length).toBeGreaterThan(0);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  expect(await missing(context.db, caller.merchantId)).toEqual(NOTHING);
  await until("one is created", async () => (await create(first, caller)).status === "ACTIVE");
});

it("a merchant with blocked creates delays no other", async () => {
  const [held, other] = [await aCaller(), await aCaller()];
  await create(first, held);
  let waiting: Promise<unknown> | undefined;
  await context.db.transaction(async (tx) => {
    await tx.query(sql`select from active_charge_counts where merchant_id = ${held.merchantId} for update`);
    waiting = Promise.all(Array.from({ length: 20 }, () => create(first, held)));
    const made = await Promise.all(Array.from({ length: 20 }, () => create(first, other)));
    expect(made).toHaveLength(20);
  });
  await waiting;
  expect(await rowsOf(held.merchantId)).toHaveLength(21);
});

/** The number of statements that wait for a locked row. */
async function countWaiting(): Promise<number> {
  const waiting = await context.owner.query(sql`
    select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`);
  return waiting.length;
}

it("no create waits longer than the time limit, and an unwritten one returns its address", async () => {
  const ANSWER_MS = 1_700;
  const { process, givenBack } = aProcessWithTimeout(ANSWER_MS);
  const caller = await aCaller();
  await create(process, caller);
  const times: number[] = [];
  let results: PromiseSettledResult<unknown>[] = [];
  await context.db.transaction(async (tx) => {
    await tx.query(sql`select from active_charge_counts where merchant_id = ${caller.merchantId} for update`);
    const timed = () => {
      const startedAt = performance.now();
      return create(process, caller).finally(() => times.push(performance.now() - startedAt));
    };
    const first = timed();
    first.catch(() => {});
    await expect.poll(countWaiting).toBe(1);
    results = await Promise.allSettled([first, ...Array.from({ length: 59 }, timed)]);
  });
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refusals).toHaveLength(60);
  expect(Math.max(...times)).toBeLessThan((ANSWER_MS * 10) / 9);
  const certain = refusals.filter(({ code }) => code === "SERVICE_UNAVAILABLE");
  expect(certain.map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual(certain.map(() => 1));
  expect([certain.length, givenBack()]).toEqual([59, 59]);
  await expect.poll(async () => (await create(process, caller)).status).toBe("ACTIVE");
  expect(await missing(context.db, caller.merchantId)).toEqual(NOTHING);
});
