import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { ApiError } from "@daric/domain/errors";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import { createApp } from "@daric/server/app";
import { aPng } from "@daric/testing/builders";
import { asOwners, createTestContext, withSettings } from "@daric/testing/context";
import { createManualClock } from "@daric/testing/offline-context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchant } from "./create-merchant.ts";
import { createLogoCache } from "./logo-cache.ts";
import { updateMerchant } from "./update-merchant.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let server: Server;
const calls: string[] = [];

/** The logo host's response at each path. */
const answers: Readonly<
  Record<string, [status: number, headers: Record<string, string>, body: Buffer | string]>
> = {
  "/logo.png": [200, { "content-type": "Image/PNG; a=b" }, aPng()],
  "/moved.png": [302, { location: "https://shop.example/logo.png" }, ""],
  "/gone.png": [404, { "content-type": "image/png" }, aPng()],
  "/page.png": [200, { "content-type": "text/html" }, aPng()],
  "/script.png": [200, { "content-type": "image/png" }, "<script>alert(1)</script>"],
  "/large.png": [200, { "content-type": "image/png" }, Buffer.concat([aPng()], 100 * 1024 + 1)],
  "/endless.png": [200, { "content-type": "image/png", "x-long": "a".repeat(40_000) }, aPng()],
};

beforeAll(async () => {
  context = asOwners(await createTestContext({ WEBHOOK_ALLOW_TARGETS: "127.0.0.1" }));
  server = createServer(({ url = "" }, response) => {
    calls.push(url);
    const [status, headers, body] = answers[url] ?? [500, {}, ""];
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await context.close();
});

/** Every name resolves to 127.0.0.1, where our host answers without TLS. */
const toUs: NetworkAccess = {
  resolve: async () => ["127.0.0.1"],
  dial: () =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, "127.0.0.1", () => resolve(socket)).on("error", reject);
    }),
};
const nowhere: NetworkAccess = {
  resolve: async () => ["10.0.0.1"],
  dial: async () => {
    throw new Error("dialled");
  },
};

const withLogo = (logoUrl: string, access = toUs) =>
  createMerchant({ ...context, access }, { name: "Shop", logoUrl });

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(() => undefined).catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error.details.map(({ path, message }) => `${path} ${message}`).join();
}

describe("the logo of a merchant", () => {
  it("is fetched once, and then served by us, immutable and as a picture only", async () => {
    const { logoUrl, logoId } = await withLogo("https://shop.example/logo.png");
    expect(logoUrl).toBe("https://shop.example/logo.png");
    calls.length = 0;
    const app = createApp(context);
    const { statusCode, rawPayload, headers } = await app.inject(`/checkout/logos/${logoId}`);
    expect([statusCode, rawPayload.equals(aPng()), calls]).toEqual([200, true, []]);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    for (const id of ["0".repeat(64), "x", "%00", "..%2f"])
      expect((await app.inject(`/checkout/logos/${id}`)).statusCode).toBe(404);
    await app.close();
  });

  it("is cached, and invented ids cost four queries a second in all", async () => {
    const { logoId } = await withLogo("https://shop.example/logo.png");
    let statements = 0;
    const query: typeof context.db.query = (statement) => {
      statements += 1;
      return context.db.query(statement);
    };
    const clock = createManualClock();
    const find = createLogoCache({ ...context.db, query }, clock);
    for (let n = 0; n < 5; n += 1) expect(await find(logoId ?? "")).toMatchObject({ mediaType: "image/png" });
    expect(statements).toBe(2);
    const madeUp = (n: number) => find(n.toString(16).padStart(64, "0"));
    for (let n = 0; n < 100; n += 1) expect(await madeUp(n)).toBeUndefined();
    await Promise.all(Array.from({ length: 100 }, (_, n) => madeUp(n)));
    expect(statements).toBe(2);
    clock.advance(250);
    await Promise.all(Array.from({ length: 100 }, (_, n) => madeUp(n)));
    expect(statements).toBe(3);
    const { logoId: newId } = await updateMerchant(
      context,
      (await withLogo("https://shop.example/logo.png")).id,
      {
        logoFile: aPng(77),
      },
    );
    clock.advance(250);
    expect(await find(newId ?? "")).toMatchObject({ mediaType: "image/png" });
  });

  it("is shared between merchants, changes with the merchant's and goes with it", async () => {
    const { id, logoId } = await withLogo("https://a.example/logo.png");
    expect((await withLogo("https://b.example/logo.png")).logoId).toBe(logoId);
    const other = await updateMerchant(context, id, { logoFile: aPng(45) });
    expect([other.logoUrl, other.logoId === logoId]).toEqual([null, false]);
    expect(await updateMerchant(context, id, { logoUrl: "" })).toMatchObject({ logoUrl: null, logoId: null });
  });

  it.each([
    ["/moved.png", "a redirect"],
    ["/gone.png", "answered 404"],
    ["/page.png", 'not as "text/html"'],
    ["/script.png", "by its own bytes"],
    ["/large.png", "at most 100 kB"],
    ["/endless.png", "could not be fetched"],
  ])("is refused with its rule, and nothing is stored: %s", async (path, rule) => {
    expect(await refusalOf(withLogo(`https://shop.example${path}`))).toContain(rule);
  });

  it("is not fetched past the guard of webhooks: no private address is dialled, by name or in the text", async () => {
    const closed = withSettings(context, { egress: { allowTargets: [] } });
    for (const url of [
      "https://shop.example/a.png",
      "https://169.254.169.254/a.png",
      "https://localhost/a.png",
    ])
      expect(
        await refusalOf(createMerchant({ ...closed, access: nowhere }, { name: "Shop", logoUrl: url })),
      ).toContain("logoUrl must be at a public address");
  });

  it("is either a URL or a file", async () => {
    const both = { name: "Shop", logoUrl: "https://shop.example/logo.png", logoFile: aPng() };
    expect(await refusalOf(createMerchant({ ...context, access: toUs }, both))).toContain(
      "logoFile must not",
    );
  });
});
