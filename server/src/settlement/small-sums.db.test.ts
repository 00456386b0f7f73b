import { sql } from "@daric/postgres/sql";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { beforeAll, expect, it } from "vitest";
import { getControl } from "./control-store.ts";
import { solidReach } from "./solid-reach.ts";
import { createWatch } from "./watch.ts";

let stage: SettlementStage;

beforeAll(async () => {
  stage = await openSettlement();
  await stage.paid({ usdt: "5" });
  await stage.paid({ usdt: "7.5" });
  return stage.close;
}, 60_000);

const daric = async (...args: string[]) => {
  const ended = await captureDaric(args, daricVariables(stage.context, stage.chain.devchain.url));
  expect(ended).toMatchObject({ code: 0, err: "" });
  return ended.out;
};

it("a plan says how much is too little, since when, what its sweeps cost, and from which sum on one pays", async () => {
  const out = await daric("sweep", "plan");
  const today = new Date().toISOString().slice(0, 10);
  // An activation of 1.1 TRX and the energy of one transfer, at 0.3 USD a TRX.
  expect(out).toContain(
    `Too little for a sweep now: 12.5 USDT on 2 addresses, since ${today}. 2 sweeps cost up to 15.057 TRX (4.52 USD)\n`,
  );
  expect(out).toContain(
    "The first sweep of an address with USDT costs 7.5285 TRX (2.26 USD). It is made at once from 225.86 USDT on, and after 24 h from 22.59 USDT on; less waits for more on its address, or for `daric sweep run --all`.\n",
  );
  expect(JSON.parse(await daric("sweep", "plan", "--json")).left).toContainEqual({
    currency: "USDT",
    amount: "12.5",
    reason: "uneconomic",
    addresses: 2,
    since: expect.stringContaining(today),
    sweepPriceTrx: "7.5285",
    sweptFrom: "225.855",
    oldSweptFrom: "22.5855",
  });
});

it("without a rate the plan, both statuses and the readiness name the sum that has no value", async () => {
  await stage.context.owner.query(sql`delete from rates`);
  const fault =
    /^no rate of USDT and TRX says whether it is worth a sweep: 12\.5 USDT on 2 addresses, since /im;
  for (const command of ["plan", "status"]) expect(await daric("sweep", command)).toMatch(fault);
  expect(JSON.parse(await daric("wallet", "status", "--json")).withoutRate).toEqual([
    expect.stringMatching(fault),
  ]);
  expect(await daric("sweep", "plan")).not.toContain("sweeps cost up to");
  const { client } = stage.chain;
  const watch = createWatch(stage.context);
  const verified = { number: 1, blockId: "", time: new Date() };
  const reach = solidReach(stage.context, { client, verified });
  const settling = { ...stage.chain, verified, reach, gasAddress: stage.wallet, isPaused: false };
  await watch.check(
    settling as unknown as Parameters<typeof watch.check>[0],
    await getControl(stage.context.db),
  );
  expect(watch.faults()).toContainEqual(expect.stringMatching(fault));
});
