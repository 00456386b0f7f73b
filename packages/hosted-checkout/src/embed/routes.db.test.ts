import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadEmbedScript } from "./load-script.ts";

const MAX_BYTES = 3_000;
const SHOP = "https://shop.example";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
beforeAll(async () => {
  context = await createTestContext();
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

describe("the script for pages of shops", () => {
  const { path, integrity } = loadEmbedScript();

  it("has at most 3 kB, and is the same at its own name for ever and at embed.js for an hour", async () => {
    const [named, current] = [await app.inject(path), await app.inject("/embed.js")];
    expect(gzipSync(named.rawPayload, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
    expect(current.body).toBe(named.body);
    expect(current.headers["cache-control"]).toBe("public, max-age=3600");
    expect(named.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      "x-content-type-options": "nosniff",
      // A browser compares the integrity of an answer that any page may read.
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(integrity).toBe(`sha384-${createHash("sha384").update(named.rawPayload).digest("base64")}`);
    const packed = await app.inject({ url: path, headers: { "accept-encoding": "gzip" } });
    expect(gunzipSync(packed.rawPayload).toString()).toBe(named.body);
  });

  it("of another release is not found", async () => {
    expect((await app.inject("/embed-0123456789abcdef.js")).statusCode).toBe(404);
  });
});

describe("GET /c/:token?embed=", () => {
  it("tells the page in the frame which listed origin is around it, and names no other", async () => {
    const { id: merchantId } = await aMerchant(context.db, { embedOrigins: [SHOP] });
    const order = await aCharge(context.db, { merchantId, amount: "25.5" });
    const get = (query: string) => app.inject(`/c/${order.checkoutToken}${query}`);
    const listed = await get(`?embed=${encodeURIComponent(SHOP)}`);
    expect(listed.headers["content-security-policy"]).toMatch(/; frame-ancestors https:\/\/shop\.example$/);
    expect(listed.body).toContain(`<meta name="embed" content="${SHOP}"`);
    for (const query of ["", "?embed=https%3A%2F%2Fevil.example", "?embed=*", "?embed=a&embed=b"])
      expect((await get(query)).body).not.toContain('name="embed"');
  });
});
