import { randomBytes } from "node:crypto";
import { ensureAccountKey } from "@daric/addresses/key-store";
import { idOf } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { createTestContext, TEST_XPUB, withSettings } from "@daric/testing/context";
import { accountXpubFromMnemonic, createSeed } from "@daric/tron/seed";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { variableOf } from "../process/config.ts";
import { claimDeployment, faultsOfDeployment, requireSameDeployment } from "./claim-deployment.ts";
import { type SecretName, type Secrets, secretNames } from "./secret-checks.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let others: Required<Secrets>;

beforeEach(async () => {
  context = await createTestContext();
  others = {
    merchants: { keyPepper: "another-pepper-another-pepper-another-pepper" },
    webhooks: { masterKey: Buffer.alloc(32, 0x22) },
    integrity: { key: Buffer.alloc(32, 0x23) },
    addresses: { accountXpub: accountXpubFromMnemonic(createSeed()) },
  };
});
afterEach(() => context.close());

/** Starts a process with changed settings. */
function start(overrides: Secrets = {}): Promise<void> {
  return claimDeployment({ ...withSettings(context, overrides), variableOf });
}

/** Starts a process without these settings, like another role. */
function startWithout(...names: readonly SecretName[]): Promise<void> {
  const { environment, chain, merchants, webhooks, integrity, addresses } = context.config;
  const given: Record<SecretName, Secrets> = {
    "merchants.keyPepper": { merchants },
    "webhooks.masterKey": { webhooks },
    "integrity.key": { integrity },
    "addresses.accountXpub": { addresses },
  };
  const secrets = secretNames.filter((name) => !names.includes(name)).map((name) => given[name]);
  return claimDeployment({
    db: context.db,
    config: Object.assign({ environment, chain }, ...secrets),
    variableOf,
  });
}

function onMainnet(): typeof context {
  const { config, ...rest } = withSettings(context, { chain: { network: "mainnet" } });
  return { ...rest, config: { ...config, environment: "live" } };
}

/** A secret as text. */
function secretOf(room: Secrets[keyof Secrets]): string {
  const { keyPepper, masterKey, key, accountXpub } = { ...room } as Record<
    string,
    string | Buffer | undefined
  >;
  const hex = (masterKey ?? key)?.toString("hex");
  return keyPepper?.toString() ?? hex ?? accountXpub?.toString() ?? expect.fail();
}

async function row() {
  return one(await context.db.query<Record<string, unknown>>(sql`select * from deployment`));
}

async function refusalOf(refused: Promise<void>): Promise<string> {
  return refused.then(
    () => "not refused",
    (error: Error) => error.message,
  );
}

