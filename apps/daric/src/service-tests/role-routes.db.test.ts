import type { MerchantId } from "@daric/domain/ids";
import { merchantRoles } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, signedIn } from "@daric/testing/people";
import { roleTable } from "@daric/testing/role-table";
import { type SessionRoute, sessionRoutesOf } from "@daric/testing/session-routes";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let routes: SessionRoute[];
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
  routes = (await sessionRoutesOf(app)).filter(({ scope }) => scope !== undefined);
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

const nameOf = ({ method, url }: SessionRoute) => `${method} ${url}`;

describe("the table of roles and routes", () => {
  it("has each route that acts for a merchant, once", () => {
    const lines = roleTable.flatMap((group) => group.routes);
    expect(lines.toSorted()).toEqual(routes.map(nameOf).toSorted());
  });

  it("says of each route whether it narrows", () => {
    const narrowing = roleTable.filter(({ own }) => own !== undefined).flatMap((group) => group.routes);
    expect(
      routes
        .filter(({ narrows }) => narrows)
        .map(nameOf)
        .toSorted(),
    ).toEqual(narrowing.toSorted());
  });

  it.each(merchantRoles)(
    "is what the service does for a %s: it admits, or refuses with 403",
    async (role) => {
      const browser = await signedIn(
        app,
        await aPerson(context, { places: [{ merchantId, role }] }),
        merchantId,
      );
      const admitted: string[] = [];
      for (const route of routes) {
        const url = route.url.replace(":id", uuidv7());
        const query = route.url.endsWith("/exports/statement") ? "?month=2026-01" : "";
        const sent = await browser.send(url + query, route.method === "GET" ? undefined : {}, {
          method: route.method,
        });
        const isRefused = sent.body.error?.code === "INSUFFICIENT_SCOPE";
        expect(sent.status === 403, `${nameOf(route)} ${sent.text}`).toBe(isRefused);
        if (!isRefused) admitted.push(nameOf(route));
      }
      const may = roleTable
        .filter(({ whole, own = [] }) => [...whole, ...own].includes(role))
        .flatMap((group) => group.routes);
      expect(admitted.toSorted()).toEqual(may.toSorted());
    },
  );

  it("the statement of `/v1` is a file only for those who download", async () => {
    const support = await signedIn(
      app,
      await aPerson(context, { places: [{ merchantId, role: "support" }] }),
      merchantId,
    );
    const statuses = [];
    for (const format of ["json", "csv"])
      statuses.push((await support.send(`/v1/statements?month=2026-01&format=${format}`)).status);
    expect(statuses).toEqual([200, 403]);
  });
});
