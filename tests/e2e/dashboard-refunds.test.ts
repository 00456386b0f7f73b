import { sql } from "@daric/postgres/sql";
import { claimRefund } from "@daric/refunds/claim-refund";
import { anAddress, aSettlementAccount } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge, type ChargeOverrides } from "@daric/testing/charge-builders";
import { ownersDatabase } from "@daric/testing/owners-database";
import { PASSWORD } from "@daric/testing/people";
import { until } from "@daric/testing/until";
import type { Page } from "playwright-core";
import { TronWeb } from "tronweb";
import { encode } from "uqr";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage } from "./dashboard-stage.ts";

/** Blocks after which a transfer is final. */
const FINAL = 30;
const TRX_FEE = 100_000_000;

let chain: TestChain;
let stage: DashboardStage;
/** the merchant's own wallet */
let wallet: TronWeb;

beforeAll(async () => {
  chain = await startTestChain();
  stage = await openDashboardStage(chain);
  const { address, privateKey } = await TronWeb.createAccount();
  await chain.pay(address.base58, { usdt: "1000", trx: "1000" });
  await mine(1);
  wallet = chain.devchain.tronWeb(privateKey);
  await aSettlementAccount(stage.context.db, stage.merchant.id, { address: address.base58 });
});
afterAll(async () => {
  await stage?.close();
  await chain?.stop();
});
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

async function mine(blocks: number): Promise<void> {
  await chain.mine(blocks);
  await chain.scan(stage.context);
  // The process of the service read the blocks, and may refuse its first requests after them.
  await until("the service takes requests", async () => {
    const { status } = await fetch(`${stage.origin}/dashboard/v1/session`);
    return status === 401;
  });
}

