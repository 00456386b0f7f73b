import type { MerchantId } from "@daric/domain/ids";
import { findLink } from "@daric/payment-links/store";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

const daric = (...args: string[]) =>
  captureDaric(args, { ...daricVariables(context), DATABASE_DIRECT_URL: context.ownerUrl });
const closing = async (...args: string[]) => JSON.parse((await daric("payment-link", ...args, "--json")).out);

async function aLink() {
  const ref = await aPaymentLink(context, merchantId);
  const isClosed = async () => (await findLink(context.db, ref))?.closedAt !== null;
  return { url: `https://pay.example/l/${ref.token}?ref=x`, isClosed };
}

it("closes one link, and gives it back, by its URL, with lines of the audit log", async () => {
  const [link, other] = [await aLink(), await aLink()];
  expect(await closing("close", link.url, "--reason", "a phishing page")).toEqual({
    merchant: merchantId,
    links: 1,
  });
  expect([await link.isClosed(), await other.isClosed()]).toEqual([true, false]);
  expect(await closing("close", link.url)).toMatchObject({ links: 0 });
  expect(await closing("close", link.url, "--undo")).toMatchObject({ links: 1 });
  expect(await link.isClosed()).toBe(false);
  const lines = JSON.parse((await daric("audit", "--json")).out);
  expect(lines.map(({ action, reason }: Record<string, string>) => [action, reason])).toContainEqual([
    "payment-link close",
    "a phishing page",
  ]);
});

it("closes all links of a merchant", async () => {
  const links = [await aLink(), await aLink()];
  await closing("close", "--merchant", merchantId);
  for (const link of links) expect(await link.isClosed()).toBe(true);
});

it.each([
  [[], "daric: give either the URL of a link or --merchant\n"],
  [["https://pay.example/l/nothing"], "daric: this is the URL of no payment link of this database\n"],
  [
    [`https://pay.example/l/${"A".repeat(40)}`],
    "daric: this is the URL of no payment link of this database\n",
  ],
])("refuses %j", async (args, err) => {
  expect(await daric("payment-link", "close", ...args)).toMatchObject({ out: "", err });
});
