import { amountFromUnits } from "@daric/domain/money";
import { aDeposit } from "@daric/testing/charge-builders";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import type { BrowserContextOptions, FrameLocator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { phone, SOON_MS } from "./checkout-stage.ts";
import { type EmbedStage, openEmbedStage } from "./embed-stage.ts";

let stage: EmbedStage;

beforeAll(async () => {
  stage = await openEmbedStage();
});
afterAll(() => stage?.close());
afterEach(() => stage.closePages());

const WAITING = "Waiting for your payment";
const soon = { timeout: SOON_MS };

/** A page of a shop that loads the script by its integrity, taller than any screen. */
function shopPage(body: string, lang = "en"): string {
  const { path, integrity } = stage.script;
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
<script src="${stage.origin}${path}" integrity="${integrity}" crossorigin="anonymous" async></script></head>
<body><main><h1>Shop</h1>${body}${"<p>Books</p>".repeat(100)}</main></body></html>`;
}

type Sold = {
  readonly page: Page;
  readonly url: string;
  readonly order: Awaited<ReturnType<EmbedStage["anOrder"]>>;
};

/** A shop's page with a link to an order, and what it hears. */
async function openShop(
  { at = stage.shop, lang, ...options }: BrowserContextOptions & { at?: string; lang?: string } = {},
  overrides: Parameters<EmbedStage["anOrder"]>[0] = {},
): Promise<Sold> {
  const order = await stage.anOrder(overrides);
  const url = `${stage.origin}/c/${order.checkoutToken}`;
  const page = await stage.open(at, shopPage(`<p><a data-daric href="${url}">Pay</a></p>`, lang), options);
  if (options.javaScriptEnabled !== false) {
    await page.waitForFunction("window.Daric", undefined, soon);
    await page.evaluate(
      `window.heard = []; addEventListener("message", ({ data, origin }) => heard.push({ ...data, origin }))`,
    );
  }
  return { page, url, order };
}

const link = (page: Page) => page.getByRole("link", { name: "Pay" });
const modal = (page: Page) => page.getByRole("dialog", { name: "Payment" });
const inside = (page: Page): FrameLocator => page.frameLocator("iframe");

async function openModal(page: Page): Promise<void> {
  await link(page).click();
  await inside(page).getByText(WAITING).first().waitFor(soon);
}

const gone = (page: Page) => page.locator("dialog").waitFor({ state: "detached", ...soon });
const hasFocus = (page: Page) =>
  link(page).evaluate((element) => element === element.ownerDocument.activeElement);
const overflow = (page: Page) =>
  page.evaluate<string>("getComputedStyle(document.documentElement).overflowY");
const heard = (page: Page, type: string) =>
  page.evaluate<{ state: string; origin: string }[]>(`heard.filter(({ type }) => type === "${type}")`);

describe("a page of a listed origin", () => {
  it("shows the payment page in a modal that holds the page behind still, and hears its state", async () => {
    const { page, url } = await openShop();
    await openModal(page);
    expect(await overflow(page)).toBe("hidden");
    expect(page.url()).not.toContain("/c/");
    await expect
      .poll(() => heard(page, "state"))
      .toEqual([
        {
          source: "daric",
          version: 1,
          type: "state",
          state: "awaiting",
          orderRef: "A-1042",
          origin: stage.origin,
        },
      ]);
    expect(await modal(page).getByRole("link").first().getAttribute("href")).toBe(url);
  });

  const ways: [string, (page: Page) => Promise<unknown>][] = [
    ["the button Close", (page) => modal(page).getByRole("button", { name: "Close" }).click()],
    ["Escape", (page) => page.keyboard.press("Escape")],
    ["Escape inside the payment page", (page) => inside(page).locator("h1, h2").first().press("Escape")],
    ["the back button", (page) => page.evaluate("history.back()")],
  ];
  it.each(ways)(
    "ends the modal by %s, and the focus, the scrolling and the history are as before",
    async (_, end) => {
      const { page } = await openShop();
      const shop = page.url();
      for (const _ of [1, 2]) {
        await openModal(page);
        await end(page);
        await gone(page);
        expect(await hasFocus(page)).toBe(true);
        expect(await overflow(page)).toBe("visible");
        await expect.poll(() => page.evaluate("history.state?.daric")).toBeUndefined();
        expect(page.url()).toBe(shop);
      }
      await page.goBack();
      expect(page.url()).toBe("about:blank");
    },
  );

  it("shows a payment link, ends by Escape inside, and leads on to the order in the same frame", async () => {
    const { token } = await aPaymentLink(stage.context, stage.merchantId, {
      amount: amountFromUnits(25_000_000n),
    });
    const url = `${stage.origin}/l/${token}`;
    const page = await stage.open(stage.shop, shopPage(`<p><a data-daric href="${url}">Pay</a></p>`));
    await page.waitForFunction("window.Daric", undefined, soon);
    await page.evaluate(
      `window.heard = []; addEventListener("message", ({ data, origin }) => heard.push({ ...data, origin }))`,
    );
    const pay = inside(page).getByRole("button", { name: "Continue to payment" });
    await link(page).click();
    await pay.press("Escape", soon);
    await gone(page);
    await link(page).click();
    await pay.click(soon);
    await inside(page).getByText(WAITING).first().waitFor(soon);
    await expect.poll(() => heard(page, "state")).toMatchObject([{ state: "awaiting" }]);
  });

  it("leaves one step back though the page inside led on to another one", async () => {
    const { page } = await openShop();
    await openModal(page);
    await page
      .frames()
      .at(-1)
      ?.evaluate("void setTimeout(() => location.assign(location.href + '&lang=es'))");
    await inside(page).locator("html[lang=es] main").waitFor(soon);
    await modal(page).getByRole("button", { name: "Close" }).click();
    await gone(page);
    await expect.poll(() => page.evaluate("history.state?.daric")).toBeUndefined();
    await page.goBack();
    expect(page.url()).toBe("about:blank");
  });

  it("keeps the focus in the modal", async () => {
    const { page } = await openShop();
    await openModal(page);
    const places = new Set<string>();
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press("Tab");
      places.add(
        await page.evaluate<string>(
          "document.activeElement.shadowRoot?.activeElement?.tagName ?? document.activeElement.tagName",
        ),
      );
    }
    // The body stands for the browser's own controls.
    expect([...places].filter((place) => place !== "BODY").sort()).toEqual(["A", "BUTTON", "IFRAME"]);
  });

  it("gives the modal the whole screen of a phone", async () => {
    const { page } = await openShop(phone);
    await openModal(page);
    await page.waitForTimeout(300);
    expect(await modal(page).boundingBox()).toEqual({ x: 0, y: 0, ...phone.viewport });
  });

  it("makes the modal as high as the payment page, where the screen has the room", async () => {
    const { page } = await openShop({ viewport: { width: 1_280, height: 1_600 } });
    await openModal(page);
    await expect.poll(async () => (await modal(page).boundingBox())?.height).toBeLessThan(1_400);
    const rest = "document.documentElement.scrollHeight - innerHeight";
    await expect.poll(() => page.frames().at(-1)?.evaluate(rest)).toBe(0);
  });

  it("has a modal without a fault that axe finds, in the frame too", async () => {
    const { page } = await openShop();
    await openModal(page);
    for (const frame of page.frames()) {
      await frame.evaluate(stage.axe);
      const violations = await frame.evaluate<string[]>(
        `axe.run(document, { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
      );
      expect(violations).toEqual([]);
    }
  });

  it("speaks Arabic from right to left, and another language inside keeps the frame and the history", async () => {
    const { page, url } = await openShop({ lang: "ar", locale: "ar" });
    await link(page).click();
    const main = inside(page).locator("html[lang=ar][dir=rtl] main");
    await main.waitFor(soon);
    await inside(page).locator("a[hreflang=es]").click();
    await inside(page).locator("html[lang=es] main").waitFor(soon);
    await expect.poll(() => heard(page, "state")).toHaveLength(2);
    expect(page.frames().at(-1)?.url()).toBe(`${url}?lang=es&embed=${encodeURIComponent(stage.shop)}`);
    await page.getByRole("dialog", { name: "الدفع" }).getByRole("button", { name: "إغلاق" }).click();
    await gone(page);
    await page.goBack();
    expect(page.url()).toBe("about:blank");
  });

  it("tells the states to its own functions, and the last one at the end", async () => {
    const { page, url } = await openShop();
    await page.evaluate(
      `Daric.open({ checkoutUrl: "${url}", onState: (of) => (window.state = of), onClose: (of) => (window.ended = of) })`,
    );
    await expect.poll(() => page.evaluate("window.state")).toBeDefined();
    await page.keyboard.press("Escape");
    await gone(page);
    const told = { state: "awaiting", orderRef: "A-1042" };
    expect(await page.evaluate("[state, ended]")).toEqual([told, told]);
  });

  it("hears that the order is paid, and is led back by the button alone, in the whole window", async () => {
    const { page, order } = await openShop({}, { successUrl: `${stage.shop}/thanks` });
    await page.clock.install();
    await openModal(page);
    await aDeposit(stage.context.db, { chargeId: order.id, amount: "25.5" });
    const paid = inside(page).getByText("25.50 USDT received. The payment is final.").first();
    for (let seconds = 0; seconds < 60 && !(await paid.isVisible()); seconds += 1) {
      await page.clock.runFor(1_000);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await paid.waitFor(soon);
    await expect.poll(() => heard(page, "state")).toMatchObject([{ state: "awaiting" }, { state: "paid" }]);
    const shop = page.url();
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(shop);
    await paid.waitFor(soon);
    await inside(page).getByRole("link", { name: "Back to Blue Bottle Books" }).click();
    await page.waitForURL(`${stage.shop}/thanks?ref=A-1042&status=paid`, soon);
  });

  it("keeps a paid page that it framed without the script", async () => {
    const order = await stage.anOrder({ successUrl: `${stage.shop}/thanks` });
    await aDeposit(stage.context.db, { chargeId: order.id, amount: "25.5" });
    const page = await stage.open(
      stage.shop,
      `<iframe src="${stage.origin}/c/${order.checkoutToken}"></iframe>`,
    );
    await inside(page).getByText("The payment is final.").first().waitFor(soon);
    expect(await inside(page).locator("[data-redirect-after], meta[http-equiv=refresh]").count()).toBe(0);
  });
});

