import { isNight } from "@daric/testing/at-night";
import { aDeposit } from "@daric/testing/charge-builders";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type CheckoutStage,
  desk,
  HEAD,
  HOUR_MS,
  openCheckoutStage,
  phone,
  smallPhone,
  visibleText,
} from "./checkout-stage.ts";

let stage: CheckoutStage;

beforeAll(async () => {
  stage = await openCheckoutStage();
});
afterAll(() => stage?.close());
afterEach(async () => expect(await stage.closePages()).toEqual([]));

type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
type AxeReport = {
  readonly comparedTexts: number;
  readonly texts: number;
  readonly violations: readonly Finding[];
  readonly incomplete: readonly Finding[];
};
type Order = Parameters<CheckoutStage["anOrder"]>[0];
type Deposit = Parameters<typeof aDeposit>[1];

/** The number of visible elements with text of their own, without the characters that axe ignores. */
const COUNT_TEXTS = `[...document.querySelectorAll("body *")].filter((element) =>
  !element.closest(".visually-hidden, svg, [disabled]") && element.checkVisibility({ visibilityProperty: true }) &&
  [...element.childNodes].some((node) => node.nodeType === 3 && /[\\p{Script=Latin}\\d]/u.test(node.data))).length`;

/**
 * Requires the rules of WCAG 2.2 AA and good practice, a checked contrast of every text, and no sideways scroll.
 * The checker ignores the page's content policy.
 */
async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(
    0,
  );
  const { texts, comparedTexts, ...findings } = await page.evaluate<AxeReport>(`${stage.axe};
    axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
      .then(({ passes, violations, incomplete }) => ({
        texts: ${COUNT_TEXTS},
        comparedTexts: passes.find(({ id }) => id === "color-contrast")?.nodes.length ?? 0,
        violations, incomplete,
      }))`);
  const found = [...findings.violations, ...findings.incomplete];
  expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(comparedTexts).toBeGreaterThanOrEqual(texts);
  expect(texts).toBeGreaterThan(2);
}

type Widths = { scrollWidth: number; clientWidth: number };
/** When a phone zooms out, the window width equals the page's; the layout width does not. */
const WIDTHS = `(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)`;

