import { type Bench, print, round3 } from "../harness.ts";
import { makeOrders } from "../paid-addresses.ts";
import { control } from "../payments.ts";
import { LOAN_ENERGY, startSettling } from "../settling.ts";
import { onStage, type Stage } from "../stage.ts";

/** The five rounds of a verdict have a thousand addresses. */
const ADDRESSES_A_ROUND = 200;
const STAKE_TRX = 60_000;
const DAY_MS = 86_400_000;
const MAX_DAYS = 200;
/** A day of the bench is a jump of the clock, in which a part of a loan recovers for free. */
const bars = { must: 0.85 };

/** The number of sweeps that one stake allows. */
export const sweepMany: Bench = {
  name: "sweep-many",
  measures:
    "sweeps a day of the chain, of 1,000 addresses with USDT on one stake of 60,000 TRX, over the number that its energy allows; " +
    "and the same where a sweep without energy burns TRX",
  bar: `at least ${bars.must}, and none is stuck`,
  // Each mode has its own chain, because a second run would find the addresses activated.
  run: async ({ rounds }) => {
    const count = rounds * ADDRESSES_A_ROUND;
    const waiting = await onStage((stage) => sweepAll(stage, { count, withoutEnergy: "wait" }));
    const burning = await onStage((stage) => sweepAll(stage, { count, withoutEnergy: "burn" }));
    return {
      ratio: round3(waiting.aDay / waiting.maxPerDay),
      ours: round3(waiting.aDay),
      ceiling: round3(waiting.maxPerDay),
      unit: "sweeps a day",
      rounds,
      bars,
      holds: [waiting, burning].every(({ stuck, swept }) => stuck === 0 && swept === count),
      cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
      isInconclusive: false,
    };
  },
};

type Swept = {
  readonly aDay: number;
  /** the most sweeps a day that the energy of the stake allows */
  readonly maxPerDay: number;
  readonly swept: number;
  readonly stuck: number;
};

async function sweepAll(
  stage: Stage,
  { count, withoutEnergy }: { count: number; withoutEnergy: "wait" | "burn" },
): Promise<Swept> {
  const deployment = await stage.open(`many_${withoutEnergy}`);
  const [merchant] = await makeOrders(deployment, { merchants: 1, ordersEach: count });
  if (merchant === undefined) throw new Error("there is no merchant");
  const { addresses, wallet } = merchant;
  const settling = await startSettling(stage, deployment, {
    merchants: [{ id: merchant.id, wallet }],
    stakeTrx: STAKE_TRX,
    env: { SWEEP_WITHOUT_ENERGY: withoutEnergy, SWEEPS_AT_ONCE: "100" },
  });
  for (const address of addresses) await control(stage, "faucet", { address, usdt: "1000" });
  await settling.mine(44);
  await settling.awaitContent(count);
  const beganMs = await settling.timeMs();
  const sunBefore = await settling.operatorSun();
  const maxPerDay = (await settling.energyADay()) / LOAN_ENERGY;
  let left = (await settling.settle()).left;
  for (let day = 1; left > 0 && day < MAX_DAYS; day += 1) {
    await settling.passDays(1);
    await settling.wake();
    left = (await settling.settle()).left;
    if (day % 10 === 0) print(`  ${withoutEnergy}: ${left} addresses are left after ${day} days`);
  }
  // The first day begins with a stake at rest.
  const days = 1 + ((await settling.timeMs()) - beganMs) / DAY_MS;
  const trx = Number(sunBefore - (await settling.operatorSun())) / 1_000_000;
  const { rows } = await deployment.db.query(
    `select count(*) filter (where status = 'RECLAIMED')::int as swept,
       count(*) filter (where status = 'RECLAIMED' and resources = 'burn')::int as burnt,
       count(*) filter (where status not in ('RECLAIMED', 'DROPPED'))::int as stuck from sweeps`,
  );
  const { swept, burnt, stuck } = rows[0];
  const aDay = swept / days;
  const share = Math.round((burnt / swept) * 1_000) / 10;
  print(
    `  ${withoutEnergy}: ${swept} sweeps in ${days.toFixed(1)} days, ${aDay.toFixed(1)} a day; ${share} % burned; ` +
      `${(trx / swept).toFixed(3)} TRX each; ${stuck} stuck, ${left} left`,
  );
  return { aDay, maxPerDay, swept, stuck: stuck + left };
}