describe("a page that the merchant did not list", () => {
  /** Frames that the browser filled with its own page about the refusal. */
  const refused = async (page: Page) => {
    await expect
      .poll(() =>
        page
          .frames()
          .map((frame) => frame.url())
          .at(-1),
      )
      .toMatch(/^chrome-error:/);
  };

  it("cannot show the payment page, and hears nothing", async () => {
    const { page } = await openShop({ at: stage.stranger });
    await link(page).click();
    await refused(page);
    expect(await page.evaluate("heard")).toEqual([]);
  });

  it("cannot name a listed origin, nor frame the page of one", async () => {
    const order = await stage.anOrder();
    const address = `${stage.origin}/c/${order.checkoutToken}?embed=${encodeURIComponent(stage.shop)}`;
    await refused(await stage.open(stage.stranger, `<iframe src="${address}"></iframe>`));
    const shop = await stage.open(stage.shop, `<html data-free><iframe src="${address}"></iframe>`);
    await inside(shop).getByText(WAITING).first().waitFor(soon);
    const around = await stage.open(stage.stranger, `<html data-free><iframe src="${shop.url()}"></iframe>`);
    await around.waitForFunction("window.length === 1 && window[0].length === 1", undefined, soon);
    await refused(around);
  });

  it.each(["/r/a", "/dashboard", "/c/a", "/dashboard/preview"])(
    "as a listed one, cannot frame %s",
    async (path) => {
      await refused(await stage.open(stage.shop, `<iframe src="${stage.origin}${path}"></iframe>`));
    },
  );
});

