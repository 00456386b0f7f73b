import type { Daric } from "@daric/sdk";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lies } from "./faults/lies.ts";
import { type LyingNode, startLyingNode } from "./faults/lying-node.ts";

/** The limit for confirmation of an honest payment after its finality, despite all lies. */
const CONFIRMED_WITHIN_MS = 30_000;

let node: LyingNode;
let stack: Stack;
let daric: Daric;

beforeAll(async () => {
  stack = await startStack({}, async (url) => {
    node = await startLyingNode(url);
    return node.url;
  });
  ({ daric } = await stack.merchant());
});

afterAll(async () => {
  await stack.stop();
  await node.stop();
});

const createOrder = () => daric.depositAddresses.create({ amount: "25" });
const order = (id: string) => daric.depositAddresses.retrieve(id);
const pay = async (address: string): Promise<void> => {
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  await token.transfer(address, "25000000").send({ feeLimit: 100_000_000 });
};

/** The solid block is read only at the first start, so its lies are left out. */
const liesWhileReading = Object.entries(lies).filter(([name]) => !name.includes("solid block"));

describe("a node that says once that", () => {
  it.each(liesWhileReading)(
    "%s stops no scan, expires and loses no order, and freezes nothing",
    async (_name, lie) => {
      const [waiting, paid] = await Promise.all([createOrder(), createOrder()]);
      const injected = node.inject(lie);
      await pay(paid.address);
      await stack.mine(1);
      await stack.mine(1);
      // Some lies concern queries that the service sends only for a block that may be final.
      await until(
        "the lie is used or the payment seen",
        async () => injected.count() > 0 || (await order(paid.id)).payment_status !== "awaiting",
      );
      await stack.mine(20);
      await until(
        "the payment is confirmed",
        async () => (await order(paid.id)).payment_status === "paid",
        CONFIRMED_WITHIN_MS,
      );
      expect(injected.count()).toBe(1);
      expect(await order(waiting.id)).toMatchObject({ status: "ACTIVE", payment_status: "awaiting" });
      expect(Date.parse(String((await createOrder()).expires_at))).toBeLessThan(Date.now() + 24 * 3_600_000);
    },
  );
});

it("after all of them the service is ready, without a restart", async () => {
  await until("it is ready", async () => (await fetch(`${stack.baseUrl}/readyz`)).ok);
});

it("after lies at its very first start a service finds the chain, and follows its fork", async () => {
  let liar: LyingNode | undefined;
  const first = await startStack({}, async (url) => {
    liar = await startLyingNode(url);
    for (const name of [
      "the head is block 10^12, with a matching id",
      "the solid block is the head",
      "a block is another one, with a matching id",
    ] as const) {
      liar.inject(lies[name]);
    }
    return liar.url;
  });
  try {
    const { daric: shop } = await first.merchant();
    const { id, address } = await shop.depositAddresses.create({ amount: "25" });
    await first.control("reorg", { depth: 5 });
    await first.control("faucet", { address, usdt: "25" });
    await first.mine(1);
    await first.mine(20);
    await until(
      "the payment is confirmed",
      async () => (await shop.depositAddresses.retrieve(id)).payment_status === "paid",
      CONFIRMED_WITHIN_MS,
    );
  } finally {
    await first.stop();
    await liar?.stop();
  }
});
