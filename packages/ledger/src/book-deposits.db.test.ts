import { type Charge, loadCharges } from "@daric/charges/charge";
import { idOf } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { sql, type Transaction } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { aCharge, aDeposit, type ChargeOverrides } from "@daric/testing/charge-builders";
import { type Ledger, openLedger } from "@daric/testing/ledger";
import { beforeAll, describe, expect, it } from "vitest";
import { type BookedDeposit, bookDeposits } from "./book-deposits.ts";

let chain: Ledger["chain"];
let context: Ledger["context"];
let merchantId: Ledger["merchantId"];

beforeAll(async () => {
  const ledger = await openLedger();
  ({ chain, context, merchantId } = ledger);
  return ledger.close;
}, 60_000);

const charge = (overrides: Omit<ChargeOverrides, "merchantId">) =>
  aCharge(context.db, { merchantId, ...overrides });

/** Mines until the payments are final. */
async function finalize(): Promise<void> {
  await chain.mine(22);
  await chain.scan(context);
}

/** The lines of an address, in their order within each transaction. */
async function linesOf({ id }: Charge): Promise<string[]> {
  const rows = await context.owner.query<{ line: string }>(sql`
    select concat_ws(' ', e.kind, e.debit, e.credit, e.currency, e.units) as line from ledger_entries e
    left join deposits d on d.merchant_id = e.merchant_id and d.id = e.transaction_id
    where e.deposit_address_id = ${id} order by d.block_number, d.id, e.line`);
  return rows.map(({ line }) => line);
}

async function contentsOf({ id }: Charge): Promise<Record<string, bigint>> {
  const rows = await context.owner.query<{ currency: string; units: string }>(sql`
    select currency, units::text from address_contents where deposit_address_id = ${id} and oldest_at is not null`);
  return Object.fromEntries(rows.map(({ currency, units }) => [currency, BigInt(units)]));
}

describe("a deposit", () => {
  it("is booked when it is confirmed and not before, with the fee of its charge", async () => {
    const order = await charge({ amount: "100", feeBasisPoints: 150, feeFixed: "0.5" });
    await chain.pay(order.address, { usdt: "100" });
    await chain.mine(5);
    await chain.scan(context);
    expect(await linesOf(order)).toEqual([]);
    await finalize();
    expect(await linesOf(order)).toEqual([
      "deposit on_addresses merchant USDT 100000000",
      "fee merchant operator_fees USDT 1500000",
      "fixed_fee merchant operator_fees USDT 500000",
    ]);
    expect(await contentsOf(order)).toEqual({ USDT: 100_000_000n });
  });

  it("has no fee in the other currency, and has one if it is late or dust", async () => {
    const past = { status: "EXPIRED", expiresAt: new Date(Date.now() - 3_600_000) } as const;
    const [other, late, dust] = await Promise.all([
      charge({ feeBasisPoints: 100, feeFixed: "1" }),
      charge({ feeBasisPoints: 100, ...past }),
      charge({ feeBasisPoints: 100, feeFixed: "1" }),
    ]);
    await chain.pay(other.address, { trx: "30" });
    await chain.pay(late.address, { usdt: "10" });
    await chain.pay(dust.address, { usdt: "0.0001" });
    await finalize();
    expect(await linesOf(other)).toEqual(["unmatched on_addresses merchant TRX 30000000"]);
    expect(await linesOf(late)).toEqual([
      "deposit on_addresses merchant USDT 10000000",
      "fee merchant operator_fees USDT 100000",
    ]);
    expect(await linesOf(dust)).toEqual([
      "deposit on_addresses merchant USDT 100",
      "fee merchant operator_fees USDT 1",
      "fixed_fee merchant operator_fees USDT 99",
    ]);
  });

  it("that is the second of its order bears the rest of the fixed fee, in one step or in two", async () => {
    const [apart, together] = await Promise.all([charge({ feeFixed: "2" }), charge({ feeFixed: "2" })]);
    await chain.pay(apart.address, { usdt: "1.5" });
    await finalize();
    for (const { address } of [apart, together, together]) await chain.pay(address, { usdt: "1.5" });
    await finalize();
    const expected = [
      "deposit on_addresses merchant USDT 1500000",
      "fixed_fee merchant operator_fees USDT 1500000",
      "deposit on_addresses merchant USDT 1500000",
      "fixed_fee merchant operator_fees USDT 500000",
    ];
    expect(await linesOf(apart)).toEqual(expected);
    expect(await linesOf(together)).toEqual(expected);
  });

  it("to a receive address bears the fixed fee each time", async () => {
    const receive = await charge({ kind: "receive", feeFixed: "2" });
    for (const usdt of ["5", "1"]) await chain.pay(receive.address, { usdt });
    await finalize();
    expect((await linesOf(receive)).filter((line) => line.startsWith("fixed_fee")).sort()).toEqual([
      "fixed_fee merchant operator_fees USDT 1000000",
      "fixed_fee merchant operator_fees USDT 2000000",
    ]);
  });

  it("that a fork removed is booked once, in its final block", async () => {
    const order = await charge({ amount: "7" });
    const txIds = await chain.pay(order.address, { usdt: "7" });
    await chain.mine(3);
    await chain.scan(context);
    await chain.reorg({ depth: 3, move: txIds });
    await chain.mine(2);
    await chain.scan(context);
    await finalize();
    expect(await linesOf(order)).toEqual(["deposit on_addresses merchant USDT 7000000"]);
  });
});