it("a message of another frame is ignored, though it is our page", async () => {
  const { page, url } = await openShop();
  const other = await stage.anOrder({ orderRef: "B-1" });
  await page.evaluate(
    `Daric.open({ checkoutUrl: "${url}", onState: (of) => (window.states ??= []).push(of) })`,
  );
  await page.evaluate(`
    const frame = document.createElement("iframe");
    frame.src = "${stage.origin}/c/${other.checkoutToken}?embed=${encodeURIComponent(stage.shop)}";
    document.body.append(frame);
    postMessage({ source: "daric", version: 1, type: "close", state: "paid", orderRef: "A-1042" }, "*");`);
  await expect
    .poll(async () => (await heard(page, "state")).length + (await heard(page, "close")).length)
    .toBe(3);
  expect(await page.evaluate("states")).toEqual([{ state: "awaiting", orderRef: "A-1042" }]);
  expect(await modal(page).isVisible()).toBe(true);
});

it("the payment page in a frame listens to no message", async () => {
  const { page } = await openShop();
  await openModal(page);
  await expect.poll(() => heard(page, "state")).toHaveLength(1);
  const session = await page.context().newCDPSession(page);
  let inFrame: number | undefined;
  session.on("Runtime.executionContextCreated", ({ context }) => {
    if (context.origin === stage.origin && context.auxData?.isDefault) inFrame = context.id;
  });
  await session.send("Runtime.enable");
  const inside = { expression: "window", contextId: inFrame ?? 0 };
  const { objectId = "" } = (await session.send("Runtime.evaluate", inside)).result;
  const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId });
  const types = listeners.map(({ type }) => type);
  expect(types).toContain("keydown");
  expect(types).not.toContain("message");
});

describe("a link of a shop", () => {
  it("leads to the payment page without JavaScript", async () => {
    const { page, url } = await openShop({ javaScriptEnabled: false });
    await link(page).click();
    await page.waitForURL(url, soon);
    await page.getByText(WAITING).first().waitFor(soon);
  });

  it("stays the browser's own for a click with Control", async () => {
    const { page } = await openShop();
    await page.evaluate(`addEventListener("click", (event) => {
      window.wasTaken = event.defaultPrevented;
      event.preventDefault();
    })`);
    await link(page).click({ modifiers: ["Control"] });
    expect(await page.evaluate("wasTaken")).toBe(false);
    expect(await page.locator("dialog").count()).toBe(0);
  });

  it("to another place stays a link, and one that would run something does nothing", async () => {
    const page = await stage.open(
      stage.shop,
      shopPage(`<p><a data-daric href="${stage.stranger}/c/a">Other</a>
        <a data-daric href="javascript:document.title='run'">Script</a></p>`).replace(
        "<html",
        "<html data-free",
      ),
    );
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.waitForFunction("window.Daric", undefined, soon);
    await page.getByRole("link", { name: "Script" }).click();
    expect(await page.title()).toBe("Shop");
    await page.getByRole("link", { name: "Other" }).click();
    await page.waitForURL(`${stage.stranger}/c/a`, soon);
    expect(errors).toEqual([
      "Daric.open: checkoutUrl must be an https URL",
      `Daric.open: checkoutUrl must be of ${stage.origin}`,
    ]);
  });
});
