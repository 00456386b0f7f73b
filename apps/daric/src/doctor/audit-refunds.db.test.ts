import { createHash } from "node:crypto";
import { askForRefund } from "@daric/charges/close/ask-for-refund";
import { type ChargeId, idOf, type MerchantId, type PersonId } from "@daric/domain/ids";
import { amountFromUnits, amountIn } from "@daric/domain/money";
import { sql } from "@daric/postgres/sql";
import { claimRefund } from "@daric/refunds/claim-refund";
import { claimToken } from "@daric/refunds/claim-token";
import { aMerchant, anAddress, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { copyLedger } from "@daric/testing/ledger";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { addressToHex } from "@daric/tron/address";
import { uuidv7 } from "uuidv7";
import { beforeAll, expect, it } from "vitest";
import { auditDatabase } from "./audit.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: ForkChain;
let merchantId: MerchantId;

/** An order that was paid 15 TRX instead of 10: 5 were refunded to their sender, and a person asks for 1 more. */
beforeAll(async () => {
  context = await createTestContext();
  chain = createForkChain(Date.now());
  chain.mine(20);
  merchantId = (await aMerchant(context.db)).id;
  const wallet = (await aSettlementAccount(context.db, merchantId)).address;
  const charge = await aCharge(context.db, {
    ...{ merchantId, currency: "TRX", amount: "10", feeBasisPoints: 100 },
  });
  chain.pay(charge.address, 15_000_000n);
  await scan(30);
  const surplus = await ask(charge.id, 5_000_000n);
  const [{ address } = { address: "" }] = await context.db.query<{ address: string }>(
    sql`select from_address as address from deposits where ${ours()}`,
  );
  const token = claimToken(context, surplus);
  await claimRefund(context, { token, address, vet: async () => undefined });
  send(wallet, address, 5_000_000n);
  await scan(30);
  await ask(charge.id, 1_000_000n, idOf("person", uuidv7()));
  return () => context.close();
}, 60_000);

const ours = () => sql`merchant_id = ${merchantId}`;

async function scan(blocks: number): Promise<void> {
  chain.mine(blocks);
  await scanToRest(context, await aScanner(context, chain.reader));
}

function ask(id: ChargeId, units: bigint, askedBy: PersonId | null = null) {
  const nothing = { fiatAmount: null, currency: null, refundRef: null, reason: null, address: null } as const;
  const asked = { merchantId, id, amount: amountFromUnits(units), askedBy, apiKeyId: null };
  return askForRefund(context, { ...nothing, ...asked });
}

function send(from: string, to: string, units: bigint): void {
  const txId = createHash("sha256").update("the refund").digest("hex");
  const parties = { fromHex: addressToHex(from), toHex: addressToHex(to) };
  const contract = { kind: "transfer" as const, ...parties, units: amountIn("TRX", units) };
  chain.include({ txId, contractRet: "SUCCESS", expirationMs: Date.now() + 600_000, contract });
}

async function brokenAfter(...statements: Parameters<typeof copyLedger>[1]): Promise<string[]> {
  const { db } = await copyLedger(context, statements);
  const { key: integrityKey } = context.config.integrity;
  return (await auditDatabase(db, "devnet", { integrityKey })).flatMap(({ violations }) =>
    violations.map(({ invariant, what }) => `${invariant} ${what}`),
  );
}

it("finds nothing in refunds that the service wrote, with the fee share of one", async () => {
  const [refunds] = await context.db.query(
    sql`select count(*) filter (where status = 'COMPLETED')::int as completed, count(*)::int as all from refunds where ${ours()}`,
  );
  expect(refunds).toEqual({ completed: 1, all: 2 });
  const returned = await context.db.query(
    sql`select units from ledger_entries where ${ours()} and kind = 'fee_returned'`,
  );
  expect(returned).toEqual([{ units: 50_000n }]);
  expect(await brokenAfter()).toEqual([]);
});

const damages: Record<string, { what: string[]; by: () => Parameters<typeof copyLedger>[1] }> = {
  "a refund of more than came": {
    what: [
      "I27 deposit address whose refunds of a coin promise more than is confirmed",
      "I27 refund that is not as the service wrote it",
    ],
    by: () => [sql`update refunds set units = 11000000 where ${ours()} and status = 'REQUESTED'`],
  },
  "another address": {
    what: ["I27 refund that is not as the service wrote it"],
    by: () => [
      sql`update refunds set address = ${anAddress()}, named_by = 'payer' where ${ours()} and status = 'REQUESTED'`,
    ],
  },
  "a watched address of a stranger": {
    what: ["I27 address of a refund that is not as the service wrote it"],
    by: () => [sql`update refund_addresses set address = decode(repeat('ab', 20), 'hex') where ${ours()}`],
  },
  "a transfer that counts again": {
    what: [
      "I27 COMPLETED refund without one final transfer of its amount",
      "I27 transfer of a refund that is not as the service wrote it",
    ],
    by: () => [sql`update refund_transfers set status = 'TAKEN' where ${ours()} and status = 'FINAL'`],
  },
  "a final transfer of a refund that waits": {
    what: [
      "I27 COMPLETED refund without one final transfer of its amount",
      "I27 refund with a final transfer that is not COMPLETED",
      "I27 transfer of a refund that is not as the service wrote it",
    ],
    by: () => [
      sql`update refund_transfers set refund_id = (select id from refunds where ${ours()} and status = 'REQUESTED')
        where ${ours()}`,
    ],
  },
  "a fee share that went back for another row": {
    what: ["I27 fee share that went back for no COMPLETED refund"],
    by: () => [
      sql`update ledger_entries set transaction_id = gen_random_uuid() where ${ours()} and kind = 'fee_returned'`,
    ],
  },
};

for (const [name, { what, by }] of Object.entries(damages))
  it(`names ${name}`, async () => {
    expect(await brokenAfter(...by())).toEqual(what);
  });

it("compares no code without the integrity key", async () => {
  const { db } = await copyLedger(context, [
    sql`update refunds set mac = decode(repeat('00', 32), 'hex') where ${ours()}`,
  ]);
  const diagnoses = await auditDatabase(db, "devnet");
  expect(diagnoses.flatMap(({ violations }) => violations)).toEqual([]);
});
