import type { Charge } from "@daric/charges/charge";
import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { copyDatabase } from "@daric/testing/database";
import { raw } from "@daric/testing/raw-sql";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

let stage: SettlementStage;

beforeAll(async () => {
  stage = await openSettlement();
  return stage.close;
}, 60_000);

async function statusOf({ id }: Charge): Promise<string | undefined> {
  const rows = await stage.context.owner.query<{ status: string }>(
    sql`select status from sweeps where deposit_address_id = ${id} order by id limit 1`,
  );
  return rows[0]?.status;
}

describe("a database that was restored from an old backup", () => {
  it.runIf(isNight)(
    "finds later sweeps on the chain and repeats none, whatever step the backup was made at",
    {
      timeout: 180_000,
    },
    async () => {
      const { chain, context, wallet } = stage;
      const before = await stage.usdtOf(wallet);
      const charge = await stage.paid({ usdt: "970" });
      const backups = [];
      for (const step of [undefined, "ACTIVATING", "RESOURCED", "SENT"]) {
        if (step !== undefined) await stage.settleUntil(async () => (await statusOf(charge)) === step);
        const backup = await copyDatabase(context.config.runtime.databaseUrl);
        onTestFinished(() => backup.drop());
        backups.push(backup);
      }
      await stage.settleAll();
      expect((await stage.usdtOf(wallet)) - before).toBe(970_000_000n);
      for (const backup of backups) {
        const restored = await stage.over(backup);
        await restored.turn();
        await restored.sign();
        await chain.scan({ ...context, ...backup });
        await restored.settleAll();
        const left = await backup.owner.query(sql`
        select from address_contents where deposit_address_id = ${charge.id} and units <> 0`);
        expect(left).toEqual([]);
      }
      expect((await stage.usdtOf(wallet)) - before).toBe(970_000_000n);
      expect(await stage.usdtOf(charge.address)).toBe(0n);
    },
  );
});

describe("rows that an attacker with every password of the database has changed", () => {
  it("move no money to a foreign wallet, because the signer refuses", async () => {
    const { context, other, operatorWallet } = stage;
    const moved = await stage.paid({ trx: "310" });
    const edited = await stage.paid({ trx: "320" });
    const asked = await stage.paid({ trx: "330" });
    const copy = await copyDatabase(context.config.runtime.databaseUrl);
    onTestFinished(() => copy.drop());
    const [taken, held] = [await stage.trxOf(operatorWallet), await stage.trxOf(other.wallet)];
    // The attacker assigns an address and its money to the other merchant.
    const columns = await copy.owner.query<{ names: string }>(sql`
      select string_agg(quote_ident(attname), ', ') as names from pg_attribute
      where attrelid = 'deposit_addresses'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        and attname <> 'merchant_id'`);
    const names = raw(columns[0]?.names ?? "");
    await copy.owner.query(sql`
      insert into deposit_addresses (merchant_id, ${names})
      select ${other.merchantId}, ${names} from deposit_addresses where id = ${moved.id}`);
    await copy.owner.query(sql`
      update address_contents set merchant_id = ${other.merchantId} where deposit_address_id = ${moved.id}`);
    const robbed = await stage.over(copy);
    await robbed.turn();
    // The attacker redirects a sweep to the other merchant's wallet, and inserts requests without settlement.
    await copy.owner.query(sql`
      update sweeps set destination = ${other.wallet} where deposit_address_id = ${edited.id}`);
    await copy.owner.query(sql`
      insert into signing_requests (id, kind, merchant_id, derivation_index, address, checkout_token, address_mac, currency,
        recipient, destination, units, block_number, block_id, block_time, expires_at)
      select gen_random_uuid(), 'sweep', a.merchant_id, derivation_index, address, checkout_token, address_mac, 'TRX', recipient,
        destination, 1100000000, b.number, b.id, b.time, b.time + interval '4 minutes'
      from deposit_addresses a,
        (values ('merchant', ${other.wallet}), ('operator', ${operatorWallet}), ('operator', ${other.wallet})) as asked (recipient, destination),
        (select * from blocks where orphaned_at is null order by number desc offset 20 limit 1) b
      where a.id = ${asked.id}`);
    const refused = () =>
      copy.owner.query<{ id: string; recipient: string; refusal: string }>(sql`
        select a.id, r.recipient, s.refusal
        from signing_requests r
        join signing_results s on s.request_id = r.id and s.refusal is not null
        join deposit_addresses a on a.merchant_id = r.merchant_id and a.address = r.address
        where a.id = any(${[moved.id, edited.id, asked.id]})`);
    await robbed.settleUntil(async () => (await refused()).length === 5);
    const reasons = await refused();
    const reasonsOf = (charge: Charge, recipient: string) =>
      reasons
        .filter((reason) => reason.id === charge.id && reason.recipient === recipient)
        .map(({ refusal }) => refusal)
        .toSorted();
    const isNotListed = expect.stringMatching(/^destination .* is not .*, as the list has it$/);
    expect(reasonsOf(moved, "merchant")).toEqual([expect.stringMatching(/^address_mac does not prove/)]);
    expect(reasonsOf(edited, "merchant")).toEqual([isNotListed]);
    expect(reasonsOf(asked, "merchant")).toEqual([isNotListed]);
    expect(reasonsOf(asked, "operator")).toEqual([
      isNotListed,
      expect.stringMatching(/would be above its ceiling/),
    ]);
    expect([await stage.trxOf(operatorWallet), await stage.trxOf(other.wallet)]).toEqual([taken, held]);
  });
});
