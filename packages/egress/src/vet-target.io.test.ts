import { createOfflineContext } from "@daric/testing/offline-context";
import { describe, expect, it } from "vitest";
import { vetTarget } from "./vet-target.ts";

const context = createOfflineContext({ WEBHOOK_ALLOW_TARGETS: "" });
const resolvingTo =
  (...addresses: string[]) =>
  async () =>
    addresses;

describe("a name that resolves to a private address is refused before it is stored", () => {
  it.each([
    ["loopback", ["127.0.0.1"]],
    ["one public and one private address", ["93.184.216.34", "192.168.0.1"]],
    ["a mapped loopback address", ["::ffff:127.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
  ])("%s", async (_, addresses) => {
    await expect(
      vetTarget(context.config.egress, "https://example.com/", resolvingTo(...addresses)),
    ).rejects.toMatchObject({
      code: "INVALID_WEBHOOK_URL",
    });
  });
});

it("a name that resolves to public addresses is accepted in its parsed form", async () => {
  const resolve = resolvingTo("93.184.216.34", "2606:2800:21f:cb07:6820:80da:af6b:8b2c");
  expect(await vetTarget(context.config.egress, "HTTPS://Example.com:443", resolve)).toBe(
    "https://example.com/",
  );
});

it("a name that does not resolve yet is accepted: the guard at each try decides", async () => {
  expect(await vetTarget(context.config.egress, "https://soon.example/", resolvingTo())).toBe(
    "https://soon.example/",
  );
});

it("a silent name server costs a moment and refuses nothing", async () => {
  const startMs = performance.now();
  const pending = () => new Promise<never>(() => {});
  expect(await vetTarget(context.config.egress, "https://slow.example/", pending)).toBe(
    "https://slow.example/",
  );
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

it("an address is vetted without a look-up", async () => {
  const never = async () => {
    throw new Error("resolved");
  };
  expect(await vetTarget(context.config.egress, "https://8.8.8.8/", never)).toBe("https://8.8.8.8/");
  await expect(vetTarget(context.config.egress, "https://10.0.0.1/", never)).rejects.toMatchObject({
    code: "INVALID_WEBHOOK_URL",
  });
});
