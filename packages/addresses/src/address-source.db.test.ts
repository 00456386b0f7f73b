import { ApiError } from "@daric/domain/errors";
import { idOf } from "@daric/domain/ids";
import { CommitUnknownError, DatabaseUnavailableError, HeldUpError } from "@daric/postgres/errors";
import { one, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addressBytes } from "./address-bytes.ts";
import { type AddressSource, createAddressSource } from "./address-source.ts";
import { findOwners, isAddressTaken, issuedInDirectory } from "./directory-store.ts";
import { issueAddress } from "./issue-address.ts";
import type { IssuedAddress } from "./issued-address.ts";

const MERCHANT = idOf("merchant", uuidv7());

let context: Awaited<ReturnType<typeof createTestContext>>;
let sources: AddressSource[];

beforeEach(async () => {
  context = await createTestContext();
  sources = [];
});
afterEach(async () => {
  await Promise.all(sources.map((source) => source.stop()));
  await context.close();
});

/** A source of addresses, as one process has it. */
function aSource(): AddressSource {
  const source = createAddressSource(context);
  sources.push(source);
  return source;
}

async function nextIndex() {
  return one(await context.db.query<{ next: bigint }>(sql`select next_index as next from account_keys`)).next;
}

async function take(source: AddressSource, count: number): Promise<IssuedAddress[]> {
  return Promise.all(Array.from({ length: count }, () => source.take(MERCHANT)));
}

async function store({ bytes, accountKeyId, index }: IssuedAddress): Promise<void> {
  await context.db.query(
    issuedInDirectory(
      sql`select ${bytes}::bytea, ${uuidv7()}::uuid, ${uuidv7()}::uuid, ${accountKeyId}::uuid, ${index}::bigint`,
    ),
  );
}

/** Enters the address in the directory, or fails if that waits for a lock. */
async function quick({ bytes, accountKeyId, index }: IssuedAddress): Promise<void> {
  await context.db.transaction(async (tx) => {
    await tx.query(sql`set local lock_timeout = '50ms'`);
    await tx.query(sql`
      insert into address_directory (address, account_key_id, derivation_index)
      values (${bytes}, ${accountKeyId}, ${index})`);
  });
}

describe("an address source", () => {
  it("gives the account key's addresses with their 20 bytes, in the order of their indexes", async () => {
    const account = parseAccountXpub(context.config.addresses.accountXpub);
    const taken = await take(aSource(), 30);
    expect(taken.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    for (const { index, address, bytes } of taken) {
      expect(address).toBe(deriveReceiveAddress(account, index));
      expect(bytes).toEqual(addressBytes(address));
    }
  });

  it("gives different addresses in several processes at once", async () => {
    const taken = await Promise.all(Array.from({ length: 4 }, () => take(aSource(), 300)));
    expect(new Set(taken.flat().map(({ address }) => address)).size).toBe(1_200);
  });

  it("loses at most 250 indexes when its process is killed, and never reserves them again", async () => {
    const [first] = await take(aSource(), 1);
    const [second] = await take(aSource(), 1);
    expect((second?.index ?? 0) - (first?.index ?? 0)).toBe(250);
  });

  it("reserves more before the last address is used, and not earlier", async () => {
    const source = aSource();
    await take(source, 100);
    expect(await nextIndex()).toBe(250n);
    await take(source, 50);
    await expect.poll(nextIndex).toBe(500n);
    await take(source, 100);
    expect(await nextIndex()).toBe(500n);
  });

  it("takes an address back once", async () => {
    const source = aSource();
    const [first, second] = await take(source, 2);
    source.giveBack(first ?? expect.fail());
    source.giveBack(first ?? expect.fail());
    expect((await take(source, 2)).map(({ index }) => index)).toEqual([0, 2]);
    expect(second?.index).toBe(1);
  });

  it("ignores a second return of an address that another caller has by then", async () => {
    const source = aSource();
    const [first] = await take(source, 1);
    source.giveBack(first ?? expect.fail());
    expect((await source.take(MERCHANT)).index).toBe(0);
    source.giveBack(first ?? expect.fail());
    expect((await source.take(MERCHANT)).index).toBe(1);
  });

  it("ignores the return of an address from before `forgetReady`", async () => {
    const source = aSource();
    const [first] = await take(source, 1);
    source.forgetReady(MERCHANT);
    source.giveBack(first ?? expect.fail());
    expect((await source.take(MERCHANT)).index).toBe(250);
  });

  it("reserves and starts nothing before the first call", async () => {
    const source = aSource();
    expect(await context.db.query(sql`select from account_keys`)).toEqual([]);
    source.prepare();
    await expect.poll(async () => (await context.db.query(sql`select from account_keys`)).length).toBe(1);
  });
});

describe("a caller that waits for an address", () => {
  it("gets the database's error while it is away", async () => {
    const failing = { ...context.db, query: () => Promise.reject(new Error("away")) };
    const source = createAddressSource({ ...context, db: failing });
    await expect(source.take(MERCHANT)).rejects.toThrow("away");
    await source.stop();
  });

  it("gets SERVICE_UNAVAILABLE when the process stops", async () => {
    const source = aSource();
    const refusal = source.take(MERCHANT).catch((error: unknown) => error);
    await source.stop();
    expect(await refusal).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 5 });
    await expect(source.take(MERCHANT)).rejects.toThrow(ApiError);
  });
});

