import { newCheckoutToken } from "@daric/charges/checkout-token";
import type { ApiApp } from "@daric/http/api-app";
import { createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

const context = createOfflineContext();
const token = newCheckoutToken(context.checkoutKey);
let app: ApiApp;

beforeAll(async () => {
  app = createApp(context);
  await app.ready();
});
afterAll(() => app.close());

const browse = (url: string) => app.inject({ url, headers: { accept: "text/html,*/*;q=0.8" } });

/** Every path that takes GET, with a text in place of each parameter. */
function pathsOfGet(): string[] {
  const stack: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", part = "", methods = ""] = /^([│ ├└─]*)(\S*) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      stack.splice(indent.length / 4 - 1, stack.length, part);
      return methods.includes("GET") ? [stack.join("").replace(/:\w+|\*/g, "x")] : [];
    });
}

describe("an HTML answer", () => {
  it("may not be rewritten by a proxy, at any path that answers HTML", async () => {
    const others = [`/c/${token}`, "/c/junk", "/c", "/nothing", "/docs/nothing", "/dashboard/nothing"];
    const answers = await Promise.all(
      [...new Set([...pathsOfGet(), ...others])].map(async (path) => ({ path, ...(await browse(path)) })),
    );
    const pages = answers.filter(({ headers }) => String(headers["content-type"]).startsWith("text/html"));
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "/",
        "/docs",
        "/dashboard",
        "/dashboard/link",
        "/dashboard/preview",
        ...others,
      ]),
    );
    const unsafe = pages.filter(({ headers }) => !/\bno-transform\b/.test(String(headers["cache-control"])));
    expect(unsafe.map(({ path }) => path)).toEqual([]);
  });

  it("comes at every path of a page, whatever is wrong, and JSON at the paths of the API", async () => {
    const wrong = ["/c/", "//c", "/C/x", "/l/abc", "/dashbord", "//dashboard", "/docs//x", "/%E2%80", "/c/%"];
    for (const path of wrong) {
      const { statusCode, headers, body } = await browse(path);
      expect([path, statusCode, headers["content-type"]]).toEqual([path, 404, "text/html; charset=utf-8"]);
      expect(body).toMatch(
        /We cannot find this payment|There is no page here|No such page|<div id="root"|<!doctype/i,
      );
    }
    for (const path of ["/v1/nothing", "/v1/checkout/x", "/dashboard/v1/nothing"])
      expect([path, (await browse(path)).headers["content-type"]]).toEqual([
        path,
        "application/json; charset=utf-8",
      ]);
    expect((await app.inject("/nothing")).json().error.code).toBe("NOT_FOUND");
  });
});

describe("a link to a checkout with something behind its token", () => {
  const zeroWidth = "%E2%80%8B";
  it.each([
    ...[
      ".",
      ",",
      ")",
      ">",
      "%3E",
      "%22",
      "%20",
      "%0A",
      "%0D%0A",
      zeroWidth,
      "%C2%A0",
      "%E2%80",
      "%",
      "*",
      "_",
    ],
    ...["/", "%2F", "//", "/.", "./", "/x/y", ");"],
  ])("%s is redirected to the clean link, with its query", async (rest) => {
    const { statusCode, headers } = await app.inject(`/c/${token}${rest}?lang=es`);
    const target = new URL(String(headers.location), `http://shop.test/pay/c/${token}${rest}`);
    expect([statusCode, target.pathname, target.search]).toEqual([303, `/pay/c/${token}`, "?lang=es"]);
  });

  it.each([`//c/${token}`, `/c//${token}`, `/C/${token}`, `/c%2F${token}`, `//c/${token}/`])(
    "%s is redirected to the clean link",
    async (path) => {
      const { statusCode, headers } = await browse(path);
      const target = new URL(String(headers.location), `http://shop.test/pay${path}`);
      expect([statusCode, target.href]).toEqual([303, `http://shop.test/pay/c/${token}`]);
    },
  );

  it("is not redirected for a clean one or a cut one", async () => {
    for (const path of [`/c/${"A".repeat(40)}`, `/c/${token.slice(0, 39)}.`, "/c/.", `/c/${token}abc`])
      expect((await browse(path)).statusCode).toBe(404);
  });
});
