import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { speak, words } from "../words/words.ts";
import { getPasskey, hasPasskeys, passkeyObstacle, passkeyProblem } from "./passkeys.ts";

beforeAll(async () => {
  await speak("en");
});

afterEach(() => vi.unstubAllGlobals());

/** A page of this host in a browser with passkeys. */
function open(hostname: string, isNew = true): void {
  vi.stubGlobal("location", { hostname });
  vi.stubGlobal(
    "PublicKeyCredential",
    isNew ? { parseRequestOptionsFromJSON: (options: object) => options } : {},
  );
}

describe("passkeys", () => {
  it.each(["localhost", "pay.shop.example", "1and1.example"])("are offered at the name %s", (host) => {
    open(host);
    expect([hasPasskeys(), passkeyObstacle()]).toEqual([true, undefined]);
  });

  it.each(["127.0.0.1", "192.168.1.20", "[::1]"])(
    "are not offered at the number %s, and the page says why",
    (host) => {
      open(host);
      expect([hasPasskeys(), passkeyObstacle()]).toEqual([false, words.signIn.security.passkeysNeedName]);
    },
  );

  it("are not offered by an older browser, and the page says so", () => {
    open("localhost", false);
    expect([hasPasskeys(), passkeyObstacle()]).toEqual([false, words.signIn.security.noPasskeysHere]);
  });

  it("of another host are not requested, and the page names that host", async () => {
    open("localhost");
    const asked = getPasskey({ challenge: "", rpId: "pay.shop.example" });
    await expect(asked).rejects.toThrow(words.signIn.passkeysOf({ host: "pay.shop.example" }));
    expect(passkeyProblem(await asked.catch((error: unknown) => error)).message).toContain(
      "pay.shop.example",
    );
  });

  it("that the person gave up get our words, and not those of the browser", () => {
    const givenUp = new DOMException("The operation timed out.", "NotAllowedError");
    expect(passkeyProblem(givenUp).message).toBe(words.signIn.passkeyFailed);
  });
});
