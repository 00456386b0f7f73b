import type { Transfer } from "@daric/chain/blocks/decode-transfers";
import type { Charge } from "@daric/charges/charge";
import { amountIn } from "@daric/domain/money";
import type { Transaction } from "@daric/postgres/sql";
import { spreadTenants } from "@daric/postgres/tenants";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

const MERCHANTS = 6;
const OUTSIDE = `41${"11".repeat(20)}`;
let context: Awaited<ReturnType<typeof createTestContext>>;
const charges: Charge[] = [];
let blocks = 0;

beforeAll(async () => {
  context = await createTestContext();
  for (let made = 0; made < MERCHANTS; made += 1)
    charges.push(await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id }));
});
afterEach(() => spreadTenants(undefined));
afterAll(() => context.close());

function transferTo({ address }: Charge, serial: number): Transfer {
  return {
    txId: `${blocks}${serial}`.padStart(64, "0"),
    source: "log",
    eventIndex: serial,
    isMerkleProven: true,
    currency: "USDT",
    fromHex: OUTSIDE,
    toHex: addressToHex(address),
    units: amountIn("USDT", 5n),
  };
}

/** Records a block that pays these charges, and counts its statements. */
async function statementsOf(paid: readonly Charge[]): Promise<number> {
  blocks += 1;
  const header = aHeader({ number: blocks, id: String(blocks).padStart(64, "0"), timeMs: Date.now() });
  let count = 0;
  const { detected } = await context.db.transaction((tx) => {
    const counting: Transaction = {
      ...tx,
      query: (statement) => {
        count += 1;
        return tx.query(statement);
      },
    };
    const transfers = paid.map(transferTo);
    return recordBlockOf(context, counting, { scope: { network: "devnet", epoch: 1n }, header, transfers });
  });
  expect(detected).toHaveLength(paid.length);
  return count;
}

it("a block takes as many statements for all merchants of a shard as for one, and each shard adds its own", async () => {
  const oneServer = [await statementsOf(charges.slice(0, 1)), await statementsOf(charges)];
  expect(oneServer[1]).toBe(oneServer[0]);
  const first = new Set(charges.slice(0, MERCHANTS / 2).map(({ merchantId }) => String(merchantId)));
  spreadTenants((merchantId) => (first.has(merchantId) ? "first" : "second"));
  const [one, firstRows, bothRows] = [
    await statementsOf(charges.slice(0, 1)),
    await statementsOf(charges.slice(0, MERCHANTS / 2)),
    await statementsOf(charges),
  ];
  expect(firstRows).toBe(one);
  // One finds the charges of the addresses, which the directory does not name there. One stores the deposits, and one their history.
  expect(bothRows - firstRows).toBe(3);
});