describe("a start", () => {
  it("binds the database to its secrets, and the same secrets start it again", async () => {
    await start();
    const bound = await row();
    for (const name of ["pepper_check", "master_key_check", "integrity_check", "account_xpub_check"]) {
      expect(bound[name]).toHaveLength(32);
    }
    await start();
    expect(await row()).toEqual(bound);
  });

  it.each([
    ["merchants", "DARIC_KEY_PEPPER"],
    ["webhooks", "DARIC_MASTER_KEY"],
    ["integrity", "DARIC_INTEGRITY_KEY"],
    ["addresses", "ACCOUNT_XPUB"],
  ] as const)(
    "with another %s is refused in one line that names %s and shows neither value",
    async (room, name) => {
      await start();
      const bound = await row();
      const refusal = await refusalOf(start({ [room]: others[room] }));
      expect(refusal.split("\n")).toEqual([
        expect.stringMatching(new RegExp(`^${name} is not the one .* Use the old`)),
      ]);
      for (const value of [others, context.config].map((from) => secretOf(from[room]))) {
        expect(refusal).not.toContain(value);
      }
      expect(await row()).toEqual(bound);
      await start();
    },
  );

  it("with several other secrets names them all", async () => {
    await start();
    const lines = (await refusalOf(start(others))).split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(secretNames.map((name) => variableOf(name)));
  });

  it("with another xpub shows both fingerprints and both first addresses", async () => {
    await start();
    await ensureAccountKey(context.db, { id: idOf("accountKey", uuidv7()), xpub: TEST_XPUB });
    const refusal = await refusalOf(start({ addresses: others.addresses }));
    expect(refusal).toMatch(
      /\(fingerprint [0-9a-f]{8}, first address TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH\) but fingerprint [0-9a-f]{8}, first address T\w{33}:/,
    );
    expect(refusal).not.toContain(TEST_XPUB);
  });

  it("without a secret leaves it open, and the first process with it decides", async () => {
    await startWithout("merchants.keyPepper", "addresses.accountXpub");
    expect(await row()).toMatchObject({ pepper_check: null, account_xpub_check: null });
    await start({ merchants: others.merchants });
    await startWithout("merchants.keyPepper");
    expect(await refusalOf(start())).toContain("DARIC_KEY_PEPPER");
  });

  it("that is refused for a secret does not claim the network, and one of another network binds no secret", async () => {
    await requireSameDeployment({ ...context, variableOf }, ["merchants.keyPepper"]);
    expect(await refusalOf(start({ merchants: others.merchants }))).toContain("DARIC_KEY_PEPPER");
    expect(await row()).toMatchObject({ environment: null, network: null, master_key_check: null });

    await startWithout("webhooks.masterKey", "addresses.accountXpub");
    expect(await refusalOf(claimDeployment({ ...onMainnet(), variableOf }))).toContain("TRON_NETWORK");
    expect(await row()).toMatchObject({
      network: "devnet",
      master_key_check: null,
      account_xpub_check: null,
    });
  });

  it("beside others with other secrets: one of them wins, the others are refused", async () => {
    const peppers = Array.from({ length: 8 }, () => randomBytes(32).toString("hex"));
    const refusals = await Promise.all(
      peppers.map((pepper) => refusalOf(start({ merchants: { keyPepper: pepper } }))),
    );
    const winners = peppers.filter((_, index) => refusals[index] === "not refused");
    expect(winners).toHaveLength(1);
    await start({ merchants: { keyPepper: winners[0] ?? "" } });
  });
});

describe("a check", () => {
  it("names every reason that would refuse a start, without waiting and without writing", async () => {
    const faultsSeen = (seen: Parameters<typeof claimDeployment>[0]) =>
      faultsOfDeployment({ ...seen, variableOf });
    expect(await faultsSeen({ ...context, variableOf })).toEqual([]);
    expect(await row()).toMatchObject({ network: null, pepper_check: null });
    await start();
    const { config, ...rest } = withSettings(context, { ...others, chain: { network: "mainnet" } });
    await context.db.transaction(async (tx) => {
      await tx.query(sql`select from deployment for update`);
      const faults = await faultsSeen({ ...rest, config: { ...config, environment: "live" }, variableOf });
      expect(faults).toEqual([
        expect.stringContaining("TRON_NETWORK is mainnet"),
        ...secretNames.map((name) => expect.stringMatching(`^${variableOf(name)} is not the one`)),
      ]);
      expect(await faultsSeen({ ...context, variableOf })).toEqual([]);
    });
  });
});

describe("a command", () => {
  it("is compared by every given secret and binds only those that it uses", async () => {
    await requireSameDeployment({ ...context, variableOf }, ["merchants.keyPepper"]);
    expect(await row()).toMatchObject({ network: null, master_key_check: null, account_xpub_check: null });
    await start();
    const other = withSettings(context, { webhooks: others.webhooks });
    expect(await refusalOf(requireSameDeployment({ ...other, variableOf }, []))).toContain(
      "DARIC_MASTER_KEY",
    );
  });

  it("without secrets does not wait and writes nothing", async () => {
    await start();
    await context.db.transaction(async (tx) => {
      await tx.query(sql`select from deployment for update`);
      await requireSameDeployment({ ...context, variableOf }, []);
    });
  });
});
