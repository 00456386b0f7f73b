import { fillDeposits } from "../fill.ts";
import { type Bench, type Outcome, print } from "../harness.ts";
import { onStage } from "../stage.ts";
import { compareShops, openShop, requester, requestNames, type Shop, worstOf } from "./four-requests.ts";

const ORDERS = 500;
const DEPOSITS = 200_000;
const bars = { max: 1.2 };
const reads = requestNames.filter((name) => name !== "create");

/** The cost of one charge with very many payments: for other charges, with a bar, and for itself, without one. */
export const whale: Bench = {
  name: "whale",
  measures:
    "CPU of a retrieve, a checkout projection and a first page of other charges, the worst of them, beside a charge " +
    "with 200,000 deposits, over the same beside a charge with one deposit; printed: the CPU for that charge itself",
  bar: `at most ${bars.max}`,
  run: (effort) =>
    onStage(async (stage) => {
      const open = async (name: string, deposits: number): Promise<{ others: Shop; one: Shop }> => {
        const shop = await openShop(stage, name, ORDERS);
        const [charge, ...orders] = shop.orders;
        if (charge === undefined) throw new Error("there is no charge");
        const { db } = shop.deployment;
        await fillDeposits(db, { merchantId: shop.seller.id, id: charge.id }, deposits);
        await db.query("vacuum analyze");
        return { others: { ...shop, orders }, one: { ...shop, orders: [charge] } };
      };
      const [quiet, loud] = [await open("quiet", 1), await open("loud", DEPOSITS)];
      const apis = [
        await quiet.others.deployment.serve("api"),
        await loud.others.deployment.serve("api"),
      ] as const;

      async function compareAll(whose: "others" | "one"): Promise<Outcome> {
        print(whose === "others" ? "other charges" : "the charge itself");
        const outcomes: Outcome[] = [];
        for (const name of reads) {
          const ceiling = requester(name, apis[0], quiet[whose]);
          const ours = requester(name, apis[1], loud[whose]);
          outcomes.push(await compareShops(name, { ceiling, ours, stage }, effort));
        }
        return worstOf(outcomes);
      }

      const others = await compareAll("others");
      const itself = await compareAll("one");
      print(`others ${others.ratio}, the charge itself ${itself.ratio}`);
      return { ...others, unit: "µs of CPU a request", bars };
    }),
};
