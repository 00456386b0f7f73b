import { keepCustomerEmail } from "@daric/charges/keep-customer-email";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { supportEmailToken } from "@daric/merchants/confirm-support-email";
import { getMerchant } from "@daric/merchants/get-merchant";
import { updateMerchantTerms } from "@daric/merchants/store";
import { addressHashOf, listMailStops } from "@daric/messages/mail-stop-store";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readUnsubscribeToken, unsubscribeUrl } from "./unsubscribe-token.ts";

const ADA = "ada@mail.example";
const DAY_MS = 86_400_000;
const SHOP = `Bits & <i>Bobs</i>`;

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let chargeId: ChargeId;

beforeAll(async () => {
  context = await createTestContext();
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db, { name: SHOP, supportEmail: "help@shop.example" })).id;
  chargeId = (await aCharge(context.db, { merchantId, amount: "25" })).id;
  await keepCustomerEmail(context, { merchantId, id: chargeId }, { email: ADA, language: "en" });
});

const pathOf = (url: string) => url.slice(context.config.http.publicBaseUrl?.length);
const stopPath = (language = "en") =>
  pathOf(unsubscribeUrl(context, { merchantId, chargeId, language }) ?? expect.fail("no URL"));
const tokenOfPath = (path: string) => path.slice("/u/".length).split("?")[0] ?? "";
async function stopsOf(email: string, of = merchantId) {
  const hash = addressHashOf(context, email);
  return (await listMailStops(context.db, of, [hash])).map(({ reason }) => reason);
}
const post = (url: string, payload = "", type = "application/x-www-form-urlencoded") =>
  app.inject({ method: "POST", url, payload, headers: { "content-type": type } });

describe("unsubscribing", () => {
  it("a look at the page changes nothing: it shows a button, without scripts and without other sites", async () => {
    const { statusCode, headers, body } = await app.inject(stopPath("es"));
    expect(statusCode).toBe(200);
    expect(body).toContain('<form class="order" method="post">');
    expect(body).toContain("Dejar de recibir estos correos");
    expect(body).toContain("Bits &amp; &lt;i&gt;Bobs&lt;/i&gt;");
    expect(body).not.toMatch(/<script|ada@|https?:\/\/(?!www\.w3\.org)/);
    expect(headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "cache-control": expect.stringContaining("no-store"),
      "content-security-policy": expect.stringContaining("script-src 'none'"),
    });
    expect(await stopsOf(ADA)).toEqual([]);
  });

  it.each([
    ["the page's button", "", "application/x-www-form-urlencoded"],
    ["one click of a mail program", "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"],
    [
      "one click as form data",
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
      "multipart/form-data; boundary=x",
    ],
  ])("%s ends mails of this merchant to this address, however often", async (_, body, type) => {
    for (let times = 0; times < 2; times += 1) {
      const answer = await post(stopPath(), body, type);
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain("sends you no more mails about payments");
    }
    expect(await stopsOf(ADA)).toEqual(["unsubscribed"]);
    expect(await stopsOf("eve@mail.example")).toEqual([]);
    expect(await stopsOf(ADA, (await aMerchant(context.db)).id)).toEqual([]);
  });

  it("an order without an address has no mail to end", async () => {
    const { id } = await aCharge(context.db, { merchantId, amount: "1" });
    const url =
      unsubscribeUrl(context, { merchantId, chargeId: id, language: "en" }) ?? expect.fail("no URL");
    expect((await post(pathOf(url))).statusCode).toBe(200);
    expect(await stopsOf(ADA)).toEqual([]);
  });

  it("a made-up token costs no query, and gets the page of a link that leads nowhere", async () => {
    const offline = await createOfflineContext();
    const alone = createApp(offline);
    const token = tokenOfPath(stopPath());
    const made = [
      "x",
      "A".repeat(86),
      `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
      `${token}A`,
    ];
    for (const junk of made) {
      expect(readUnsubscribeToken(context, junk)).toBeUndefined();
      for (const method of ["GET", "POST"] as const)
        for (const path of ["u", "confirm"]) {
          const answer = await alone.inject({
            method,
            url: `/${path}/${junk}`,
            headers: { accept: "text/html" },
          });
          expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
            404,
            "text/html; charset=utf-8",
          ]);
        }
    }
    await alone.close();
  });
});

describe("the support address", () => {
  const tokenOf = (address = "help@shop.example", livesMs = DAY_MS) =>
    supportEmailToken(context.config.integrity.key, {
      merchantId,
      address,
      expiresAt: new Date(Date.now() + livesMs),
    });
  const confirmed = async () => (await getMerchant(context, merchantId)).confirmedSupportEmail;

  it("is confirmed by the button of the mailed link, not by a look at it", async () => {
    const path = `/confirm/${tokenOf()}`;
    expect((await app.inject(path)).body).toContain("help@shop.example is to become the address");
    expect(await confirmed()).toBeNull();
    const answer = await post(path);
    expect([answer.statusCode, await confirmed()]).toEqual([200, "help@shop.example"]);
    expect((await post(path)).statusCode).toBe(200);
  });

  it("is not confirmed by a link that is over, or of another address than the merchant has by now", async () => {
    const over = `/confirm/${tokenOf("help@shop.example", -1)}`;
    expect((await app.inject(over)).body).not.toContain("<form");
    expect((await post(over)).statusCode).toBe(410);
    const old = `/confirm/${tokenOf()}`;
    await updateMerchantTerms(context.db, merchantId, { supportEmail: "new@shop.example" });
    expect((await app.inject(old)).body).toContain("This link no longer holds.");
    expect((await post(old)).statusCode).toBe(410);
    expect(await confirmed()).toBeNull();
  });

  it("a token for one purpose is none for the other", async () => {
    expect((await app.inject(`/confirm/${tokenOfPath(stopPath())}`)).statusCode).toBe(404);
    expect((await app.inject(`/u/${tokenOf()}`)).statusCode).toBe(404);
  });
});
