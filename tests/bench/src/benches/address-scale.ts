import { fillAddresses } from "../fill.ts";
import { assertSame, type Bench, type Contestant, compare } from "../harness.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { onStage } from "../stage.ts";

const SMALL = 1_000;
const LARGE = 10_000_000;
const bars = { max: 1.1 };

/** The cost of ten thousand times as many issued addresses per block. */
export const addressScale: Bench = {
  name: "address-scale",
  measures:
    "CPU of a transaction that looks up the owners of the 430 addresses of a full block, with 10^7 issued addresses in the " +
    "directory over the same with a thousand",
  bar: `at most ${bars.max}`,
  run: (effort) =>
    onStage(async (stage) => {
      const open = async (name: string, addresses: number): Promise<Contestant> => {
        const deployment = await stage.open(name);
        const { db, ownerEnv } = deployment;
        await makeAddresses(deployment, { merchants: 1, ordersEach: 1 });
        const startedMs = performance.now();
        await fillAddresses(db, addresses);
        const { rows } = await db.query(
          `select (select count(*)::int from address_directory where merchant_id is not null) as issued,
             pg_size_pretty(pg_total_relation_size('address_directory')) as size`,
        );
        assertSame(
          `${name}, ${rows[0].size}, filled in ${Math.round((performance.now() - startedMs) / 1_000)} s`,
          {
            checked: addresses,
            issued: rows[0].issued,
          },
        );
        const { pid, run } = await stage.child("probe-addresses", ownerEnv);
        return { name, pid, run };
      };
      const ceiling = await open("small", SMALL);
      const ours = await open("large", LARGE);
      const { postgresPid } = stage;
      const outcome = await compare({ ceiling, ours, measure: "cpu", postgresPid }, effort);
      return { ...outcome, unit: "µs of CPU a block", bars };
    }),
};
