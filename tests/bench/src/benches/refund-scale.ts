import { type Bench, type Contestant, compare } from "../harness.ts";
import { onStage } from "../stage.ts";

const OPEN = 10_000;
const bars = { max: 1.05 };

/** The cost of many open refunds per block. */
export const refundScale: Bench = {
  name: "refund-scale",
  measures: `CPU of the watcher's reading of a recorded full block and of the search for our addresses, with ${OPEN} open refunds over none`,
  bar: `at most ${bars.max}`,
  run: (effort) =>
    onStage(async (stage) => {
      const open = async (name: string, refunds: number): Promise<Contestant> => {
        const { db, ownerEnv } = await stage.open(name);
        await db.query(
          `insert into refund_addresses (merchant_id, refund_id, address, currency, units, head_number, mac)
           select gen_random_uuid(), gen_random_uuid(), substring(sha256(n::text::bytea) for 20), 'USDT', n, n, sha256(n::text::bytea)
           from generate_series(1, $1::int) n`,
          [refunds],
        );
        await db.query("vacuum analyze refund_addresses");
        const { pid, run } = await stage.child("watch-block", ownerEnv);
        return { name, pid, run };
      };
      const ceiling = await open("none", 0);
      const ours = await open("many", OPEN);
      const { postgresPid } = stage;
      const outcome = await compare({ ceiling, ours, measure: "cpu", postgresPid }, effort);
      return { ...outcome, unit: "µs of CPU a block", bars };
    }),
};
