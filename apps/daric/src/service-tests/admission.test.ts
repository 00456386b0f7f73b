import { newCheckoutToken } from "@daric/charges/checkout-token";
import { createAdmission } from "@daric/http/admission";
import type { ApiApp } from "@daric/http/api-app";
import { createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

const context = createOfflineContext();
const token = newCheckoutToken(context.checkoutKey);
let full: ApiApp;

beforeAll(async () => {
  const admission = createAdmission({ ...context, bounds: { min: 0, first: 0, max: 0 } });
  full = createApp(context, { admission });
});
afterAll(() => full.close());

/** precedence.db.test.ts tests the refusals of API keys meanwhile. */
describe("an overloaded API", () => {
  it.each([`/v1/checkout/${token}`, "/", "/docs"])("refuses %s at once, with Retry-After", async (url) => {
    const response = await full.inject({ url });
    expect([response.statusCode, response.headers["retry-after"]]).toEqual([503, "10"]);
    expect(response.json()).toMatchObject({
      message: "The service has more requests than it can answer in time. This one was not started.",
      error: { code: "SERVICE_UNAVAILABLE" },
    });
  });

  it("shows a payer a page that reloads itself later", async () => {
    const response = await full.inject({ url: `/c/${token}` });
    expect([response.statusCode, response.headers["retry-after"]]).toEqual([503, "10"]);
    expect(response.headers["content-type"]).toMatch("text/html");
    expect(response.body).toMatch(/http-equiv="refresh" content="10"/);
  });

  it("refuses malformed keys as usual, since that costs no work", async () => {
    expect((await full.inject({ url: "/v1/checkout/junk" })).statusCode).toBe(404);
    expect((await full.inject({ url: "/nothing" })).statusCode).toBe(404);
  });

  it("answers its probes", async () => {
    expect((await full.inject({ url: "/healthz" })).statusCode).toBe(200);
    expect((await full.inject({ url: "/readyz" })).json()).toMatchObject({ status: "ready" });
  });
});
