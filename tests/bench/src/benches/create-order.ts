import { chargeBody, createRequest, inTurn, UNCAPPED } from "../charge-requests.ts";
import { openGenerator, type Request } from "../generator.ts";
import { assertSame, type Bench, type Contestant, compare, print } from "../harness.ts";
import type { Program } from "../programs.ts";
import { onStage, type StagedDeployment, type StagedMerchant } from "../stage.ts";

const CONNECTIONS = 32;
const MERCHANTS = 100;
const CAP = 10;
const CAPPED_CONNECTIONS = 4;
/** Comparisons without a bar take fewer rounds. */
const ROUNDS_PRINTED = 2;
const bars = { must: 0.25, goal: 0.3 };

/** The rate of orders, with derived addresses, compared with the database's maximum. */
export const createOrder: Bench = {
  name: "create-order",
  measures:
    "orders a second of one merchant at 32 connections, derivation included, over one named prepared one-row insert " +
    "at 32 connections into a table with one index on the same server; printed: of 100 merchants, of one in USD and " +
    "EUR, and of one while another at its cap is refused",
  bar: `at least ${bars.must}, goal ${bars.goal}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("create_order");
      const loop = await stage.child("insert-loop", deployment.ownerEnv);
      let inserted = 0;
      const ceiling: Contestant = {
        name: "insert",
        pid: loop.pid,
        run: async (extent) => {
          const answer = await loop.run(extent);
          inserted += answer.done;
          return answer;
        },
      };
      const merchants: StagedMerchant[] = [];
      for (let made = 0; made < MERCHANTS; made += 1) merchants.push(await deployment.merchant(...UNCAPPED));
      const capped = await deployment.merchant("--active-address-cap", String(CAP));
      const api = await deployment.serve("api");
      const { postgresPid } = stage;
      const { against, created } = countedOrders(api);

      print("one merchant");
      const ours = await against(merchants.slice(0, 1));
      const outcome = await compare({ ceiling, ours, measure: "rate", postgresPid }, effort);
      const printed = {
        ...effort,
        rounds: Math.min(effort.rounds, ROUNDS_PRINTED),
        warmUp: effort.warmUp / 10,
      };
      print(`${MERCHANTS} merchants`);
      await compare({ ceiling, ours: await against(merchants), measure: "rate", postgresPid }, printed);
      for (const pricingCurrency of ["USD", "EUR"]) {
        print(`one merchant, priced in ${pricingCurrency}`);
        const priced = await against(merchants.slice(0, 1), { pricingCurrency });
        await compare({ ceiling, ours: priced, measure: "rate", postgresPid }, printed);
      }
      print("one merchant, while another at its cap is refused");
      await fill(api, capped);
      const refused = (): Request => ({ ...createRequest(capped), expected: 429 });
      const beside = await against(merchants.slice(0, 1), { beside: refused });
      await compare({ ceiling, ours: beside, measure: "rate", postgresPid }, printed);

      assertSame("inserts", { done: inserted, rows: await count(deployment, "ceiling") });
      const rows = await count(deployment, "deposit_addresses");
      assertSame("orders", { answered: created() + CAP, rows });
      return { ...outcome, unit: "a second", bars };
    }),
};

/** Makes contestants that create orders of these merchants in turn, and counts the orders of all. */
function countedOrders(api: Program) {
  let created = 0;
  async function against(
    of: readonly StagedMerchant[],
    { beside, ...pricing }: { beside?: () => Request; pricingCurrency?: string } = {},
  ): Promise<Contestant> {
    const next = inTurn(of);
    const contestant = chargeBody("create", api, {
      connections: CONNECTIONS,
      next: () => createRequest(next(), undefined, pricing),
    });
    const run: Contestant["run"] = async (extent) => {
      const done = await contestant.run(extent);
      created += done.done;
      return done;
    };
    return { ...contestant, run: beside === undefined ? run : await withBeside(api, beside, run) };
  }
  return { against, created: () => created };
}

/** Runs the same work while other clients send requests that are refused. */
async function withBeside(
  api: Program,
  next: () => Request,
  run: Contestant["run"],
): Promise<Contestant["run"]> {
  const generator = await openGenerator(api.port, CAPPED_CONNECTIONS);
  return async (extent) => {
    let isDone = false;
    const running = generator.run(() => (isDone ? undefined : next()), { seconds: Number.POSITIVE_INFINITY });
    const done = await run(extent);
    isDone = true;
    print(`    beside it ${(await running).done} were refused`);
    return done;
  };
}

async function fill(api: Program, merchant: StagedMerchant): Promise<void> {
  const generator = await openGenerator(api.port, 1);
  await generator.run(() => createRequest(merchant), { count: CAP });
  generator.close();
}

async function count({ db }: StagedDeployment, table: string): Promise<number> {
  const { rows } = await db.query(`select count(*)::int as count from ${table}`);
  return rows[0].count;
}
