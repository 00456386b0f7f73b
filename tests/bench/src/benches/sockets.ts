import { setTimeout as sleep } from "node:timers/promises";
import { createOrders, UNCAPPED } from "../charge-requests.ts";
import { archiveAll } from "../fill.ts";
import { openGenerator } from "../generator.ts";
import { type Bench, print, round3 } from "../harness.ts";
import { processorTimeOf, processorTimeOfTree, residentBytesOf } from "../processor-time.ts";
import type { Program, Runner } from "../programs.ts";
import type { FleetDone, FleetReport } from "../socket-fleet.ts";
import { onStage } from "../stage.ts";

const SOCKETS = 10_000;
const NOTIFIED_WITHIN_MS = 1_000;
const SETTLE_MS = 5_000;
/** The number of sockets opened at once at the start; the reconnect opens all at once. */
const WAVE = 1_000;
const MB = 1_000_000;
const bars = { max: 1.5, notifiedMs: NOTIFIED_WITHIN_MS };

type Fleet = Runner<FleetDone, FleetReport>;

/** The cost of notifying many payers at once. */
export const sockets: Bench = {
  name: "sockets",
  measures:
    `memory that ${SOCKETS} idle sockets take in one process, each of an order of its own, over what they take in a bare ws ` +
    "server; then one commit that changes every order, until the last page is notified; then all of them reconnect at once",
  bar: `at most ${bars.max}; notified within ${NOTIFIED_WITHIN_MS} ms; no socket is refused`,
  run: () =>
    onStage(async (stage) => {
      const { db, serve, merchant } = await stage.open("sockets");
      const seller = await merchant(...UNCAPPED);
      const maker = await serve("api");
      const generator = await openGenerator(maker.port, 16);
      const paths = (await createOrders(generator, seller, SOCKETS)).map(
        ({ token }) => `/v1/checkout/${token}/live`,
      );
      generator.close();
      await maker.stop();
      await db.query("vacuum analyze");
      // A fresh process, so that creating the orders is not counted.
      const api = await serve("api");
      const fleet: Fleet = await stage.child("socket-fleet", {});
      const bare = await stage.child("bare-websocket", {});
      const ceiling = await fill("a bare server", bare, { fleet, paths });
      const ours = await fill("ours", api, { fleet, paths });
      const cpuUs = () => [processorTimeOf(api.pid), processorTimeOfTree(stage.postgresPid)] as const;
      const listening = fleet.run({ listen: true });
      await archiveAll(db);
      const [committedMs, before] = [Date.now(), cpuUs()];
      const notifiedMs = (await listening).lastMs - committedMs;
      const [process, postgres] = cpuUs().map((us, n) => Math.round((us - (before[n] ?? 0)) / 1_000));
      print(
        `  one commit changes all: the last page is notified after ${notifiedMs} ms, ${process} + ${postgres} ms of CPU (process + PostgreSQL)`,
      );
      const again = await fleet.run({ open: { port: api.port, paths, atOnce: SOCKETS } });
      print(
        `  all reconnect: ${again.done} in ${Math.round(again.elapsedMs)} ms, ${again.failed} failed ${again.why ?? ""}`,
      );
      return {
        ratio: round3(ours / ceiling),
        ours: round3(ours / MB),
        ceiling: round3(ceiling / MB),
        unit: "MB",
        rounds: 1,
        bars,
        holds: notifiedMs <= NOTIFIED_WITHIN_MS && again.failed === 0,
        cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
        isInconclusive: false,
      };
    }),
};

/** Opens all sockets; returns the memory that the process uses for them. @throws Error when one was refused */
async function fill(
  name: string,
  { pid, port }: Program,
  { fleet, paths }: { fleet: Fleet; paths: readonly string[] },
): Promise<number> {
  const before = residentBytesOf(pid);
  const { done, failed, elapsedMs, why } = await fleet.run({ open: { port, paths, atOnce: WAVE } });
  if (failed > 0) throw new Error(`${name}: ${failed} sockets were refused: ${why}`);
  await sleep(SETTLE_MS);
  const after = residentBytesOf(pid);
  const each = (after - before) / done / 1_000;
  print(
    `  ${name}: ${done} opened in ${Math.round(elapsedMs)} ms, ${Math.round(before / MB)} to ${Math.round(after / MB)} MB, ${each.toFixed(1)} kB each`,
  );
  return after - before;
}
