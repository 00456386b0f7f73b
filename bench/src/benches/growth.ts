import { buffersOf } from "../buffers.ts";
import { fillOrders } from "../fill.ts";
import { type Bench, type Outcome, print } from "../harness.ts";
import { onStage } from "../stage.ts";
import {
  compareShops,
  moreOrders,
  openShop,
  requester,
  requestNames,
  type Shop,
  worstOf,
} from "./four-requests.ts";

const SMALL = 10_000;
const LARGE = 1_000_000;
/** Orders that are read: half of them older than all others, half of them newer. */
const READ = 1_000;
const bars = { most: 1.2 };
/**
 * So many pages more may a request read. An index with an entry for each order is a level deeper with 10^6 of them than with 10^4:
 * one page more. A create enters four such.
 */
const PAGES_MORE = 4;

/** What a hundred times as many orders cost each request. */
export const growth: Bench = {
  name: "growth",
  measures:
    "CPU of a retrieve, a checkout projection, a first page and a create, the worst of them, with 10^6 orders over " +
    "the same with 10^4, half of them one merchant's; and how many more pages each reads",
  bar: `at most ${bars.most} times the CPU and ${PAGES_MORE} pages more`,
  run: (effort) =>
    onStage(async (stage) => {
      const open = async (name: string, orders: number): Promise<Shop> => {
        const shop = await openShop(stage, name, READ / 2);
        const { db } = shop.deployment;
        await fillOrders(db, shop.merchants, orders - READ);
        const all = { ...shop, orders: [...shop.orders, ...(await moreOrders(shop, READ / 2))] };
        await db.query("vacuum analyze");
        print(`${name} is filled`);
        return all;
      };
      const [small, large] = [await open("small", SMALL), await open("large", LARGE)];
      const [ofSmall, ofLarge] = [await small.deployment.serve("api"), await large.deployment.serve("api")];
      const outcomes: Outcome[] = [];
      let holds = true;
      for (const name of requestNames) {
        const ceiling = requester(name, ofSmall, small);
        const ours = requester(name, ofLarge, large);
        // Before the rounds: creates make the small one large.
        const pages = [
          await buffersOf(ceiling, small.deployment.db),
          await buffersOf(ours, large.deployment.db),
        ] as const;
        outcomes.push(await compareShops(name, { ceiling, ours, stage }, effort));
        print(`  pages ${pages[0].toFixed(1)}, ${pages[1].toFixed(1)}`);
        // Descents are whole; what creates that come together share is a fraction of a page, by how many they happen to be.
        holds &&= Math.round(pages[1] - pages[0]) <= PAGES_MORE;
      }
      return { ...worstOf(outcomes), unit: "µs of CPU a request", bars, holds };
    }),
};
