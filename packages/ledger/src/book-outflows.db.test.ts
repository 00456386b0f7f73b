import type { Charge } from "@daric/charges/charge";
import { sql } from "@daric/postgres/sql";
import { anAddress, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { type Ledger, openLedger } from "@daric/testing/ledger";
import { alarms, listening } from "@daric/testing/watch";
import { uuidv7 } from "uuidv7";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

/** The seed words of the test account. */
const WORDS = `${"abandon ".repeat(11)}about`;

let chain: Ledger["chain"];
let context: Ledger["context"];
let merchantId: Ledger["merchantId"];
let charge: Charge;

beforeAll(async () => {
  const ledger = await openLedger();
  ({ chain, context, merchantId } = ledger);
  return ledger.close;
}, 60_000);

beforeEach(async () => {
  charge = await aCharge(context.db, { merchantId, currency: "TRX", amount: "50" });
  await chain.pay(charge.address, { trx: "50" });
  await finalize();
});

async function finalize(): Promise<void> {
  await chain.mine(22);
  await chain.scan(context);
}

/** Signs with the key of the charge's address, sends, and returns the transaction's id. */
async function send(to: string, sun: number): Promise<string> {
  const { tronWeb, transaction } = await signed(to, sun);
  await tronWeb.trx.sendRawTransaction(transaction);
  return transaction.txID;
}

async function signed(to: string, sun: number) {
  const [row] = await context.owner.query<{ index: bigint }>(
    sql`select derivation_index as index from deposit_addresses where id = ${charge.id}`,
  );
  const tronWeb = chain.wallet(WORDS, `m/44'/195'/0'/0/${row?.index}`);
  const unsigned = await tronWeb.transactionBuilder.sendTrx(to, sun, charge.address);
  return { tronWeb, transaction: await tronWeb.trx.sign(unsigned) };
}

async function outflowLines(): Promise<string[]> {
  const rows = await context.owner.query<{ line: string }>(sql`
    select concat_ws(' ', kind, debit, credit, currency, units, tx_id) as line from ledger_entries
    where deposit_address_id = ${charge.id} and kind = 'outflow'`);
  return rows.map(({ line }) => line);
}

async function content(): Promise<bigint> {
  const [row] = await context.owner.query<{ units: string }>(
    sql`select units::text from address_contents where deposit_address_id = ${charge.id}`,
  );
  return BigInt(row?.units ?? -1);
}

describe("an outflow without a sweep", () => {
  it("to a settlement account of the merchant, even a disabled one, counts as paid to the merchant", async () => {
    const { address } = await aSettlementAccount(context.db, merchantId, { status: "disabled" });
    const before = await alarms(context);
    const txId = await send(address, 3_000_000);
    await finalize();
    expect(await outflowLines()).toEqual([`outflow merchant on_addresses TRX 3000000 ${txId}`]);
    expect(await content()).toBe(47_000_000n);
    expect(await alarms(context)).toEqual(before);
  });

  it("to the operator's wallet counts as paid to the operator", async () => {
    const address = anAddress();
    await context.owner.query(sql`
      insert into signer_destinations values (1, 'operator', 'Operator', ${address}, '{}', now(), now())`);
    const txId = await send(address, 3_000_000);
    await finalize();
    expect(await outflowLines()).toEqual([`outflow operator_fees on_addresses TRX 3000000 ${txId}`]);
  });

  it("to any other wallet is in suspense with an alarm, once its block is verified", async () => {
    const { unexplained_outflow: before = 0 } = await alarms(context);
    const txId = await send(chain.devchain.payer.address, 3_000_000);
    await chain.mine(3);
    await chain.scan(context);
    expect([await outflowLines(), await content()]).toEqual([[], 50_000_000n]);
    const logged = listening(context);
    await chain.mine(22);
    await chain.scan(logged.context);
    expect(await outflowLines()).toEqual([`outflow suspense on_addresses TRX 3000000 ${txId}`]);
    expect(await content()).toBe(47_000_000n);
    expect((await alarms(context)).unexplained_outflow).toBe(before + 1);
    expect(logged.lines).toMatchObject([{ tx_id: txId, address: charge.address, units: "3000000" }]);
    await finalize();
    expect(await outflowLines()).toHaveLength(1);
  });

  it("is not booked if its block left the chain", async () => {
    const txId = await send(chain.devchain.payer.address, 3_000_000);
    await chain.mine(1);
    await chain.scan(context);
    await chain.reorg({ depth: 1, drop: [txId] });
    await finalize();
    expect([await outflowLines(), await content()]).toEqual([[], 50_000_000n]);
  });
});

it("an outflow by a sweep is booked by the sweep, and raises no alarm", async () => {
  const before = await alarms(context);
  const { id: accountId } = await aSettlementAccount(context.db, merchantId);
  const destination = chain.devchain.payer.address;
  const { tronWeb, transaction } = await signed(destination, 3_000_000);
  const [settlementId, sweepId] = [uuidv7(), uuidv7()];
  await context.owner.query(sql`
    insert into settlements (merchant_id, id, currency, settlement_account_id, status)
    values (${merchantId}, ${settlementId}, 'TRX', ${accountId}, 'OPEN')`);
  await context.owner.query(sql`
    insert into sweeps (merchant_id, id, settlement_id, deposit_address_id, currency, recipient, destination, units, resources,
      price, status)
    values (${merchantId}, ${sweepId}, ${settlementId}, ${charge.id}, 'TRX', 'merchant', ${destination}, 3000000, 'burn', 0, 'SENT')`);
  await context.owner.query(sql`
    insert into sweep_transactions (merchant_id, id, sweep_id, deposit_address_id, purpose, tx_id, bytes, expires_at)
    values (${merchantId}, ${uuidv7()}, ${sweepId}, ${charge.id}, 'sweep', ${transaction.txID}, 'x', now())`);
  await tronWeb.trx.sendRawTransaction(transaction);
  await finalize();
  expect([await outflowLines(), await content()]).toEqual([[], 50_000_000n]);
  expect(await alarms(context)).toEqual(before);
  const open = await context.owner.query(sql`select from open_outflows where tx_id = ${transaction.txID}`);
  expect(open).toEqual([]);
});
