import { chargeBody, createRequest, inTurn, UNCAPPED } from "../charge-requests.ts";
import { assertSame, type Bench, type Contestant, compare } from "../harness.ts";
import { onPair, type StagedMerchant } from "../stage.ts";

const CONNECTIONS = 32;
const MERCHANTS = 20;
const bars = { must: 0.5 };

/** The cost of commits that wait for a standby. */
export const pair: Bench = {
  name: "pair",
  measures:
    `orders a second of ${MERCHANTS} merchants at ${CONNECTIONS} connections while each commit waits for a synchronous standby ` +
    "on the same machine, over the same without this wait",
  bar: `at least ${bars.must}`,
  run: (effort) =>
    onPair(async ({ deployment, primaryPid, setSynchronous }) => {
      const merchants: StagedMerchant[] = [];
      for (let made = 0; made < MERCHANTS; made += 1) merchants.push(await deployment.merchant(...UNCAPPED));
      const api = await deployment.serve("api");
      let created = 0;
      const next = inTurn(merchants);
      const creates = chargeBody("api", api, {
        connections: CONNECTIONS,
        next: () => createRequest(next()),
      });
      const standby = (name: string, isSynchronous: boolean): Contestant => ({
        ...creates,
        name,
        run: async (extent) => {
          await setSynchronous(isSynchronous);
          const done = await creates.run(extent);
          created += done.done;
          return done;
        },
      });
      const [ceiling, ours] = [standby("alone", false), standby("synchronous", true)];
      const outcome = await compare({ ceiling, ours, measure: "rate", postgresPid: primaryPid }, effort);
      const { rows } = await deployment.db.query("select count(*)::int as count from deposit_addresses");
      assertSame("orders", { answered: created, rows: rows[0].count });
      return { ...outcome, unit: "orders a second", bars };
    }),
};
