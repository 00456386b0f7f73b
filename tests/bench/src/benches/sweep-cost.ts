import { type Bench, print, round3 } from "../harness.ts";
import { makeOrders } from "../paid-addresses.ts";
import { control } from "../payments.ts";
import { type SettlingStage, startSettling } from "../settling.ts";
import { onStage, type Stage } from "../stage.ts";

const SUN = 1_000_000;
/** The most TRX by mode: for the first sweep, which activates the address, and for a later one. */
const max = { burn: [7.6, 6.8], delegate: [1.7, 0.6] } as const;
type Mode = keyof typeof max;
const STAKE_TRX = 60_000;
const bars = { max: 1 };

/** The cost of a USDT sweep for the operator's accounts, at mainnet's prices. */
export const sweepCost: Bench = {
  name: "sweep-cost",
  measures:
    "TRX that gas wallet and stake account lose by the first and by a later sweep of USDT from one address, burning and lending",
  bar: `burn at most ${max.burn.join(" and ")} TRX, lend at most ${max.delegate.join(" and ")}`,
  // Each mode has its own chain, because a second run would find the addresses activated.
  run: async () => {
    const burnt = await onStage((stage) => costsOf(stage, "burn"));
    const lent = await onStage((stage) => costsOf(stage, "delegate"));
    const shares = [...burnt, ...lent].map(({ trx, bar }) => trx / bar);
    return {
      ratio: round3(Math.max(...shares)),
      ours: burnt[0]?.trx ?? 0,
      ceiling: max.burn[0],
      unit: "TRX",
      rounds: 1,
      bars,
      cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
      isInconclusive: false,
    };
  },
};

type Cost = { readonly trx: number; readonly bar: number };

async function costsOf(stage: Stage, mode: Mode): Promise<Cost[]> {
  const deployment = await stage.open(`cost_${mode}`);
  const [merchant] = await makeOrders(deployment, { merchants: 1, ordersEach: 1 });
  const address = merchant?.addresses[0];
  if (merchant === undefined || address === undefined) throw new Error("no order was made");
  const { wallet } = merchant;
  const settling = await startSettling(stage, deployment, {
    merchants: [{ id: merchant.id, wallet }],
    ...(mode === "delegate" && { stakeTrx: STAKE_TRX }),
  });
  const costs: Cost[] = [];
  for (const [index, bar] of max[mode].entries()) {
    const trx = await sweep(stage, settling, address);
    print(`  ${mode}, sweep ${index + 1}: ${trx} TRX, at most ${bar}`);
    costs.push({ trx, bar });
    // After half a day the address has the free bandwidth of a transfer again, and the operator's accounts have a
    // part of theirs.
    await settling.passDays(0.5);
  }
  return costs;
}

async function sweep(stage: Stage, settling: SettlingStage, address: string): Promise<number> {
  const before = await settling.operatorSun();
  await control(stage, "faucet", { address, usdt: "1000" });
  await settling.mine(44);
  await settling.awaitContent(1);
  for (let left = 1; left > 0; ) left = (await settling.settle()).left;
  return Number(before - (await settling.operatorSun())) / SUN;
}
