import { one, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../domain/ids.ts";
import { ensureAccountKey, takeIndexes } from "./address-store.ts";
import type { IssuingContext } from "./context.ts";
import { fillAddressPool } from "./fill-address-pool.ts";
import { ForeignAddressError, issueAddress } from "./issue-address.ts";
import { createReceiveAddresses } from "./receive-addresses.ts";
import { startAddressPoolWorker } from "./worker.ts";

const POOL_SIZE = 60;
let context: Awaited<ReturnType<typeof createTestContext>> & IssuingContext;

beforeEach(async () => {
  const made = await createTestContext({ ADDRESS_POOL_SIZE: String(POOL_SIZE) });
  context = { ...made, addresses: createReceiveAddresses(made.config) };
});
afterEach(() => context.close());

async function pool() {
  return context.db.query<{ index: bigint; address: string }>(sql`
    select derivation_index as index, address from pooled_addresses order by derivation_index`);
}

async function nextIndex() {
  return one(await context.db.query<{ next: bigint }>(sql`select next_index as next from account_keys`)).next;
}

function issue() {
  return context.db.transaction((tx) => issueAddress(context, tx));
}

/** A process of its own: it has derived nothing yet. */
function restarted() {
  return { ...context, addresses: createReceiveAddresses(context.config) };
}

describe("filling the pool", () => {
  it("derives up to the size of the pool and then has nothing to do", async () => {
    expect(await fillAddressPool(context)).toBe(POOL_SIZE);
    expect(await fillAddressPool(context)).toBe(0);
    const account = parseAccountXpub(context.config.charges.accountXpub);
    const expected = Array.from({ length: POOL_SIZE }, (_, index) => ({
      index: BigInt(index),
      address: deriveReceiveAddress(account, index),
    }));
    expect(await pool()).toEqual(expected);
  });

  it("by several processes at once takes no index twice", async () => {
    await Promise.all(Array.from({ length: 4 }, () => fillAddressPool(restarted())));
    const indexes = (await pool()).map(({ index }) => index);
    expect(new Set(indexes).size).toBe(indexes.length);
    expect(indexes.length).toBeGreaterThanOrEqual(POOL_SIZE);
  });

  it("after a crash leaves a gap and never takes the lost indexes again", async () => {
    const accountKeyId = await ensureAccountKey(context.db, {
      id: idOf("accountKey", "0193a1b2-0000-7000-8000-000000000001"),
      xpub: context.config.charges.accountXpub,
    });
    expect(await takeIndexes(context.db, accountKeyId, 25)).toBe(0);
    await fillAddressPool(restarted());
    expect((await pool())[0]?.index).toBe(25n);
    expect(await nextIndex()).toBe(25n + BigInt(POOL_SIZE));
  });

  it("goes on where the last process stopped", async () => {
    await fillAddressPool(context);
    for (let n = 0; n < 10; n++) await issue();
    expect(await fillAddressPool(restarted())).toBe(10);
    expect((await pool()).map(({ index }) => Number(index))).toEqual(
      Array.from({ length: POOL_SIZE }, (_, place) => place + 10),
    );
  });
});

describe("issuing", () => {
  it("takes the lowest index and gives it back when the transaction fails", async () => {
    await fillAddressPool(context);
    const failing = context.db.transaction(async (tx) => {
      expect((await issueAddress(context, tx)).index).toBe(0);
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    expect((await issue()).index).toBe(0);
    expect((await issue()).index).toBe(1);
  });

  it("takes the next index where the pool is empty", async () => {
    const issued = await Promise.all(Array.from({ length: 12 }, issue));
    expect(issued.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, n) => n),
    );
    expect(await nextIndex()).toBe(12n);
  });

  it("of parallel transactions neither waits for nor repeats another's address", async () => {
    await fillAddressPool(context);
    const issued = await Promise.all(Array.from({ length: POOL_SIZE }, issue));
    expect(new Set(issued.map(({ address }) => address)).size).toBe(POOL_SIZE);
    expect(await pool()).toEqual([]);
  });

  it.each(["filled by this process", "filled by another process"])(
    "refuses an address that was changed in the pool %s",
    async (filledBy) => {
      await fillAddressPool(filledBy.includes("another") ? restarted() : context);
      await context.db.query(sql`
        update pooled_addresses set address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' where derivation_index = 0`);
      await expect(issue()).rejects.toThrow(ForeignAddressError);
    },
  );
});

it("the worker fills the pool and refills it after a burst", async () => {
  const worker = startAddressPoolWorker(context);
  try {
    await expect.poll(async () => (await pool()).length, { timeout: 5_000 }).toBe(POOL_SIZE);
    await Promise.all(Array.from({ length: POOL_SIZE }, issue));
    worker.hurry();
    await expect.poll(async () => (await pool()).length, { timeout: 5_000 }).toBe(POOL_SIZE);
  } finally {
    await worker.stop();
  }
});
