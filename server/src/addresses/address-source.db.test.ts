import { CommitUnknownError, DatabaseUnavailableError, HeldUpError } from "@daric/postgres/errors";
import { one, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../domain/errors.ts";
import { hashOfAddress } from "./address-hash.ts";
import { type AddressSource, createAddressSource } from "./address-source.ts";
import { findOwners, isAddressTaken, issuedInDirectory } from "./directory-store.ts";
import { issueAddress } from "./issue-address.ts";
import type { IssuedAddress } from "./issued-address.ts";

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

/** What one process has. */
function aSource(): AddressSource {
  const source = createAddressSource(context);
  sources.push(source);
  return source;
}

async function nextIndex() {
  return one(await context.db.query<{ next: bigint }>(sql`select next_index as next from account_keys`)).next;
}

async function take(source: AddressSource, count: number): Promise<IssuedAddress[]> {
  return Promise.all(Array.from({ length: count }, () => source.take()));
}

async function store({ hash, accountKeyId, index }: IssuedAddress): Promise<void> {
  await context.db.query(
    issuedInDirectory(
      sql`select ${hash}::bytea, ${uuidv7()}::uuid, ${uuidv7()}::uuid, ${accountKeyId}::uuid, ${index}::bigint`,
    ),
  );
}

/** Stores it, unless that waits for a lock. */
async function quick({ hash, accountKeyId, index }: IssuedAddress): Promise<void> {
  await context.db.transaction(async (tx) => {
    await tx.query(sql`set local lock_timeout = '50ms'`);
    await tx.query(sql`
      insert into address_directory (address, account_key_id, derivation_index)
      values (${hash}, ${accountKeyId}, ${index})`);
  });
}

describe("addresses that are taken", () => {
  it("are those of the account key, each with its 20 bytes, in the order of their indexes", async () => {
    const account = parseAccountXpub(context.config.addresses.accountXpub);
    const taken = await take(aSource(), 30);
    expect(taken.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    for (const { index, address, hash } of taken) {
      expect(address).toBe(deriveReceiveAddress(account, index));
      expect(hash).toEqual(hashOfAddress(address));
    }
  });

  it("by several processes at once are all different", async () => {
    const taken = await Promise.all(Array.from({ length: 4 }, () => take(aSource(), 300)));
    expect(new Set(taken.flat().map(({ address }) => address)).size).toBe(1_200);
  });

  it("leave a gap of 250 at most when the process is killed, and the lost indexes are never taken again", async () => {
    const [first] = await take(aSource(), 1);
    const [second] = await take(aSource(), 1);
    expect((second?.index ?? 0) - (first?.index ?? 0)).toBe(250);
  });

  it("are taken from the database before the last one is used, and no more than that", async () => {
    const source = aSource();
    await take(source, 100);
    expect(await nextIndex()).toBe(250n);
    await take(source, 50);
    await expect.poll(nextIndex).toBe(500n);
    await take(source, 100);
    expect(await nextIndex()).toBe(500n);
  });

  it("are free again once they were given back, once", async () => {
    const source = aSource();
    const [first, second] = await take(source, 2);
    source.giveBack(first ?? expect.fail());
    source.giveBack(first ?? expect.fail());
    expect((await take(source, 2)).map(({ index }) => index)).toEqual([0, 2]);
    expect(second?.index).toBe(1);
  });

  it("stay with who took them next when they are given back twice", async () => {
    const source = aSource();
    const [first] = await take(source, 1);
    source.giveBack(first ?? expect.fail());
    expect((await source.take()).index).toBe(0);
    source.giveBack(first ?? expect.fail());
    expect((await source.take()).index).toBe(1);
  });

  it("are nobody's any more once what is ready is forgotten", async () => {
    const source = aSource();
    const [first] = await take(source, 1);
    source.forgetReady();
    source.giveBack(first ?? expect.fail());
    expect((await source.take()).index).toBe(250);
  });

  it("are not taken and nothing is started before somebody asks, or says that it will be asked", async () => {
    const source = aSource();
    expect(await context.db.query(sql`select from account_keys`)).toEqual([]);
    source.prepare();
    await expect.poll(async () => (await context.db.query(sql`select from account_keys`)).length).toBe(1);
  });
});

describe("whoever waits for an address", () => {
  it("is refused with what the database says when it is away", async () => {
    const failing = { ...context.db, query: () => Promise.reject(new Error("away")) };
    const source = createAddressSource({ ...context, db: failing });
    await expect(source.take()).rejects.toThrow("away");
    await source.stop();
  });

  it("is refused for a while when the process stops", async () => {
    const source = aSource();
    const refusal = source.take().catch((error: unknown) => error);
    await source.stop();
    expect(await refusal).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 5 });
    await expect(source.take()).rejects.toThrow(ApiError);
  });
});

describe("the directory", () => {
  it("says whom an address belongs to, and nothing of one that it does not have", async () => {
    const [known, unknown] = await take(aSource(), 2);
    if (!known || !unknown) expect.fail();
    await store(known);
    const owners = await findOwners(context.db, [known.hash, unknown.hash]);
    expect(owners).toEqual([
      { hash: known.hash, merchantId: expect.any(String), chargeId: expect.any(String) },
    ]);
  });

  it("has an address once", async () => {
    const [address] = await take(aSource(), 1);
    await store(address ?? expect.fail());
    const again = await store(address ?? expect.fail()).catch((error: unknown) => error);
    expect(isAddressTaken(again)).toBe(true);
  });
});

describe("a create", () => {
  it("that fails and wrote nothing leaves its address free", async () => {
    const source = aSource();
    const failing = issueAddress(source, () => Promise.reject(new ApiError("NOT_FOUND")));
    await expect(failing).rejects.toThrow(ApiError);
    expect((await source.take()).index).toBe(0);
  });

  it("that may have been written leaves a gap", async () => {
    const source = aSource();
    const lost = Object.assign(new Error("connection lost"), { code: "ECONNRESET" });
    const unknown = new CommitUnknownError(lost);
    await expect(issueAddress(source, () => Promise.reject(unknown))).rejects.toThrow("connection lost");
    expect((await source.take()).index).toBe(1);
  });

  it("whose statement was sent and lost leaves a gap, since that may have been written", async () => {
    const source = aSource();
    const losing = issueAddress(source, ({ hash }) =>
      context.db.query(sql`
        insert into address_directory (address, account_key_id, derivation_index)
        select ${hash}, gen_random_uuid(), 0 from pg_terminate_backend(pg_backend_pid())`),
    );
    await expect(losing).rejects.toThrow(CommitUnknownError);
    expect((await source.take()).index).toBe(1);
  });

  it("that the database was away for, or that waited too long for a lock, uses up no index", async () => {
    const source = aSource();
    const away = new DatabaseUnavailableError(new Error("connect ECONNREFUSED"));
    for (let orders = 0; orders < 3; orders += 1)
      await expect(issueAddress(source, () => Promise.reject(away))).rejects.toBe(away);
    const blocked = context.owner.transaction(async (tx) => {
      await tx.query(sql`lock table address_directory`);
      await expect(issueAddress(source, (issued) => quick(issued))).rejects.toThrow(HeldUpError);
    });
    await blocked;
    expect((await source.take()).index).toBe(0);
  });

  it("whose address somebody else has stored meanwhile gets another one", async () => {
    const source = aSource();
    const [first] = await take(source, 1);
    source.giveBack(first ?? expect.fail());
    await store(first ?? expect.fail());
    const stored = await issueAddress(source, async (issued) => {
      await store(issued);
      return issued;
    });
    expect(stored.index).toBe(250);
  });
});