describe("every state, size and colour scheme", () => {
  const expired = { status: "EXPIRED", expiresAt: new Date(Date.now() - HOUR_MS) } as const;
  const found = { chargeId: "", amount: "25.5", status: "CONFIRMING", blockNumber: HEAD } as const;
  const lapsed = new Date(Date.now() - HOUR_MS / 5);
  const part = { chargeId: "", amount: "10" };
  const wrong = { chargeId: "", currency: "TRX", amount: "50", source: "transfer" } as const;
  const states: [string, string, Order, Deposit[]][] = [
    ["awaiting", "Waiting for your payment", {}, []],
    ["awaiting", "Price held for", { fiatAmount: "25.00", feeMode: "client", payAmount: "25.757576" }, []],
    ["awaiting", "Get today's amount", { fiatAmount: "25.00", quote: { lockedAt: lapsed } }, []],
    ["underpaid", "Get today's amount", { fiatAmount: "25.00", quote: { lockedAt: lapsed } }, [part]],
    ["awaiting", "50 TRX arrived", {}, [wrong]],
    ["awaiting", "Ready to receive", { kind: "receive", orderRef: null }, []],
    ["confirming", "Payment found", {}, [found]],
    ["paid", "The payment is final", {}, [{ chargeId: "", amount: "25.5" }]],
    ["overpaid", "4.50 more than asked", {}, [{ chargeId: "", amount: "30" }]],
    ["underpaid", "15.50 USDT is missing", {}, [part]],
    ["underpaid", "Paid in part", expired, [part]],
    ["paid", "accepted 10.00 of 25.50 USDT", { status: "ARCHIVED", acceptedAt: new Date() }, [part]],
    ["expired", "This payment link has expired", expired, []],
    ["error", "This order is closed", { status: "ARCHIVED" }, []],
  ];
  const screenshots = [
    { ...smallPhone, colorScheme: "light" },
    { ...desk, colorScheme: "dark" },
  ] as const;

  /** In the nightly run each state is tested on both screens; otherwise the screens take turns. */
  const screenshotsOf = (index: number) => (isNight ? screenshots : [screenshots[index % 2 === 0 ? 0 : 1]]);
  /** The layouts before and after a payment, on a phone and on a desk; the nightly run tests the others. */
  const daily = ["Waiting for your payment", "Payment found"];
  const numbered = states
    .filter(([, wording]) => isNight || daily.includes(wording))
    .map((row, index) => [...row, index] as const);

  it.each(numbered)(
    "is readable, operable and fits: %s, %s",
    async (state, wording, charge, deposits, index) => {
      await stage.setConfirmations(7);
      const orderRef = "ORDER-2026-000123456789-with-a-very-long-reference";
      const order = await stage.anOrder({ orderRef, ...charge });
      for (const deposit of deposits) await aDeposit(stage.context.db, { ...deposit, chargeId: order.id });
      await Promise.all(
        screenshotsOf(index).map(async (screenshot) => {
          const page = await stage.open(`/c/${order.checkoutToken}`, {
            ...screenshot,
            reducedMotion: "reduce",
          });
          await visibleText(page, wording);
          expect(await page.locator("main").getAttribute("data-state")).toBe(state);
          await expectSound(page);
        }),
      );
    },
  );

  it("shows a problem page for an unknown checkout", async () => {
    const page = await stage.open(`/c/${"A".repeat(32)}`);
    await visibleText(page, "We cannot find this payment");
    await expectSound(page);
    stage.faults = stage.faults.filter((fault) => !fault.includes("404"));
  });

  it("passes the rules in Arabic, from right to left", async () => {
    const order = await stage.anOrder({ fiatAmount: "25.00", feeMode: "client", payAmount: "25.757576" });
    await aDeposit(stage.context.db, { chargeId: order.id, amount: "10" });
    for (const device of isNight ? [smallPhone, desk] : [smallPhone]) {
      const page = await stage.open(`/c/${order.checkoutToken}?lang=ar`, device);
      await visibleText(page, "ينقص 15.76 USDT");
      expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
      const direction = `getComputedStyle(document.querySelector(".address")).direction`;
      expect(await page.evaluate(direction)).toBe("ltr");
      await expectSound(page);
    }
  });

  it.runIf(isNight)(
    "fits with text of twice the size, from right to left, and in forced colours",
    async () => {
      const order = await stage.anOrder({ fiatAmount: "25.00", feeMode: "client", payAmount: "25.757576" });
      const paid = await stage.anOrder();
      await aDeposit(stage.context.db, { chargeId: paid.id, amount: "25.5" });
      for (const { checkoutToken } of [order, paid]) {
        const page = await stage.open(`/c/${checkoutToken}`, { ...phone, forcedColors: "active" });
        for (const change of [`dir = "rtl"`, `style.fontSize = "200%"`]) {
          await page.evaluate(`void (document.documentElement.${change})`);
          const { scrollWidth, clientWidth } = await page.evaluate<Widths>(WIDTHS);
          expect(scrollWidth).toBe(clientWidth);
        }
      }
    },
  );

  it.runIf(isNight)("cuts no word of a receipt on a narrow phone", async () => {
    const paid = await stage.anOrder();
    await aDeposit(stage.context.db, { chargeId: paid.id, amount: "25.5" });
    const page = await stage.open(`/c/${paid.checkoutToken}?lang=ru`, smallPhone);
    await visibleText(page, "Дата получения");
    const heights = `[...document.querySelectorAll("dt")].map((name) => name.getBoundingClientRect().height)`;
    expect(Math.max(...(await page.evaluate<number[]>(heights)))).toBeLessThan(30);
  });
});

