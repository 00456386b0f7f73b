import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Daric } from "./daric.ts";
import { exportKinds } from "./exports.ts";

const API_KEY = "daric_test_sk_0123456789abcdef_secret";
const AN_ID = "an-id";

type Method = (...args: unknown[]) => Promise<unknown>;

/** The methods of a client and of its parts, without composed ones. */
function methodsOf(thing: object): Method[] {
  const prototype = Object.getPrototypeOf(thing);
  const isOurs = prototype !== Object.prototype;
  const names = isOurs ? Object.getOwnPropertyNames(prototype) : [];
  const own = names
    .filter((name) => !["constructor", "all", "follow", "download", "createOrderOnce"].includes(name))
    .map((name) => (prototype[name] as Method).bind(thing));
  const below = Object.values(thing).filter((value) => typeof value === "object" && value !== null);
  return [...own, ...below.flatMap(methodsOf)];
}

it("every operation of the document has a method of the client, and every method an operation", async () => {
  const called = new Set<string>();
  const daric = new Daric({
    baseUrl: "http://127.0.0.1",
    apiKey: API_KEY,
    fetch: async (url, init) => {
      const path = decodeURIComponent(new URL(String(url)).pathname);
      called.add(`${init?.method} ${path.replace(AN_ID, "{}")}`);
      const headers = { "content-disposition": "attachment" };
      return Response.json({ success: true, message: "Success", data: [], meta: {} }, { headers });
    },
  });
  for (const method of methodsOf(daric)) await method(AN_ID, {});
  for (const kind of exportKinds) await daric.exports.download(kind);
  const { paths } = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));
  type Documented = Record<string, { description: string }>;
  const documented = Object.entries<Documented>(paths)
    .filter(([path]) => path.startsWith("/v1/"))
    .flatMap(([path, item]) =>
      // Only a person does the others, in the dashboard.
      Object.entries(item)
        .filter(([, { description }]) => !description.includes("The role needs the right"))
        .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, "{}")}`),
    );
  expect([...called].sort()).toEqual(documented.sort());
});
