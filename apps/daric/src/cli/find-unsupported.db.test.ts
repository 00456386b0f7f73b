import type { Charge } from "@daric/charges/charge";
import { insertUnsupported } from "@daric/deposits/record/unsupported-store";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let charges: Charge[];
const CONTRACT = "TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs";
const txOf = (digit: number) => String(digit).repeat(64);

beforeAll(async () => {
  context = await createTestContext();
  charges = await Promise.all(
    [1, 2].map(async () =>
      aCharge(context.db, { merchantId: (await aMerchant(context.db)).id, kind: "receive" }),
    ),
  );
  const arrivals = charges.map(({ merchantId, id: chargeId, address }, index) => ({
    id: `00000000-0000-0000-0000-00000000000${index}`,
    merchantId,
    chargeId,
    txId: txOf(index + 1),
    source: "log" as const,
    eventIndex: 0,
    address,
    fromAddress: CONTRACT,
    contract: CONTRACT,
    rawValue: 10n ** 30n,
  }));
  const block = { number: 7, blockId: "ab".repeat(32) };
  await context.db.transaction((tx) => insertUnsupported(tx, { network: "devnet", block, arrivals }));
});
afterAll(() => context.close());

const find = (...args: string[]) => captureDaric(["find", ...args], daricVariables(context));
const unsupported = (...args: string[]) => find("--unsupported", ...args);

it("unsupported tokens are listed with their contract and their exact value", async () => {
  const { code, out } = await unsupported("--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({
      txHash: txOf(1),
      contract: CONTRACT,
      rawValue: String(10n ** 30n),
      blockNumber: 7,
    }),
  );
});

it("can be filtered by merchant and transaction, and malformed filters are refused", async () => {
  const [first] = charges;
  expect((await unsupported("--merchant", first?.merchantId ?? "")).out).toContain(first?.address);
  const none = await unsupported("--merchant", first?.merchantId ?? "", txOf(2), "--json");
  expect(JSON.parse(none.out)).toEqual([]);
  const { out } = await unsupported(txOf(2));
  expect(out).toContain(txOf(2));
  expect((await unsupported(`https://tronscan.org/#/transaction/${txOf(2)}`)).out).toBe(out);
  for (const text of ["abc", `0x${txOf(2)}`])
    expect(await unsupported(text)).toMatchObject({ code: 2, err: expect.stringContaining("64 hex") });
  expect((await find("--merchant", first?.merchantId ?? "")).code).toBe(2);
  expect((await find()).code).toBe(2);
});

it("a token is shown with the charge of its address, found by its transaction or by that address", async () => {
  const [first] = charges;
  for (const text of [txOf(1), first?.address ?? ""]) {
    const { out } = await find(text, "--json");
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({
        charge: expect.objectContaining({ id: first?.id, merchantId: first?.merchantId }),
        unsupported: [expect.objectContaining({ txHash: txOf(1), contract: CONTRACT })],
        toDo: ["nothing"],
      }),
    );
    expect((await find(text)).out).toContain(CONTRACT);
  }
});
