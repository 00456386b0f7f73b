import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { anAddress } from "@daric/testing/builders";
import { captureDaric, type DaricOutcome, daricVariables } from "@daric/testing/daric";
import { anOfflineSigner, type OfflineSigner } from "@daric/testing/offline-signer";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { trxTransferContract } from "@daric/tron/contracts";
import { openAccountKeys } from "@daric/tron/keys/account-keys";
import { decodeTransaction, encodeTransaction, transactionFromRaw } from "@daric/tron/transaction";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";

type SignedFile = {
  genesisId: string;
  xpubFingerprint: string;
  destinations: { counter: number }[];
  results: { requestId: string; meaning: string; txId: string; transaction: string; refusal?: string }[];
};

const keys = openAccountKeys(`${"abandon ".repeat(11)}about`, 0);
let stage: SettlementStage;
let signer: OfflineSigner;
let files = 0;

beforeAll(async () => {
  stage = await openSettlement({ isOffline: true });
  const { network } = stage.chain;
  const chain = { genesisId: network.genesisId, usdtContract: network.tokens[0]?.contract ?? "" };
  signer = await anOfflineSigner(chain, [
    { merchant: stage.merchantId, address: stage.wallet },
    { merchant: "operator", address: stage.operatorWallet },
  ]);
  return async () => {
    rmSync(signer.folder, { recursive: true, force: true });
    await stage.close();
  };
}, 60_000);

beforeEach(() => stage.restart());

const daric = (...args: string[]): Promise<DaricOutcome> =>
  captureDaric(["sweep", ...args], {
    ...daricVariables(stage.context, stage.chain.devchain.url),
    DATABASE_DIRECT_URL: stage.context.ownerUrl,
  });

/** Exports the sweeps that are worth their price, and returns the file's path. */
async function exported(...options: string[]): Promise<string> {
  files += 1;
  const file = join(signer.folder, `sweeps-${files}.json`);
  expect(await daric("export", "--out", file, ...options)).toMatchObject({ code: 0, err: "" });
  return file;
}

async function signed(file: string): Promise<string> {
  expect((await signer.sign(file)).error).toBeUndefined();
  return `${file}.signed.json`;
}

const readSigned = (path: string): SignedFile => JSON.parse(readFileSync(path, "utf8"));

async function lines(statement: ReturnType<typeof sql>): Promise<string[]> {
  return (await stage.context.owner.query<{ line: string }>(statement)).map(({ line }) => line);
}

const sweepsOf = ({ id }: { id: string }) =>
  lines(sql`
    select concat_ws(' ', status, recipient, currency, units) as line from sweeps where deposit_address_id = ${id} order by id`);

const stored = () =>
  lines(sql`
    select concat_ws(' ', s.id, s.status, t.tx_id, t.outcome) as line
    from sweeps s join sweep_transactions t on t.sweep_id = s.id order by t.id`);

const isEnded = async (charge: { id: string }, count = 1) =>
  (await sweepsOf(charge)).filter((line) => /^(RECLAIMED|DROPPED)/.test(line)).length >= count;

