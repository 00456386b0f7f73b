import { anAddress } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aPermittedWallet } from "@daric/testing/permitted-wallet";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage } from "./dashboard-stage.ts";

let chain: TestChain;
let stage: DashboardStage;

beforeAll(async () => {
  chain = await startTestChain();
  stage = await openDashboardStage(chain);
}, 60_000);
afterAll(async () => {
  await stage?.close();
  await chain?.stop();
});

it("a wallet that another key may move is asked for after its owner has confirmed this key, on a phone", async () => {
  const [stranger, wallet] = [anAddress(), await aPermittedWallet(chain, "shared with another key")];
  await wallet.permit({ owner: { [wallet.address]: 1 }, active: { [stranger]: 1 } });
  const page = await stage.enter(await stage.person("owner"), "/settlement", {
    viewport: { width: 360, height: 720 },
  });
  await page.getByRole("button", { name: "Ask for a wallet" }).click();
  const dialog = page.locator("dialog");
  await dialog.getByLabel("TRON address of your wallet").fill(wallet.address);
  const ask = () => dialog.getByRole("button", { name: "Ask for a wallet" }).click();
  await ask();
  await dialog
    .getByText(`Without its own key, other keys may move all of its money: ${stranger}.`)
    .waitFor({ timeout: SOON_MS });
  const confirmation = dialog.getByLabel("I know these keys, and they may move my money.");
  expect(await confirmation.isChecked()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await ask();
  await confirmation.check({ timeout: SOON_MS });
  await ask();
  const request = page.locator("li", { hasText: "Waits for your operator" });
  await request.waitFor({ timeout: SOON_MS });
  await request.getByText("Your operator runs this").click();
  const commands = await request.locator("code").allInnerTexts();
  expect(commands.filter((text) => /--permissions [0-9a-f]{32}( |$)/.test(text))).toEqual([
    expect.stringContaining("daric settlement-account add"),
    expect.stringContaining("daric-signer approve"),
  ]);
  expect((await stage.closePages()).filter((fault) => !fault.includes("409"))).toEqual([]);
});
