import { randomBytes } from "node:crypto";
import { one, sql } from "@daric/postgres/sql";
import { createTestContext, TEST_XPUB } from "@daric/testing/context";
import { accountXpubFromMnemonic, createSeed } from "@daric/tron/seed";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fillAddressPool } from "../charges/fill-address-pool.ts";
import type { Config } from "../config.ts";
import { claimDeployment, requireSameDeployment } from "./claim-deployment.ts";
import type { SecretName } from "./secret-checks.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let others: Pick<Config, SecretName>;

beforeEach(async () => {
  context = await createTestContext({ ADDRESS_POOL_SIZE: "10" });
  others = {
    DARIC_KEY_PEPPER: "another-pepper-another-pepper-another-pepper",
    DARIC_MASTER_KEY: Buffer.alloc(32, 0x22),
    ACCOUNT_XPUB: accountXpubFromMnemonic(createSeed()),
  };
});
afterEach(() => context.close());

/** A process that starts with these settings instead of the usual ones. */
function start(overrides: Partial<Config> = {}): Promise<void> {
  return claimDeployment({ db: context.db, config: { ...context.config, ...overrides } });
}

/** A process that was not given these settings at all, as one of another role. */
function startWithout(...names: readonly SecretName[]): Promise<void> {
  const given = Object.entries(context.config).filter(([name]) => !names.includes(name as SecretName));
  return claimDeployment({ db: context.db, config: Object.fromEntries(given) as Config });
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
    for (const name of ["pepper_check", "master_key_check", "account_xpub_check"]) {
      expect(bound[name]).toHaveLength(32);
    }
    await start();
    expect(await row()).toEqual(bound);
  });

  it.each(["DARIC_KEY_PEPPER", "DARIC_MASTER_KEY", "ACCOUNT_XPUB"] as const)(
    "with another %s is refused in one line that names it and shows neither value",
    async (name) => {
      await start();
      const bound = await row();
      const refusal = await refusalOf(start({ [name]: others[name] }));
      expect(refusal.split("\n")).toEqual([
        expect.stringMatching(new RegExp(`^${name} is not the one .* Use the old`)),
      ]);
      for (const value of [others[name], context.config[name]]) {
        expect(refusal).not.toContain(Buffer.isBuffer(value) ? value.toString("hex") : value);
      }
      expect(await row()).toEqual(bound);
      await start();
    },
  );

  it("with several other secrets names them all", async () => {
    await start();
    const lines = (await refusalOf(start(others))).split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(Object.keys(others));
  });

  it("with another xpub says both fingerprints and both first addresses", async () => {
    await start();
    await fillAddressPool(context);
    const refusal = await refusalOf(start({ ACCOUNT_XPUB: others.ACCOUNT_XPUB }));
    expect(refusal).toMatch(
      /\(fingerprint [0-9a-f]{8}, first address TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH\) but fingerprint [0-9a-f]{8}, first address T\w{33}:/,
    );
    expect(refusal).not.toContain(TEST_XPUB);
  });

  it("without a secret leaves it open, and whoever comes with it first decides", async () => {
    await startWithout("DARIC_KEY_PEPPER", "ACCOUNT_XPUB");
    expect(await row()).toMatchObject({ pepper_check: null, account_xpub_check: null });
    await start({ DARIC_KEY_PEPPER: others.DARIC_KEY_PEPPER });
    await startWithout("DARIC_KEY_PEPPER");
    expect(await refusalOf(start())).toContain("DARIC_KEY_PEPPER");
  });

  it("that is refused for a secret does not claim the network, and one of another network binds no secret", async () => {
    await requireSameDeployment(context, ["DARIC_KEY_PEPPER"]);
    expect(await refusalOf(start({ DARIC_KEY_PEPPER: others.DARIC_KEY_PEPPER }))).toContain(
      "DARIC_KEY_PEPPER",
    );
    expect(await row()).toMatchObject({ environment: null, network: null, master_key_check: null });

    await startWithout("DARIC_MASTER_KEY", "ACCOUNT_XPUB");
    expect(await refusalOf(start({ environment: "live", TRON_NETWORK: "mainnet" }))).toContain(
      "TRON_NETWORK",
    );
    expect(await row()).toMatchObject({
      network: "devnet",
      master_key_check: null,
      account_xpub_check: null,
    });
  });

  it("at the same time as others with other secrets: one of them wins, the others are refused", async () => {
    const peppers = Array.from({ length: 8 }, () => randomBytes(32).toString("hex"));
    const refusals = await Promise.all(
      peppers.map((pepper) => refusalOf(start({ DARIC_KEY_PEPPER: pepper }))),
    );
    const winners = peppers.filter((_, place) => refusals[place] === "not refused");
    expect(winners).toHaveLength(1);
    await start({ DARIC_KEY_PEPPER: winners[0] ?? "" });
  });
});

describe("a command", () => {
  it("is compared by every secret it was given and binds those alone that it uses", async () => {
    await requireSameDeployment(context, ["DARIC_KEY_PEPPER"]);
    expect(await row()).toMatchObject({ network: null, master_key_check: null, account_xpub_check: null });
    await start();
    const other = { ...context, config: { ...context.config, DARIC_MASTER_KEY: others.DARIC_MASTER_KEY } };
    expect(await refusalOf(requireSameDeployment(other, []))).toContain("DARIC_MASTER_KEY");
  });
});