describe("an operator whose key is offline", () => {
  it("exports, signs elsewhere and imports, and the merchant's wallet gets exactly the owed units", async () => {
    const { wallet } = stage;
    const [trx, usdt] = [await stage.paid({ trx: "500" }), await stage.paid({ usdt: "1000" })];
    // Without an export the role has no work.
    await stage.turn();
    expect([await sweepsOf(trx), await sweepsOf(usdt)]).toEqual([[], []]);

    const file = await exported();
    const requests = JSON.parse(readFileSync(file, "utf8")).requests as { kind: string; meaning: string }[];
    expect(requests.map(({ meaning }) => meaning)).toEqual([
      `500 TRX of address ${trx.address} to the wallet ${wallet} of merchant ${stage.merchantId}`,
      expect.stringMatching(
        new RegExp(
          `^[0-9.]+ TRX of the gas wallet T\\w+ to address ${usdt.address}, whose sweep burns them$`,
        ),
      ),
      `1000 USDT of address ${usdt.address} to the wallet ${wallet} of merchant ${stage.merchantId}`,
    ]);
    await stage.turn();
    expect(await sweepsOf(usdt)).toEqual(["PLANNED merchant USDT 1000000000"]);
    expect((await daric("status")).out).toMatch(/^2 sweeps are exported, and are dropped from \d{4}-/m);

    const path = await signed(file);
    expect(readSigned(path).results[2]?.meaning).toMatch(
      new RegExp(`^sweep of 1000 USDT to ${wallet}, for index \\d+, ${usdt.address}$`),
    );
    const first = await daric("import", path, "--json");
    expect([first.code, first.err, JSON.parse(first.out)]).toEqual([
      0,
      "",
      { signed: 3, importedBefore: 0, refused: 0 },
    ]);
    // The bytes are stored before any node gets them.
    expect(
      await lines(sql`select sent_at::text as line from sweep_transactions where sent_at is not null`),
    ).toEqual([]);
    await stage.settleUntil(async () => (await isEnded(trx)) && (await isEnded(usdt)));
    expect([await stage.usdtOf(wallet), await stage.trxOf(wallet)]).toEqual([1_000_000_000n, 501_000_000n]);
    const again = await daric("import", path, "--json");
    expect([again.code, JSON.parse(again.out)]).toEqual([0, { signed: 0, importedBefore: 3, refused: 0 }]);
    await stage.settleAll();
    const contents = await lines(sql`
      select concat_ws(' ', currency, units, gas_units, suspense_units) as line from address_contents
      where deposit_address_id = ${usdt.id} order by currency`);
    expect(contents).toEqual(["TRX 0 0 0", "USDT 0 0 0"]);
    expect(await lines(sql`select id::text as line from signing_requests`)).toEqual([]);
    const events = await lines(sql`
      select type as line from webhook_events where merchant_id = ${stage.merchantId} and type like 'settlement.%'`);
    expect(events).toEqual(["settlement.completed", "settlement.completed"]);
  });

  it.runIf(isNight)(
    "sends the operator its fees once a signed file has brought the signer's list",
    async () => {
      const before = await stage.usdtOf(stage.operatorWallet);
      const charge = await stage.paid({ usdt: "30000" }, { feeBasisPoints: 100 });
      expect(await daric("import", await signed(await exported("--hours", "1")))).toMatchObject({ code: 0 });
      await stage.settleUntil(() => isEnded(charge));
      // The signer signs for an address again once its last signature cannot land any more.
      await stage.chain.mine(50, 201_000);
      await stage.chain.scan(stage.context);
      expect(await daric("import", await signed(await exported("--all")))).toMatchObject({ code: 0 });
      await stage.settleUntil(() => isEnded(charge, 2));
      expect(await sweepsOf(charge)).toEqual([
        "RECLAIMED operator USDT 300000000",
        "RECLAIMED merchant USDT 29700000000",
      ]);
      expect((await stage.usdtOf(stage.operatorWallet)) - before).toBe(300_000_000n);
    },
  );

  it.runIf(isNight)(
    "sends each transfer once, even if another program has broadcast the file's transactions",
    async () => {
      const before = await stage.usdtOf(stage.wallet);
      const charge = await stage.paid({ usdt: "1200" });
      const path = await signed(await exported());
      expect(await daric("import", path)).toMatchObject({ code: 0 });
      for (const { transaction } of readSigned(path).results) {
        await stage.chain.devchain.tronWeb().fullNode.request("wallet/broadcasthex", { transaction }, "post");
        await stage.chain.mine(1);
      }
      await stage.settleUntil(() => isEnded(charge));
      expect(await sweepsOf(charge)).toEqual(["RECLAIMED merchant USDT 1200000000"]);
      expect((await stage.usdtOf(stage.wallet)) - before).toBe(1_200_000_000n);
    },
  );
});

