import { buffersOf } from "../buffers.ts";
import { fillOrders } from "../fill.ts";
import { type Bench, type Outcome, print } from "../harness.ts";
import { onStage } from "../stage.ts";
import {
  compareShops,
  createAdjacentOrders,
  openShop,
  requester,
  requestNames,
  type Shop,
  worstOf,
} from "./four-requests.ts";

const SMALL = 10_000;
const LARGE = 1_000_000;
/** Orders to read: half of them the oldest, half the newest. */
const READ = 1_000;
const bars = { max: 1.2 };
/**
 * Pages that a request may read more. An index with an entry per order has one level more at 10^6 orders than at
 * 10^4, and a create enters four such indexes.
 */
const PAGES_MORE = 4;

/** How much the cost of a request grows with a hundred times as many orders. */
export const growth: Bench = {
  name: "growth",
  measures:
    "CPU of a retrieve, a checkout projection, a first page and a create, the worst of them, with 10^6 orders over " +
    "the same with 10^4, half of them one merchant's; and how many more pages each reads",
  bar: `at most ${bars.max} times the CPU and ${PAGES_MORE} pages more`,
  run: (effort) =>
    onStage(async (stage) => {
      const open = async (name: string, orders: number): Promise<Shop> => {
        const shop = await openShop(stage, name, READ / 2);
        const { db } = shop.deployment;
        await fillOrders(db, shop.merchants, orders - READ);
        const all = { ...shop, orders: [...shop.orders, ...(await createAdjacentOrders(shop, READ / 2))] };
        await db.query("vacuum analyze");
        print(`${name} is filled`);
        return all;
      };
      const [small, large] = [await open("small", SMALL), await open("large", LARGE)];
      const [smallClient, largeClient] = [
        await small.deployment.serve("api"),
        await large.deployment.serve("api"),
      ];
      const outcomes: Outcome[] = [];
      let holds = true;
      for (const name of requestNames) {
        const ceiling = requester(name, smallClient, small);
        const ours = requester(name, largeClient, large);
        // Before the rounds, since creates enlarge the small shop.
        const pages = [
          await buffersOf(ceiling, small.deployment.db),
          await buffersOf(ours, large.deployment.db),
        ] as const;
        outcomes.push(await compareShops(name, { ceiling, ours, stage }, effort));
        print(`  pages ${pages[0].toFixed(1)}, ${pages[1].toFixed(1)}`);
        // Descents are whole pages; simultaneous creates share fractions.
        holds &&= Math.round(pages[1] - pages[0]) <= PAGES_MORE;
      }
      return { ...worstOf(outcomes), unit: "µs of CPU a request", bars, holds };
    }),
};
