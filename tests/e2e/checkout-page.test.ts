import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aDeposit, confirmDeposit } from "@daric/testing/charge-builders";
import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type CheckoutStage,
  desk,
  HEAD,
  HOUR_MS,
  openCheckoutStage,
  SOON_MS,
  visibleText,
} from "./checkout-stage.ts";

let stage: CheckoutStage;

beforeAll(async () => {
  stage = await openCheckoutStage();
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

/** Runs the page's clock at ten times its speed until `done`. */
async function whileTimePasses(page: Page, done: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const finished = done.finally(() => waiting.abort());
  while (!waiting.signal.aborted) {
    await page.clock.runFor(1_000);
    await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await finished;
}

/** Adds up the layout shifts from now on. */
const WATCH_SHIFTS = `window.shifted = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shifted += value; })
    .observe({ type: "layout-shift", buffered: true });`;

function soon(page: Page, text: string): Promise<void> {
  return whileTimePasses(page, visibleText(page, text));
}

describe("the live page", () => {
  it("goes from awaiting through confirming to paid and back to the shop, without a reload or a jump", async () => {
    const { context } = stage;
    const order = await stage.anOrder({ successUrl: `${stage.origin}/shop/thanks?own=1` });
    await stage.setConfirmations(1);
    const page = await stage.open(`/c/${order.checkoutToken}`);
    await visibleText(page, "Waiting for your payment");
    await page.evaluate(`window.neverReloaded = true; ${WATCH_SHIFTS}`);
    const icon = await page.locator("link[rel=icon]").getAttribute("href");
    const deposit = await aDeposit(context.db, {
      chargeId: order.id,
      amount: "25.5",
      status: "CONFIRMING",
      blockNumber: HEAD,
    });
    await soon(page, "Payment found");
    expect(await page.locator("#announcement").textContent()).toBe(
      "25.50\u00a0USDT found. Confirming, about a minute.",
    );
    expect(await page.locator("[data-copy]").count()).toBe(0);
    await stage.setConfirmations(7);
    await whileTimePasses(page, page.locator('progress[value="7"]').waitFor({ timeout: SOON_MS }));
    expect(await page.locator("output").textContent()).toBe("7");
    await stage.setConfirmations(21);
    await soon(page, "Waiting for the network to make it final");
    await soon(page, "19 of 19");
    await confirmDeposit(context.db, deposit);
    await soon(page, "25.50 USDT received. The payment is final.");
    expect(await page.locator("#announcement").textContent()).toMatch(/^Paid\. 25\.50\sUSDT received\./);
    expect(await page.title()).toBe("✓ Paid · Receipt A-1042");
    expect(await page.locator("link[rel=icon]").getAttribute("href")).not.toBe(icon);
    expect(await page.evaluate("window.neverReloaded")).toBe(true);
    expect(await page.evaluate("window.shifted")).toBeLessThanOrEqual(0.05);
    const back = page.waitForURL(`${stage.origin}/shop/thanks?own=1&ref=A-1042&status=paid`, {
      timeout: SOON_MS,
    });
    await whileTimePasses(page, back);
  });

  /**
   * Opens an order with this received amount. An amount above the due one makes it final, so the page needs no
   * socket, which a minute of its clock would end.
   */
  async function openEnded(amount: string, overrides: Parameters<CheckoutStage["anOrder"]>[0] = {}) {
    const order = await stage.anOrder({ successUrl: `${stage.origin}/shop/thanks`, ...overrides });
    if (amount !== "") await aDeposit(stage.context.db, { chargeId: order.id, amount });
    const page = await stage.open(`/c/${order.checkoutToken}`, { hasTouch: false, isMobile: false });
    return { chargeId: order.id, page, url: `${stage.origin}/c/${order.checkoutToken}` };
  }
  const paidUrl = () => `${stage.origin}/shop/thanks?ref=A-1042&status=paid`;

  it.runIf(isNight)(
    "returns to the shop even if the pointer rests on the page or moves over it",
    async () => {
      const { page } = await openEnded("30");
      await page.mouse.move(100, 100);
      await page.clock.runFor(1_000);
      await page.mouse.move(300, 300);
      // The click hits no control.
      await page.locator("main h2").click();
      await whileTimePasses(page, page.waitForURL(paidUrl(), { timeout: SOON_MS }));
    },
  );

  const uses: [string, (page: Page) => Promise<void>][] = [
    ["says so", (page) => page.getByRole("button", { name: "Stay here" }).click()],
    [
      "chooses to stay by the keyboard",
      (page) => page.getByRole("button", { name: "Stay here" }).press("Enter"),
    ],
    ["moves to a control by the keyboard", (page) => page.keyboard.press("Tab")],
    ["copies the transaction", (page) => page.getByRole("button", { name: "Copy transaction id" }).click()],
  ];
  it.each(isNight ? uses : uses.slice(1, 2))(
    "stays if the payer %s, shows that it stays, and keeps the link to the shop",
    async (_, use) => {
      const { page, url } = await openEnded("30");
      await page.clock.runFor(5_000);
      await use(page);
      await visibleText(page, "This page stays open.");
      expect(await page.getByText("Taking you to").count()).toBe(0);
      const spoken = `document.querySelector("#announcement").textContent + document.activeElement.textContent`;
      expect(await page.evaluate(spoken)).toContain("This page stays open.");
      await page.clock.runFor(60_000);
      expect(page.url()).toBe(url);
      expect(await page.getByRole("link", { name: "Back to Blue Bottle Books" }).getAttribute("href")).toBe(
        paidUrl(),
      );
    },
  );

  it.runIf(isNight)("returns after a late payment too, though the payer used the page before", async () => {
    const past = new Date(Date.now() - HOUR_MS);
    const lateUntil = new Date(Date.now() + HOUR_MS);
    const ended = { status: "EXPIRED", expiresAt: past, lateUntil } as const;
    const { chargeId, page } = await openEnded("", ended);
    await visibleText(page, "This payment link has expired");
    await page.getByText("I have paid, but it does not show").click();
    await aDeposit(stage.context.db, { chargeId, amount: "30" });
    await soon(page, "4.50 more than asked");
    await whileTimePasses(page, page.waitForURL(paidUrl(), { timeout: SOON_MS }));
  });

  it.runIf(isNight)("never leaves an order that expired with money; the button stays", async () => {
    const expiresAt = new Date(Date.now() - HOUR_MS);
    const { page, url } = await openEnded("10", { status: "EXPIRED", expiresAt });
    await visibleText(page, "Paid in part");
    await whileTimePasses(page, new Promise((resolve) => setTimeout(resolve, 6_000)));
    expect(page.url()).toBe(url);
    await page.getByRole("link", { name: "Back to Blue Bottle Books" }).click();
    await page.waitForURL(`${stage.origin}/shop/cart?own=1&ref=A-1042&status=expired`);
  });

  it("shows money of the other currency and the rest of a part payment when they arrive", async () => {
    const order = await stage.anOrder();
    const page = await stage.open(`/c/${order.checkoutToken}`);
    const wrong = { chargeId: order.id, currency: "TRX", amount: "50", source: "transfer" } as const;
    await aDeposit(stage.context.db, wrong);
    await soon(page, "50 TRX arrived; this order is in USDT");
    await visibleText(page, "Does not count");
    await aDeposit(stage.context.db, { chargeId: order.id, amount: "24.5" });
    await soon(page, "1.00 USDT is missing");
    expect(await page.locator("#copy-amount").getAttribute("data-copy")).toBe("1");
  });

  it("reloads when the payer comes back to it", async () => {
    const order = await stage.anOrder();
    const page = await stage.open(`/c/${order.checkoutToken}`);
    const again = page.waitForRequest(`${stage.origin}/c/${order.checkoutToken}`, { timeout: SOON_MS });
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await again;
  });

  it("keeps the language of its address, until the payer chooses another", async () => {
    const order = await stage.anOrder();
    const page = await stage.open(`/c/${order.checkoutToken}`, { locale: "pt-PT" });
    await visibleText(page, "Aguardando seu pagamento");
    await page.getByText("Русский").click();
    await visibleText(page, "Ждём ваш платёж");
    await aDeposit(stage.context.db, { chargeId: order.id, amount: "24.5" });
    await soon(page, "Не хватает 1,00 USDT");
    expect(await page.locator("#copy-amount").getAttribute("data-copy")).toBe("1");
  });

  it.runIf(isNight)("announces each payment to a standing address, though its headline stays", async () => {
    const standing = await stage.anOrder({ kind: "receive", orderRef: null, cancelUrl: null });
    const page = await stage.open(`/c/${standing.checkoutToken}`);
    await visibleText(page, "Ready to receive USDT");
    for (const [amount, sum] of [
      ["1", "1.00"],
      ["2", "3.00"],
    ] as const) {
      await aDeposit(stage.context.db, { chargeId: standing.id, amount });
      const announcement = page.locator("#announcement", {
        hasText: `Payment received. ${sum}\u00a0USDT so far.`,
      });
      await whileTimePasses(page, announcement.waitFor({ state: "attached", timeout: SOON_MS }));
    }
  });

  it("shows a lost connection, over no button, and continues at once after it", async () => {
    const order = await stage.anOrder();
    const page = await stage.open(`/c/${order.checkoutToken}`);
    await page.context().setOffline(true);
    const notice = page.locator("#connection");
    await whileTimePasses(page, notice.waitFor({ state: "visible", timeout: SOON_MS }));
    const covered = await page.evaluate(`(() => {
      const { top, bottom } = document.getElementById("connection").getBoundingClientRect();
      return [...document.querySelectorAll("a, button, summary, input")].filter((control) => {
        const box = control.getBoundingClientRect();
        return box.height > 0 && box.top < bottom && box.bottom > top;
      }).map(({ id }) => id);
    })()`);
    expect(covered).toEqual([]);
    await page.context().setOffline(false);
    await notice.waitFor({ state: "hidden", timeout: SOON_MS });
    stage.faults = stage.faults.filter((fault) => !fault.includes("ERR_INTERNET_DISCONNECTED"));
  });

  it("copies the address, the amount and a transaction exactly, and confirms it", async () => {
    const order = await stage.anOrder();
    const page = await stage.open(`/c/${order.checkoutToken}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const copied = async (name: string) => {
      await page.getByRole("button", { name }).click();
      await visibleText(page, "Copied");
      return page.evaluate("navigator.clipboard.readText()");
    };
    expect([await copied("Copy address"), await copied("Copy amount")]).toEqual([order.address, "25.5"]);
    const { txId } = await aDeposit(stage.context.db, { chargeId: order.id, amount: "25.5" });
    await soon(page, "Print receipt");
    expect(await copied("Copy transaction id")).toBe(txId);
  });

  it("counts the time left from the server's clock, with any clock of the payer", async () => {
    const order = await stage.anOrder({ expiresAt: new Date(Date.now() + HOUR_MS) });
    const page = await stage.open(`/c/${order.checkoutToken}`);
    await page.clock.setSystemTime(new Date("2031-01-01"));
    await page.reload();
    expect(await page.locator(".countdown").textContent()).toMatch(/^59:5\d$|^1:00:00$/);
  });
});

describe("on a network that the payer does not own", () => {
  const answers: [string, Parameters<Route["fulfill"]>[0] | "abort"][] = [
    ["is refused", { status: 503, body: "" }],
    ["is blocked", "abort"],
    [
      "is plain text",
      { contentType: "text/plain", headers: { "x-content-type-options": "nosniff" }, body: "" },
    ],
    ["throws", { contentType: "text/javascript", body: "throw new Error('old browser')" }],
  ];

  it.each(answers)(
    "a page whose script %s looks as without scripting, and reloads itself",
    async (_, answer) => {
      const order = await stage.anOrder({ expiresAt: new Date("2031-05-06T07:08:00Z") });
      const page = await stage.open("/c/junk", { userAgent: desk.userAgent });
      await page.route("**/main.js", (route) => (answer === "abort" ? route.abort() : route.fulfill(answer)));
      await page.goto(`${stage.origin}/c/${order.checkoutToken}`);
      await visibleText(page, "until May 6, 2031 at 07:08 UTC");
      expect(await page.locator("button[type=button]:visible").count()).toBe(0);
      expect(await page.locator(".qr-code").isVisible()).toBe(true);
      await page.waitForEvent("load", { timeout: SOON_MS });
      stage.faults = stage.faults.filter(
        (fault) => !/main\.js|503|ERR_FAILED|MIME|old browser|404/.test(fault),
      );
    },
  );

  it("takes nothing of a captive portal for its own page, says so, and goes on after it", async () => {
    const order = await stage.anOrder();
    const page = await stage.open(`/c/${order.checkoutToken}`);
    const portal = `<title>Hotel</title><main data-state="paid"><p>Welcome</p></main>`;
    const isOn = (url: URL) => url.pathname.includes(order.checkoutToken);
    await page.route(isOn, (route) => route.fulfill({ contentType: "text/html", body: portal }));
    await page.routeWebSocket(/live/, (socket) => socket.close());
    await page.evaluate("dispatchEvent(new Event('online'))");
    await whileTimePasses(page, page.locator("#connection").waitFor({ timeout: SOON_MS }));
    expect(await page.locator("main").getAttribute("data-state")).toBe("awaiting");
    await page.locator(".lookup summary").click();
    await page.getByLabel("Transaction ID or explorer link").fill("0f".repeat(32));
    await page.getByRole("button", { name: "Check" }).click();
    await visibleText(page, "We could not check just now");
    await page.unroute(isOn);
    const hidden = page.locator("#connection").waitFor({ state: "hidden", timeout: SOON_MS });
    await whileTimePasses(page, hidden);
  });

  it("shows the right time left after a sleep in which the page's clock stood still", async () => {
    const order = await stage.anOrder();
    const page = await stage.open(`/c/${order.checkoutToken}`);
    const left = async () => {
      const [minutes = 0, seconds = 0] = (await page.locator(".countdown").innerText())
        .split(":")
        .map(Number);
      return 60 * minutes + seconds;
    };
    const events = [
      "undefined",
      "dispatchEvent(new Event('online'))",
      "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
      "document.dispatchEvent(new Event('visibilitychange'))",
    ];
    for (const [n, event] of events.entries()) {
      const before = await left();
      await stage.context.db.query(sql`
        insert into scan_cursors (network, number, block_id, time, leader_epoch)
        values ('devnet', ${HEAD}, ${"00".repeat(32)}, now() + make_interval(mins => ${5 * (n + 1)}), 1)
        on conflict (network) do update set time = excluded.time`);
      if (event === "undefined") await page.clock.setSystemTime(Date.now() + 300_000);
      await page.evaluate(event);
      await page.clock.runFor(2_000);
      await expect.poll(left, { timeout: SOON_MS }).toBeLessThan(before - 290);
    }
    await stage.context.db.query(sql`update scan_cursors set time = now()`);
  });
});

describe("a wallet in the payer's browser", () => {
  /** A wallet on the network of this block 0, which records its requests. */
  const aWallet = (genesisId: string) => `
    window.asked = [];
    const note = (name, answer) => (...values) => { window.asked.push([name, ...values]); return Promise.resolve(answer); };
    window.tron = {
      request: note("request", ["TPayer"]),
      tronWeb: {
        defaultAddress: { base58: "TPayer" },
        transactionBuilder: {
          sendTrx: note("sendTrx", { txID: "${"1".repeat(64)}" }),
          triggerSmartContract: note("call", { transaction: { txID: "${"2".repeat(64)}" } }),
        },
        trx: {
          getBlock: () => Promise.resolve({ blockID: "${genesisId}" }),
          sign: note("sign", { txID: "${"2".repeat(64)}" }),
          sendRawTransaction: note("send", { result: true }),
        },
      },
    };`;
  const NILE = "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc";
  const NILE_USDT = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf";

  async function payFrom(wallet: string, currency: "USDT" | "TRX") {
    const order = await stage.anOrder({ currency, network: "nile" });
    const page = await stage.open(`${stage.nileOrigin}/c/${order.checkoutToken}`);
    expect(await page.locator("#wallet").isVisible()).toBe(false);
    await page.addInitScript(wallet);
    await page.reload();
    await page.getByRole("button", { name: "Pay with TronLink" }).click();
    await page.locator("#wallet-says", { hasText: /Not seen on the chain|another network/ }).waitFor();
    return { order, page, calls: await page.evaluate<unknown[][]>("window.asked") };
  }

  it("gets exactly this transfer, of USDT by its contract and of TRX, and only once", async () => {
    const usdt = await payFrom(aWallet(NILE), "USDT");
    const values = [
      { type: "address", value: usdt.order.address },
      { type: "uint256", value: "25500000" },
    ];
    expect(usdt.calls).toEqual([
      ["request", { method: "eth_requestAccounts" }],
      ["call", NILE_USDT, "transfer(address,uint256)", { feeLimit: 100_000_000 }, values, "TPayer"],
      ["sign", { txID: "2".repeat(64) }],
      ["send", { txID: "2".repeat(64) }],
    ]);
    expect(await usdt.page.locator("#wallet").isDisabled()).toBe(true);
    const trx = await payFrom(aWallet(NILE), "TRX");
    expect(trx.calls[1]).toEqual(["sendTrx", trx.order.address, 25_500_000, "TPayer"]);
  });

  it("signs nothing while it is on another network", async () => {
    const { calls } = await payFrom(aWallet("00".repeat(32)), "USDT");
    expect(calls.map(([name]) => name)).toEqual(["request"]);
  });
});

describe("text of a merchant or a caller", () => {
  const payloads = [
    `</title><script>alert(1)</script>"><img src=x onerror=alert(2)>' onclick='alert(3)`,
    `</style><svg/onload=alert(1)><!--`,
    `<iframe srcdoc="<script>parent.alert(1)</script>"></iframe><base href=//evil.example/>`,
    `\${alert(1)}{{constructor.constructor('alert(1)')()}}\`\\u003cimg src=x onerror=alert(1)\\u003e`,
    `&lt;script&gt;alert(1)&lt;/script&gt; javascript:alert(1) data:text/html,<script>alert(1)</script>`,
    `\u202ecod.exe\u2066 \u200f<meta http-equiv=refresh content=0;url=//evil.example>`,
  ];

  it("is shown as text by a browser, before and after the payment: nothing runs, loads or moves", async () => {
    const { context, origin } = stage;
    await Promise.all(
      (isNight ? payloads : payloads.slice(0, 2)).map(async (payload) => {
        const { id: merchantId } = await aMerchant(context.db, { name: payload });
        const texts = { merchantId, orderRef: payload, label: payload };
        const successUrl = `${origin}/shop/?a=${encodeURIComponent(payload)}`;
        const order = await stage.anOrder({ ...texts, successUrl, cancelUrl: `${origin}/shop/${payload}` });
        const page = await stage.open(`/c/${order.checkoutToken}`);
        const shown = payload.replace(/[\u200f\u202e\u2066]/g, "");
        const expectText = async () => {
          expect(await page.locator("h1 bdi").textContent()).toBe(shown);
          expect(await page.locator("dd bdi").first().textContent()).toBe(shown);
          expect(await page.locator("script, iframe, base, img, main meta").count()).toBe(2);
          expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBe(0);
        };
        await visibleText(page, "Waiting for your payment");
        await expectText();
        await aDeposit(context.db, { chargeId: order.id, amount: "25.5" });
        await page.reload();
        await visibleText(page, "The payment is final.");
        await expectText();
      }),
    );
  });
});