describe("the layout", () => {
  it("has the amount, the address and their copy buttons in the first screen of a phone", async () => {
    for (const [coins, query] of [
      [{}, ""],
      [{}, "?lang=ru"],
      [{ amount: "1234567.123456" }, ""],
    ] as const) {
      const order = await stage.anOrder(coins);
      for (const device of isNight ? [phone, smallPhone] : [smallPhone]) {
        const page = await stage.open(`/c/${order.checkoutToken}${query}`, device);
        for (const part of [".amount", "#copy-amount", ".address", "#copy-address"]) {
          const box = await page.locator(part).boundingBox();
          expect(box && box.y + box.height, part).toBeLessThanOrEqual(device.viewport.height);
        }
        expect(await page.locator(".qr-code").count()).toBe(0);
        await page.locator(".way").click();
        await page.locator(".qr-code").waitFor();
      }
    }
  });

  it("breaks no amount inside its digits, in large letters and on a page of half the width", async () => {
    const broken = `[...document.querySelectorAll("main .whole")].flatMap((part) =>
      part.getClientRects().length > 1 || part.getBoundingClientRect().right > innerWidth ? part.textContent : [])`;
    for (const [amount, paid] of [
      ["29.9", "10"],
      ["49.93493", "0.01001"],
      ["1234.567891", "1"],
    ] as const) {
      const order = await stage.anOrder({ amount });
      const page = await stage.open(`/c/${order.checkoutToken}`, { viewport: { width: 195, height: 667 } });
      for (const state of ["awaiting", "underpaid"]) {
        await page.locator(`[data-state="${state}"]`).waitFor();
        expect(await page.evaluate(broken)).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
        expect(await page.locator("main .whole").count()).toBeGreaterThan(2);
        expect(await page.evaluate(broken)).toEqual([]);
        if (state === "underpaid") break;
        await aDeposit(stage.context.db, { chargeId: order.id, amount: paid });
        await page.setViewportSize({ width: 195, height: 667 });
        await page.reload();
      }
      await page.close();
    }
  });

  it("has the QR code first on a desk", async () => {
    const order = await stage.anOrder();
    const page = await stage.open(`/c/${order.checkoutToken}`, desk);
    const [code, address] = [page.locator(".qr-code"), page.locator(".address")];
    expect(await code.isVisible()).toBe(true);
    const [left, right] = [await code.boundingBox(), await address.boundingBox()];
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
  });

  it("prints a receipt: black on white, with the payment, and without controls", async () => {
    const order = await stage.anOrder({ successUrl: `${stage.origin}/shop/thanks` });
    const { txId } = await aDeposit(stage.context.db, { chargeId: order.id, amount: "25.5" });
    const page = await stage.open(`/c/${order.checkoutToken}`, { ...desk, colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    for (const text of ["25.50 USDT", "A-1042", txId, "UTC", "Receipt", order.address, stage.origin])
      await visibleText(page, text);
    const mark = page.locator(".test-mark");
    expect(await mark.innerText()).toBe("TEST - no value");
    const { width = 0 } = (await mark.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(desk.viewport.width / 2);
    expect(await page.locator("header:visible, footer:visible, button:visible, .exit:visible").count()).toBe(
      0,
    );
    const colors = await page.evaluate(
      `["color", "backgroundColor"].map((name) => getComputedStyle(document.body)[name])`,
    );
    expect(colors).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
  });
});

describe("the ways into a wallet", () => {
  const anOrderOnMainnet = async (query = "") => {
    const { checkoutToken, id } = await stage.anOrder({ amount: "49.93992", network: "mainnet" });
    return { id, url: `${stage.mainnetOrigin}/c/${checkoutToken}${query}` };
  };

  it.each([
    ["with scripts, in the dark", { colorScheme: "dark" }],
    ["without scripts", { javaScriptEnabled: false }],
  ] as const)(
    "are sound on a phone %s, and a tap that leads nowhere leaves the page as it was",
    async (_, options) => {
      const { url } = await anOrderOnMainnet();
      const page = await stage.open(url, { ...smallPhone, ...options });
      await visibleText(page, "Exactly 49.93992 USDT is due; 49.94 pays it in full.");
      if (!("javaScriptEnabled" in options)) await expectSound(page);
      const before = await page.locator(".where").innerHTML();
      for (const name of ["Pay with Trust Wallet", "Pay with TokenPocket"]) {
        await page.getByRole("link", { name }).click();
        expect(page.url()).toBe(url);
        expect(await page.locator(".where").innerHTML()).toBe(before);
      }
      stage.faults = stage.faults.filter((fault) => !/Failed to launch '(trust|tpoutside):/.test(fault));
    },
  );

  it("include a QR code with the amount on a desk, which is kept in the page's language and through its updates", async () => {
    const { id, url } = await anOrderOnMainnet("?lang=ru");
    const page = await stage.open(url, desk);
    const code = () => page.locator(".qr-code path").getAttribute("d");
    const plain = await code();
    await page.getByRole("link", { name: "QR-код с суммой" }).click();
    await visibleText(page, "Этот код читают немногие кошельки");
    const whole = await code();
    expect(whole).not.toBe(plain);
    await expectSound(page);
    await aDeposit(stage.context.db, { chargeId: id, amount: "10.01001" });
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await visibleText(page, "Не хватает 39,93 USDT");
    expect(await page.locator(".qr-box").getAttribute("open")).toBe("");
    expect([plain, whole]).not.toContain(await code());
    await page.getByRole("link", { name: "QR-код адреса" }).click();
    await page.getByRole("link", { name: "QR-код с суммой" }).waitFor();
    expect(await code()).toBe(plain);
  });
});

describe("without scripts", () => {
  it("shows everything that paying needs, with the date of its end", async () => {
    const order = await stage.anOrder({ expiresAt: new Date("2031-05-06T07:08:00Z") });
    const page = await stage.open(`/c/${order.checkoutToken}`, { javaScriptEnabled: false });
    for (const text of [
      "25.50",
      "A-1042",
      "Blue Bottle Books",
      "TRON · TRC-20",
      "until May 6, 2031 at 07:08 UTC",
    ]) {
      await visibleText(page, text);
    }
    expect((await page.locator(".address").innerText()).replace(/\s/g, "")).toBe(order.address);
    expect(await page.locator("button[type=button]:visible").count()).toBe(0);
    await page.getByRole("link", { name: "Show QR code for another device" }).click();
    expect(await page.locator(".qr-code").isVisible()).toBe(true);
    await aDeposit(stage.context.db, { chargeId: order.id, amount: "25.5" });
    await page.reload();
    await visibleText(page, "25.50 USDT received. The payment is final.");
  });
});
