import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { Daric } from "./daric.ts";
import { type DaricOptions, settingsOf, VERSION } from "./settings.ts";

const TEST_KEY = "daric_test_sk_0123456789abcdef_secret";

const settings = (options: Partial<DaricOptions>) =>
  settingsOf({ baseUrl: "https://pay.example.com", apiKey: TEST_KEY, ...options });

afterEach(() => vi.unstubAllGlobals());

it("the version is that of the package, and comes in the user agent before the shop's", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(VERSION).toBe(version);
  expect(settings({}).userAgent).toBe(`daric-sdk/${version}`);
  expect(settings({ userAgent: "shop/1.2" }).userAgent).toBe(`daric-sdk/${version} shop/1.2`);
});

it("the environment is that of the key", () => {
  expect(new Daric({ baseUrl: "http://127.0.0.1", apiKey: TEST_KEY }).environment).toBe("test");
  expect(settings({ apiKey: TEST_KEY.replace("test", "live") }).environment).toBe("live");
  expect(settings({ apiKey: undefined }).environment).toBeUndefined();
});

it("the base URL keeps a path and loses its trailing slashes", () => {
  expect(settings({ baseUrl: "https://example.com/daric//" }).baseUrl.href).toBe(
    "https://example.com/daric/",
  );
  expect(settings({ baseUrl: "https://example.com" }).baseUrl.href).toBe("https://example.com/");
});

it.each([
  [{ baseUrl: "pay.example.com" }, "baseUrl must be the URL of the deployment"],
  [{ baseUrl: "ftp://pay.example.com" }, "baseUrl must be the URL of the deployment"],
  [{ baseUrl: "https://pay.example.com/v1/" }, "must not end with /v1"],
  [{ baseUrl: "https://pay.example.com/?a=b" }, "must have no query"],
  [{ baseUrl: "https://user:pw@pay.example.com/" }, "password"],
  [{ apiKey: `whsec_${"0".repeat(64)}` }, "goes to verifyWebhook"],
  [{ apiKey: ` ${TEST_KEY}` }, "without blanks around it"],
  [{ apiKey: "" }, "not in the form of a key"],
  [{ timeoutMs: 0 }, "timeoutMs must be a whole number from 1 to 2147483647"],
  [{ timeoutMs: 2 ** 31 }, "timeoutMs"],
  [{ maxRetries: 11 }, "maxRetries must be a whole number from 0 to 10"],
])("an invalid option is named when the client is made: %o", (options, message) => {
  expect(() => settings(options)).toThrow(message);
});

it("no message repeats the key", () => {
  expect(() => settings({ apiKey: "daric_test_sk-secret" })).toThrow(/^(?!.*secret)/);
});

it("a browser page gets no secret key, and keeps its own user agent", () => {
  vi.stubGlobal("document", {});
  expect(() => settings({})).toThrow("does not belong in a page");
  expect(settings({ apiKey: undefined }).userAgent).toBeUndefined();
});
