import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { aPerson, signedIn } from "@daric/testing/people";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { beforeAll, expect, it } from "vitest";
import { getControl } from "../control-store.ts";
import { solidReach } from "../solid-reach.ts";
import { createWatch } from "../worker/watch.ts";
import { readSweepTerms, sumSmall } from "./terms-store.ts";

let stage: SettlementStage;
let app: ApiApp;

beforeAll(async () => {
  stage = await openSettlement();
  app = createApp(stage.context);
  await stage.paid({ usdt: "5" });
  await stage.paid({ usdt: "7.5" });
  return async () => {
    await app.close();
    await stage.close();
  };
}, 60_000);

const daric = async (...args: string[]) => {
  const ended = await captureDaric(args, daricVariables(stage.context, stage.chain.devchain.url));
  expect(ended).toMatchObject({ code: 0, err: "" });
  return ended.out;
};

/** The answer of the dashboard to an owner of the merchant. */
async function smallSumsOf(merchantId: MerchantId) {
  const person = await aPerson(stage.context, { places: [{ merchantId, role: "owner" }] });
  const browser = await signedIn(app, person, merchantId);
  return (await browser.send("/dashboard/v1/settlements/small")).body.data;
}

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

it("the dashboard says the same to the merchant, and to no other", async () => {
  await stage.turn();
  const found = await smallSumsOf(stage.merchantId);
  expect(found).toEqual([
    {
      currency: "USDT",
      amount: "12.5",
      addresses: 2,
      since: expect.stringContaining(new Date().toISOString().slice(0, 10)),
      cost_trx: "15.057",
      cost_usd: "4.52",
      swept_from: "225.86",
      old_swept_from: "22.59",
      old_after_seconds: 86_400,
      found_at: expect.any(String),
    },
  ]);
  expect(await smallSumsOf(stage.other.merchantId)).toEqual([]);
});

it("an address that reaches the sum, at once or after a day, is not among them", async () => {
  const { clock, db } = stage.context;
  const [terms] = await readSweepTerms(db);
  if (terms === undefined) throw new Error("no terms");
  const sumAt = (now: Date, changes: Partial<typeof terms>) =>
    sumSmall(db, { merchantId: stage.merchantId, terms: { ...terms, ...changes }, now });
  const nextDay = new Date(clock.now().getTime() + terms.oldAfterMs + 3_600_000);
  expect(await sumAt(clock.now(), { paysFrom: 7_500_000n })).toMatchObject({
    addresses: 1,
    units: 5_000_000n,
  });
  expect(await sumAt(clock.now(), { oldPaysFrom: 7_500_000n })).toMatchObject({ addresses: 2 });
  expect(await sumAt(nextDay, { oldPaysFrom: 7_500_000n })).toMatchObject({ addresses: 1 });
});

it("without a rate of markets the plan, both statuses and the readiness name the sum that has no value", async () => {
  await stage.context.owner.query(sql`delete from rates`);
  // An imported rate values the books alone.
  await stage.context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    select currency, date_trunc('minute', now()), 100000000, 'import:bank', now() from unnest('{USDT,TRX}'::text[]) currency`);
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
  await stage.turn();
  expect(await smallSumsOf(stage.merchantId)).toMatchObject([
    { currency: "USDT", amount: "12.5", addresses: 2, cost_trx: "15.057", cost_usd: null, swept_from: null },
  ]);
});