/** Deposits that a test books itself. */
function made(of: Charge, count: number): BookedDeposit[] {
  return Array.from({ length: count }, (_, n) => ({
    id: idOf("deposit", derivedId("made", of.id, n)),
    merchantId: of.merchantId,
    chargeId: of.id,
    currency: "USDT" as const,
    amount: amountFromUnits(10n),
    unmatched: false,
    blockNumber: n,
  }));
}

/** Books in a transaction that is rolled back; returns the number of statements, and the result of `look`. */
async function trial<T>(
  deposits: readonly BookedDeposit[],
  { times = 1, look }: { times?: number; look: (tx: Transaction) => Promise<T> },
): Promise<{ statements: number; seen: T }> {
  const charges = await loadCharges(
    context.db,
    deposits.map(({ chargeId }) => ({ merchantId, id: chargeId })),
  );
  let statements = 0;
  let seen: T | undefined;
  await context.db
    .transaction(async (tx) => {
      const counting: Transaction = {
        ...tx,
        query: (statement) => {
          statements += 1;
          return tx.query(statement);
        },
      };
      for (let n = 0; n < times; n += 1) await bookDeposits(counting, deposits, charges);
      seen = await look(tx);
      throw new Error("rolled back");
    })
    .catch((error: Error) => expect(error.message).toBe("rolled back"));
  return { statements, seen: seen as T };
}

describe("deposits", () => {
  it("are booked by two statements at most, for any number", async () => {
    const [plain, fixed] = await Promise.all([charge({}), charge({ feeFixed: "1" })]);
    const look = async () => undefined;
    expect((await trial(made(plain, 1), { look })).statements).toBe(1);
    expect((await trial(made(plain, 200), { look })).statements).toBe(1);
    expect((await trial(made(fixed, 200), { look })).statements).toBe(2);
    expect((await trial([], { look })).statements).toBe(0);
  });

  it("that are booked a second time change no row", async () => {
    const order = await charge({ feeBasisPoints: 1_000, feeFixed: "1" });
    const look = async (tx: Transaction) => ({
      entries: await tx.query(sql`
        select transaction_id, line, units from ledger_entries
        where merchant_id = ${merchantId} and deposit_address_id = ${order.id} order by transaction_id, line`),
      totals: await tx.query(sql`
        select month, kind, units from ledger_totals where merchant_id = ${merchantId} and currency = 'USDT' order by month, kind`),
      content: await tx.query(sql`
        select units from address_contents where merchant_id = ${merchantId} and deposit_address_id = ${order.id}`),
    });
    const once = await trial(made(order, 5), { look });
    const twice = await trial(made(order, 5), { look, times: 2 });
    expect(once.seen.entries).toHaveLength(15);
    expect(twice.seen).toEqual(once.seen);
  });

  it("that are in the ledger already are not booked again", async () => {
    const order = await charge({ amount: "25" });
    const { id: deposit } = await aDeposit(context.db, { chargeId: order.id });
    const booked: BookedDeposit = {
      ...(made(order, 1)[0] as BookedDeposit),
      id: idOf("deposit", deposit),
      amount: amountFromUnits(1n),
    };
    const { seen } = await trial([booked], {
      look: (tx) =>
        tx.query<{ units: bigint }>(sql`
          select units from ledger_entries where merchant_id = ${merchantId} and deposit_address_id = ${order.id}`),
    });
    expect(seen).toEqual([{ units: 25_000_000n }]);
  });
});
