import { askForRefund } from "@daric/charges/close/ask-for-refund";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext();
  ({ id: merchantId } = await aMerchant(context.db));
  for (const orderRef of ["A-1", "A-2"]) {
    const { id: chargeId } = await aCharge(context.db, { merchantId, amount: "5", orderRef });
    await aDeposit(context.db, { chargeId, amount: "5" });
    await askForRefund(context, {
      ...{ merchantId, id: chargeId, amount: null, fiatAmount: null, currency: null, refundRef: null },
      ...{ reason: "Ada called", address: null, askedBy: null, apiKeyId: null },
    });
    await context.owner.query(sql`
      update deposit_addresses set metadata = '{"mail":"ada@shop.example"}', label = 'Ada', success_url = 'https://shop.example/ada',
        customer_email = 'sealed'
      where merchant_id = ${merchantId} and id = ${chargeId}`);
    await context.owner.query(sql`
      insert into payment_notes (merchant_id, id, deposit_address_id, person_id, decision, text)
      values (${merchantId}, ${uuidv7()}, ${chargeId}, ${uuidv7()}, 'accept', 'Ada called')`);
  }
});
afterAll(() => context.close());

const daric = (...args: string[]) =>
  captureDaric(args, { ...daricVariables(context), DATABASE_DIRECT_URL: context.ownerUrl });
const erase = async (...args: string[]) =>
  JSON.parse((await daric("erase", "--merchant", merchantId, ...args, "--json")).out);

const invariants = async () => JSON.parse((await daric("doctor", "--json")).out).invariants;

const texts = () =>
  context.owner.query(sql`
    select charge.order_ref, charge.metadata, charge.label, charge.success_url, convert_from(charge.customer_email, 'utf8') as email, note.text, note.decision, refund.reason
    from deposit_addresses charge join payment_notes note on note.deposit_address_id = charge.id
      join refunds refund on refund.deposit_address_id = charge.id order by charge.order_ref`);
const whole = {
  metadata: { mail: "ada@shop.example" },
  label: "Ada",
  success_url: "https://shop.example/ada",
  email: "sealed",
  text: "Ada called",
  decision: "accept",
  reason: "Ada called",
};

it("empties the texts about one payer, once, with a line of the audit log; money and other payers stay", async () => {
  const before = await invariants();
  expect(await erase("--order-ref", "A-1", "--dry-run")).toEqual({
    charges: 1,
    notes: 1,
    refunds: 1,
    dryRun: true,
  });
  expect(await texts()).toEqual([
    { order_ref: "A-1", ...whole },
    { order_ref: "A-2", ...whole },
  ]);
  expect(await erase("--order-ref", "A-1")).toEqual({ charges: 1, notes: 1, refunds: 1, dryRun: false });
  expect(await texts()).toEqual([
    {
      ...{ order_ref: "A-1", metadata: null, label: null, success_url: null, email: null },
      ...{ text: "", decision: "accept", reason: null },
    },
    { order_ref: "A-2", ...whole },
  ]);
  expect(await erase("--order-ref", "A-1")).toEqual({ charges: 0, notes: 0, refunds: 0, dryRun: false });
  const repeated = await daric("erase", "--merchant", merchantId, "--order-ref", "A-1");
  expect(repeated.out).toMatch(/^Nothing was left to empty\.\n/);
  const lines = JSON.parse((await daric("audit", "--json")).out);
  expect(lines.filter(({ action }: { action: string }) => action === "erase")).toMatchObject([
    { subject: `merchant ${merchantId}`, after: { charges: 1, notes: 1 } },
  ]);
  const [found] = JSON.parse((await daric("find", "A-1", "--json")).out);
  expect(found.deposits).toMatchObject([{ amount: "5 USDT" }]);
  expect(await invariants()).toEqual(before);
});

it("a reference that the merchant does not have is refused, also that of another merchant's order", async () => {
  const { id: other } = await aMerchant(context.db);
  for (const args of [
    ["--merchant", merchantId, "--order-ref", "nope"],
    ["--merchant", merchantId, "--customer-ref", ""],
    ["--merchant", other, "--order-ref", "A-2"],
  ])
    expect(await daric("erase", ...args)).toEqual({
      code: 1,
      out: "",
      err: "daric: this merchant has no charge of that reference\n",
    });
});

it("an unknown merchant, and none or both of the references, are refused", async () => {
  expect((await daric("erase", "--merchant", uuidv7(), "--order-ref", "A-2")).err).toMatch(
    /^daric: There is no merchant/,
  );
  for (const refs of [[], ["--order-ref", "A-2", "--customer-ref", "c"]])
    expect(await daric("erase", "--merchant", merchantId, ...refs)).toMatchObject({
      code: 2,
      err: "daric: give either --order-ref or --customer-ref\n",
    });
});