describe("an exported sweep", () => {
  it("is reserved: neither a running signer's plan nor a second export takes it", async () => {
    const charge = await stage.paid({ usdt: "1300" });
    const file = await exported("--hours", "1");
    expect((await daric("export", "--out", join(signer.folder, "second.json"))).out).toBe(
      "Nothing is worth a sweep now; no file was written.\n",
    );
    await stage.context.owner.query(sql`insert into signer_state (seen_at, state) values (now(), '{}')`);
    onTestFinished(async () => {
      await stage.context.owner.query(sql`delete from signer_state`);
    });
    for (let look = 0; look < 3; look += 1) await stage.turn();
    expect(await sweepsOf(charge)).toEqual(["PLANNED merchant USDT 1300000000"]);
    expect(await lines(sql`select id::text as line from signing_requests`)).toEqual([]);
    expect(await daric("import", await signed(file))).toMatchObject({ code: 0 });
    await stage.settleUntil(() => isEnded(charge));
  });

  it.runIf(isNight)("that is not imported is dropped after its expiry, and is exported again", async () => {
    const charge = await stage.paid({ usdt: "1400" });
    const path = await signed(await exported("--hours", "1"));
    await stage.chain.mine(50, 201_000);
    await stage.chain.scan(stage.context);
    const late = await daric("import", path);
    expect([late.code, late.err]).toEqual([
      1,
      expect.stringMatching(/^daric: request \S+ of T\w+: it expired at \S+: export again\n$/),
    ]);
    await stage.turn();
    expect(await sweepsOf(charge)).toEqual(["DROPPED merchant USDT 1400000000"]);
    expect((await daric("import", path)).err).toContain(": export again");
    expect(await daric("import", await signed(await exported()))).toMatchObject({ code: 0 });
    await stage.settleUntil(() => isEnded(charge, 2));
    expect(await sweepsOf(charge)).toEqual([
      "DROPPED merchant USDT 1400000000",
      "RECLAIMED merchant USDT 1400000000",
    ]);
  });

  it.runIf(isNight)(
    "that was imported is not sent while it would fail, and is planned anew once it has expired",
    async () => {
      const token = (change: object) => stage.chain.devchain.control("token", change);
      const charge = await stage.paid({ usdt: "1500" });
      expect(await daric("import", await signed(await exported("--hours", "1")))).toMatchObject({ code: 0 });
      await token({ blacklist: [charge.address] });
      const reasons = () =>
        lines(
          sql`select concat_ws(' ', status, reason) as line from sweeps where deposit_address_id = ${charge.id}`,
        );
      await stage.settleUntil(async () => (await reasons()).join().includes("blacklisted"));
      expect(await reasons()).toEqual(["RESOURCED the token has blacklisted this address"]);
      await stage.chain.mine(50, 201_000);
      await stage.chain.scan(stage.context);
      await stage.context.owner.query(
        sql`update sweeps set due_at = now() where deposit_address_id = ${charge.id}`,
      );
      await stage.settleUntil(() => isEnded(charge));
      expect(await sweepsOf(charge)).toEqual(["DROPPED merchant USDT 1500000000"]);
      await token({ unblacklist: [charge.address] });
      await stage.chain.mine(1);
      expect(await daric("import", await signed(await exported()))).toMatchObject({ code: 0 });
      await stage.settleUntil(() => isEnded(charge, 2));
    },
  );

  it("that the signer refuses is frozen with its reason, and planned anew after its expiry", async () => {
    const charge = await stage.paid({ usdt: "1600" });
    const elsewhere = anAddress();
    await stage.context.owner.query(
      sql`update settlement_accounts set address = ${elsewhere} where merchant_id = ${stage.merchantId}`,
    );
    // The service does not know the signer's list before the first import.
    await stage.context.owner.query(sql`truncate signer_destinations`);
    const file = await exported("--hours", "1");
    await stage.context.owner.query(
      sql`update settlement_accounts set address = ${stage.wallet} where merchant_id = ${stage.merchantId}`,
    );
    expect((await signer.sign(file)).error).toBe("1 of 2 requests were refused");
    const imported = await daric("import", `${file}.signed.json`);
    expect([imported.code, imported.err]).toEqual([
      1,
      expect.stringContaining(`destination ${elsewhere} is not ${stage.wallet}, as the list has it`),
    ]);
    expect(await sweepsOf(charge)).toEqual(["FROZEN merchant USDT 1600000000"]);
    await stage.chain.mine(50, 201_000);
    await stage.chain.scan(stage.context);
    await stage.context.owner.query(
      sql`update sweeps set due_at = now() where deposit_address_id = ${charge.id}`,
    );
    await stage.settleUntil(() => isEnded(charge));
    expect(await sweepsOf(charge)).toEqual(["DROPPED merchant USDT 1600000000"]);
  });
});

