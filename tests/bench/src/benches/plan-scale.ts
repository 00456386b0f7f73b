import { fillContents, fillOrders } from "../fill.ts";
import type { Done, Extent } from "../generator.ts";
import { assertSame, type Bench, type Contestant, compare, print } from "../harness.ts";
import { makeOrders } from "../paid-addresses.ts";
import { onStage } from "../stage.ts";

const ADDRESSES = 1_000_000;
/** The last addresses of a plan; only their merchant has an approved wallet. */
const SWEPT = 20;
const MEGABYTE = 2 ** 20;
const bars = { max: 3 };
/** The most that the memory of a planning process may grow. */
const MAX_GROWTH_BYTES = 64 * MEGABYTE;

type Planned = Done & { readonly rows: number; readonly rssBytes: number };

/** The cost of choosing what to sweep, without a node. */
export const planScale: Bench = {
  name: "plan-scale",
  measures:
    "CPU of a plan over 10^6 addresses with money, whose last 20 alone may be swept, over that of reading their rows in " +
    "the same order; and the growth of the planning process's memory",
  bar: `at most ${bars.max} times the CPU, and ${MAX_GROWTH_BYTES / MEGABYTE} MB`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("plan");
      const { db, env } = deployment;
      const [many, few] = await makeOrders(deployment, { merchants: 2, ordersEach: 1 });
      if (many === undefined || few === undefined) throw new Error("there are no two merchants");
      await fillOrders(db, [many], ADDRESSES - 2);
      await fillContents(db, { approved: few.id, count: SWEPT });
      const memory: number[] = [];
      const contestant = async (name: string, depth: string, rows: number): Promise<Contestant> => {
        const { pid, run } = await stage.child<Planned>("plan-scale", { ...env, BENCH_DEPTH: depth });
        return {
          name,
          pid,
          run: async (extent: Extent) => {
            const done = await run(extent);
            assertSame(`${name}, ${Math.round(done.rssBytes / MEGABYTE)} MB`, {
              found: done.rows,
              there: rows,
            });
            if (depth === "plan") memory.push(done.rssBytes);
            return done;
          },
        };
      };
      const ceiling = await contestant("read", "read", ADDRESSES);
      const ours = await contestant("plan", "plan", SWEPT);
      const { postgresPid } = stage;
      const outcome = await compare({ ceiling, ours, measure: "cpu", postgresPid }, { ...effort, warmUp: 1 });
      const growth = Math.max(...memory) - (memory[0] ?? 0);
      print(`  the planning process grew by ${Math.round(growth / MEGABYTE)} MB`);
      return { ...outcome, unit: "µs of CPU a plan", bars, holds: growth <= MAX_GROWTH_BYTES };
    }),
};
