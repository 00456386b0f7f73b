import { idOf } from "@daric/domain/ids";
import { expect, it } from "vitest";
import { createTestSlots } from "./test-slots.ts";

function endpointOf(merchant: string, id: string) {
  return { merchantId: idOf("merchant", merchant), id: idOf("endpoint", id) };
}

/** Work that ends on command. */
function work() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { run: () => done, finish };
}

it("an endpoint has one slot, which is free again after success and failure", async () => {
  const slots = createTestSlots();
  const endpoint = endpointOf("shop", "a");
  const first = work();
  const holding = slots.hold(endpoint, first.run);
  await expect(slots.hold(endpoint, first.run)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    retryAfterSeconds: 1,
  });
  first.finish();
  await holding;
  await expect(slots.hold(endpoint, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await slots.hold(endpoint, async () => "sent")).toBe("sent");
});

it("one merchant holds at most a quarter of the slots, and all merchants at most all", async () => {
  const slots = createTestSlots();
  const { run, finish } = work();
  const held: Promise<void>[] = [];
  for (const merchant of ["a", "b", "c", "d"]) {
    for (let count = 0; count < 4; count++)
      held.push(slots.hold(endpointOf(merchant, `${merchant}${count}`), run));
    await expect(slots.hold(endpointOf(merchant, "one more"), run)).rejects.toMatchObject({
      code: "RATE_LIMITED",
    });
  }
  await expect(slots.hold(endpointOf("e", "e"), run)).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    retryAfterSeconds: 1,
  });
  finish();
  await Promise.all(held);
  expect(await slots.hold(endpointOf("e", "e"), async () => "sent")).toBe("sent");
});