describe("a file that differs from the export", () => {
  let file: string;
  let path: string;

  beforeAll(async () => {
    await stage.paid({ usdt: "1700" });
    file = await exported();
    path = await signed(file);
  });

  /** The first result with this field of its transaction changed, signed again with the seed itself. */
  function resigned({ results: [topUp, ...others], ...signedFile }: SignedFile): SignedFile {
    if (topUp === undefined) throw new Error("no result");
    const { raw } = decodeTransaction(Buffer.from(topUp.transaction, "hex"));
    const [contract] = raw.contracts;
    if (contract?.value.kind !== "transfer") throw new Error("no top-up");
    const { ownerAddress, toAddress, amount } = contract.value;
    const contracts = [trxTransferContract({ ownerAddress, toAddress, units: amount + 1n })];
    const { txId } = transactionFromRaw({ ...raw, contracts });
    const changed = transactionFromRaw({ ...raw, contracts }, [keys.signAt([1, 0], txId)]);
    const transaction = Buffer.from(encodeTransaction(changed)).toString("hex");
    return { ...signedFile, results: [{ ...topUp, txId, transaction }, ...others] };
  }

  const withResult = (change: object) => (signedFile: SignedFile) => ({
    ...signedFile,
    results: signedFile.results.map((result, index) => (index === 0 ? { ...result, ...change } : result)),
  });

  it.each<[what: string, change: (signedFile: SignedFile) => object | string, reason: string]>([
    [
      "of another network",
      (file) => ({ ...file, genesisId: "00".repeat(32) }),
      `is of network ${"00".repeat(32)}, and this`,
    ],
    [
      "of another seed",
      (file) => ({ ...file, xpubFingerprint: "00000000" }),
      "is of seed 00000000, under which",
    ],
    ["that was cut", (file) => JSON.stringify(file).slice(0, -9), "is truncated or no JSON"],
    [
      "with a field that is none",
      withResult({ txId: "zz" }),
      "is no file of `daric-signer sign`: its results.0",
    ],
    [
      "that is the export itself",
      () => readFileSync(file, "utf8"),
      "is no file of `daric-signer sign`: its format is missing or wrong",
    ],
    [
      "of another service",
      withResult({ requestId: "0198c1f0-0000-7000-8000-00000000000a" }),
      "result 1: this service exported no",
    ],
    [
      "that lacks the top-up",
      (file) => ({ ...file, results: file.results.slice(1) }),
      "its top_up is missing in",
    ],
    ["with another amount", resigned, "its transaction has other payment than was exported"],
    ["with another txId", withResult({ txId: "ab".repeat(32) }), `, not ${"ab".repeat(32)}`],
    [
      "with another's bytes",
      (file) => withResult({ ...file.results[1], requestId: file.results[0]?.requestId })(file),
      "has other payment",
    ],
    ["with broken bytes", withResult({ transaction: "ff00" }), "its transaction cannot be read"],
  ])("%s is refused in one line, and nothing is written", async (_, change, reason) => {
    const before = await stored();
    const changed = change(readSigned(path));
    const place = join(signer.folder, "changed.json");
    writeFileSync(place, typeof changed === "string" ? changed : JSON.stringify(changed));
    const { code, err } = await daric("import", place);
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    expect(err.trimEnd()).not.toContain("\n");
    expect(await stored()).toEqual(before);
  });

  it("with a signature that another key made is refused", async () => {
    const [top, ...others] = readSigned(path).results;
    if (top === undefined) throw new Error("no result");
    const signedBefore = decodeTransaction(Buffer.from(top.transaction, "hex"));
    const forged = { ...signedBefore, signatures: [keys.signAt([1, 1], top.txId)] };
    const transaction = Buffer.from(encodeTransaction(forged)).toString("hex");
    const place = join(signer.folder, "changed.json");
    writeFileSync(
      place,
      JSON.stringify({ ...readSigned(path), results: [{ ...top, transaction }, ...others] }),
    );
    expect((await daric("import", place)).err).toContain(`is not signed by ${keys.addressAt([1, 0])}`);
  });

  it.each([
    ["export", ["export", "--hours", "21"], "It must be a whole number from 1 to 20."],
    [
      "export",
      ["export", "--out", "/nowhere/sweeps.json", "--all"],
      "/nowhere/sweeps.json cannot be written (ENOENT)",
    ],
    ["import", ["import", "/nowhere/sweeps.json"], "/nowhere/sweeps.json cannot be read (ENOENT)"],
  ])("%s names a wrong option or file", async (_, args, reason) => {
    await stage.paid({ usdt: "1800" });
    const before = await stored();
    const { code, err } = await daric(...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(reason);
    expect(await stored()).toEqual(before);
  });
});