/** An order of 25.5 USDT that got this much, final. */
async function paidOrder(orderRef: string, usdt: string, overrides: Partial<ChargeOverrides> = {}) {
  const { id: merchantId } = stage.merchant;
  const charge = await aCharge(stage.context.db, { merchantId, amount: "25.5", orderRef, ...overrides });
  await chain.pay(charge.address, { usdt });
  await mine(FINAL);
  return charge;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor({ timeout: SOON_MS });
const copied = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");
const badge = (page: Page, text: string) =>
  page.locator(".figures .badge", { hasText: text }).waitFor({ timeout: SOON_MS });

/** Loads the page again once its calls have ended: one that is cut off is a fault of the page. */
async function reload(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.reload();
}

/** The payer names an address by the link. */
async function claim(url: string, address = anAddress()): Promise<string> {
  const token = new URL(url).pathname.replace("/r/", "");
  await claimRefund(stage.context, { token, address, vet: async () => undefined });
  return address;
}

async function askFor(orderRef: string, page: Page): Promise<string> {
  await page.getByRole("dialog").getByRole("button", { name: "Ask for the refund" }).click();
  await page.getByRole("dialog", { name: "Link for the customer" }).waitFor({ timeout: SOON_MS });
  await button(page, "Copy the link").click();
  const url = await copied(page);
  await page.getByRole("link", { name: "Open the refund" }).first().click();
  await heading(page, orderRef);
  return url;
}

/** The text of a QR code on the page: that of which the code has the very modules. */
async function scanned(page: Page, text: string): Promise<string | undefined> {
  const path = await page.locator("dialog .qr path").getAttribute("d");
  const { data } = encode(text, { border: 2 });
  const modules = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return modules.join("") === path ? text : undefined;
}

/** Sends USDT from the merchant's own wallet. */
async function payUsdt(to: string, units: bigint, from = wallet): Promise<string> {
  const token = await from.contract().at(chain.devchain.usdtContract);
  return token.transfer(to, units.toString()).send({ feeLimit: TRX_FEE });
}

/** The proof of every session of the merchant is an old one. */
const forgetProofs = () =>
  ownersDatabase(stage.context.db).query(
    sql`update sessions set reauthenticated_at = now() - interval '1 hour'`,
  );

async function prove(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Prove that it is you" });
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm" }).click();
}

describe("a refund", () => {
  it("is asked for in the inbox, confirmed by another person, paid by its QR code, and recognised", async () => {
    await paidOrder("R-1", "38.25");
    const owner = await stage.person("owner");
    const asker = await stage.enter(await stage.person("admin"), "/inbox");
    await button(asker, "Refund 12.75 USDT").click();
    const dialog = asker.getByRole("dialog", { name: "Refund" });
    await dialog
      .getByText("More than 12.75 USDT takes money that paid the order")
      .waitFor({ timeout: SOON_MS });
    expect(await dialog.getByLabel("Amount", { exact: true }).inputValue()).toBe("12.75");
    await dialog.getByLabel("Amount", { exact: true }).fill("20");
    await dialog.getByLabel(/^Reason/).fill("Paid twice");
    const url = await askFor("R-1", asker);
    await asker.getByText("You asked for this refund, so another owner or admin must confirm it.").waitFor();
    expect(await button(asker, "Pay").count()).toBe(0);
    const payee = await claim(url);

    await forgetProofs();
    const page = await stage.enter(owner, "/inbox");
    await page.locator(".case", { hasText: "Confirm a refund" }).getByRole("link", { name: "R-1" }).click();
    await heading(page, "R-1");
    await page.getByText("This money paid the order").first().waitFor({ timeout: SOON_MS });
    await forgetProofs();
    await button(page, "Confirm the refund").click();
    await page.getByRole("dialog").getByRole("button", { name: "Confirm the refund" }).click();
    await prove(page);
    await badge(page, "Ready to pay");
    await page.getByText("Has paid this order").waitFor();
    await button(page, "Pay").click();
    const pay = page.getByRole("dialog", { name: "Pay" });
    await pay.locator(".qr").waitFor({ timeout: SOON_MS });
    const shown = (await pay.locator(".address-groups").innerText()).replace(/\s/g, "");
    expect([shown, await scanned(page, shown)]).toEqual([payee, payee]);
    expect(await pay.getByRole("timer").innerText()).toMatch(/^(30:00|29:\d\d)$/);
    await button(page, "Copy the amount").click();
    expect(await copied(page)).toBe("20");
    await payUsdt(shown, 20_000_000n);
    await pay.getByRole("button", { name: "Close" }).click();
    await mine(1);
    await reload(page);
    await badge(page, "On its way");
    expect(await button(page, "Pay").count()).toBe(0);
    await mine(FINAL);
    await reload(page);
    await badge(page, "Paid back");
    await page.getByRole("link", { name: "R-1" }).click();
    await page.getByText("20.00 USDT was paid back").waitFor({ timeout: SOON_MS });
  });

  it("is paid by a wallet of the browser, which is asked for exactly this transfer on this network", async () => {
    const charge = await paidOrder("R-2", "38.25");
    const page = await stage.enter(await stage.person("owner"), `/payments/${charge.id}`);
    const asked: object[] = [];
    await page.exposeFunction("walletCall", async (name: string, values: never[]) => {
      if (name === "getBlock") return wallet.trx.getBlock(values[0] ?? 0);
      if (name === "sign") return wallet.trx.sign(values[0] ?? expect.fail());
      if (name === "send") return wallet.trx.sendRawTransaction(values[0] ?? expect.fail());
      asked.push(values);
      return wallet.transactionBuilder.triggerSmartContract(
        ...(values as unknown as Parameters<TronWeb["transactionBuilder"]["triggerSmartContract"]>),
      );
    });
    await page.addInitScript(`
      const pass = (name) => (...values) => window.walletCall(name, values);
      window.tronLink = { request: async () => ({ code: 200 }), tronWeb: {
        defaultAddress: { base58: "${wallet.defaultAddress.base58}" },
        transactionBuilder: { triggerSmartContract: pass("call") },
        trx: { getBlock: pass("getBlock"), sign: pass("sign"), sendRawTransaction: pass("send") },
      } };`);
    await reload(page);
    await heading(page, "R-2");
    await button(page, "Refund").click();
    const payee = await claim(await askFor("R-2", page));
    await reload(page);
    await button(page, "Pay").click();
    await button(page, "Pay with TronLink").click();
    await page.getByText("Signed. It shows here once it is in a block.").waitFor({ timeout: SOON_MS });
    expect(await button(page, "Pay with TronLink").count()).toBe(0);
    expect(asked).toEqual([
      [
        chain.devchain.usdtContract,
        "transfer(address,uint256)",
        expect.anything(),
        [
          { type: "address", value: payee },
          { type: "uint256", value: "12750000" },
        ],
        wallet.defaultAddress.base58,
      ],
    ]);
    await mine(FINAL);
    await reload(page);
    await badge(page, "Paid back");
  });

  it("paid from an unknown wallet is a task, until a person says that the transfer is the refund", async () => {
    const charge = await paidOrder("R-3", "38.25");
    const page = await stage.enter(await stage.person("owner"), `/payments/${charge.id}`);
    await button(page, "Refund").click();
    const payee = await claim(await askFor("R-3", page));
    const { address, privateKey } = await TronWeb.createAccount();
    await chain.pay(address.base58, { usdt: "50", trx: "100" });
    await mine(1);
    await payUsdt(payee, 12_750_000n, chain.devchain.tronWeb(privateKey));
    await mine(1);
    await page.waitForLoadState("networkidle");
    await page.goto(`${stage.origin}/dashboard/inbox`);
    const task = page.locator(".case", { hasText: "Was this the refund?" });
    await task.getByRole("link", { name: "R-3" }).click();
    await page.locator(".transfer", { hasText: "Perhaps the refund" }).waitFor({ timeout: SOON_MS });
    await button(page, "This is the refund").click();
    await page.getByRole("dialog").getByRole("button", { name: "This is the refund" }).click();
    await badge(page, "On its way");
    await mine(FINAL);
    await reload(page);
    await badge(page, "Paid back");
  });

  it("asked for again warns of the address that was replaced, and a canceled one is over", async () => {
    const charge = await paidOrder("R-4", "38.25");
    const page = await stage.enter(await stage.person("owner"), `/payments/${charge.id}`);
    await button(page, "Refund").click();
    const replaced = await claim(await askFor("R-4", page));
    await reload(page);
    await badge(page, "Ready to pay");
    await button(page, "Ask for another address").click();
    await page.getByRole("dialog").getByRole("button", { name: "Ask for another address" }).click();
    await page.getByText("Replaced: do not pay").waitFor({ timeout: SOON_MS });
    await page.getByText(replaced).waitFor();
    await page.getByRole("heading", { name: "Link for the customer" }).waitFor({ timeout: SOON_MS });
    await button(page, "Cancel the refund").click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the refund" }).click();
    await badge(page, "Canceled");
    expect(await button(page, "Pay").count()).toBe(0);
  });

  it("is in the file of all that are ready, and on no screen of a person without the right", async () => {
    const charge = await paidOrder("R-5", "38.25");
    const page = await stage.enter(await stage.person("owner"), `/payments/${charge.id}`);
    await button(page, "Refund").click();
    const payee = await claim(await askFor("R-5", page));
    const id = page.url().split("/").at(-1) ?? "";
    await page.waitForLoadState("networkidle");
    await page.goto(`${stage.origin}/dashboard/refunds?status=READY`);
    await page.locator("[data-row]", { hasText: "R-5" }).waitFor({ timeout: SOON_MS });
    await button(page, "File to pay all in USDT").click();
    await page.getByRole("dialog").getByRole("button", { name: "File to pay all in USDT" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download the file" }).click();
    const text = await (await download).createReadStream().then(async (stream) => {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      return Buffer.concat(parts).toString();
    });
    expect(text.split("\r\n")[1]).toContain(`"${payee}",12.75,"R-5","USDT","person Ada","payer",false`);
    const viewer = await stage.enter(await stage.person("viewer"), `/refunds/${id}`);
    await badge(viewer, "Ready to pay");
    for (const name of ["Pay", "Cancel the refund", "Ask for another address", "Copy the link"])
      expect([name, await button(viewer, name).count()]).toEqual([name, 0]);
    const developer = await stage.enter(await stage.person("developer"), `/refunds/${id}`);
    await developer.getByText("Your role does not allow this.").waitFor({ timeout: SOON_MS });
    expect(await developer.getByRole("link", { name: "Refunds", exact: true }).count()).toBe(0);
  });
});