describe("the directory", () => {
  it("knows the owner of its addresses, and no other address", async () => {
    const [known, unknown] = await take(aSource(), 2);
    if (!known || !unknown) expect.fail();
    await store(known);
    const owners = await findOwners(context.db, [known.bytes, unknown.bytes]);
    expect(owners).toMatchObject([
      { bytes: known.bytes, merchantId: expect.any(String), chargeId: expect.any(String) },
    ]);
  });

  it("holds an address once", async () => {
    const [address] = await take(aSource(), 1);
    await store(address ?? expect.fail());
    const again = await store(address ?? expect.fail()).catch((error: unknown) => error);
    expect(isAddressTaken(again)).toBe(true);
  });
});

describe("a create", () => {
  it("that fails without a write leaves its address free", async () => {
    const source = aSource();
    const failing = issueAddress(source, MERCHANT, () => Promise.reject(new ApiError("NOT_FOUND")));
    await expect(failing).rejects.toThrow(ApiError);
    expect((await source.take(MERCHANT)).index).toBe(0);
  });

  it("with an unknown result leaves a gap", async () => {
    const source = aSource();
    const lost = Object.assign(new Error("connection lost"), { code: "ECONNRESET" });
    const unknown = new CommitUnknownError(lost);
    await expect(issueAddress(source, MERCHANT, () => Promise.reject(unknown))).rejects.toThrow(
      "connection lost",
    );
    expect((await source.take(MERCHANT)).index).toBe(1);
  });

  it("whose connection is lost after its statement leaves a gap, because it may be written", async () => {
    const source = aSource();
    const losing = issueAddress(source, MERCHANT, ({ bytes }) =>
      context.db.query(sql`
        insert into address_directory (address, account_key_id, derivation_index)
        select ${bytes}, gen_random_uuid(), 0 from pg_terminate_backend(pg_backend_pid())`),
    );
    await expect(losing).rejects.toThrow(CommitUnknownError);
    expect((await source.take(MERCHANT)).index).toBe(1);
  });

  it("that fails for an absent database or a lock uses up no index", async () => {
    const source = aSource();
    const away = new DatabaseUnavailableError(new Error("connect ECONNREFUSED"));
    for (let orders = 0; orders < 3; orders += 1)
      await expect(issueAddress(source, MERCHANT, () => Promise.reject(away))).rejects.toBe(away);
    const blocked = context.owner.transaction(async (tx) => {
      await tx.query(sql`lock table address_directory`);
      await expect(issueAddress(source, MERCHANT, (issued) => quick(issued))).rejects.toThrow(HeldUpError);
    });
    await blocked;
    expect((await source.take(MERCHANT)).index).toBe(0);
  });

  it("whose address is already in the directory gets another one", async () => {
    const source = aSource();
    const [first] = await take(source, 1);
    source.giveBack(first ?? expect.fail());
    await store(first ?? expect.fail());
    const stored = await issueAddress(source, MERCHANT, async (issued) => {
      await store(issued);
      return issued;
    });
    expect(stored.index).toBe(250);
  });
});
