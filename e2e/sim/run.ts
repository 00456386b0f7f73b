import type { TestContext } from "@daric/testing/context";
import type { SimDatabase } from "./database.ts";
import type { SimNode } from "./node/sim-node.ts";
import type { SimPlay } from "./play-time.ts";
import type { Scene } from "./scenario.ts";
import type { SimTime } from "./time.ts";
import type { SimWatcher } from "./watcher.ts";

/** When the chain begins, by all clocks but the database's. */
export const seedStartMs = Date.UTC(2026, 0, 5, 12);

/** The stage of one seed, its time and what is known of its books. */
export type Run = Scene &
  SimPlay & {
    readonly time: SimTime;
    readonly database: SimDatabase;
    readonly context: TestContext;
    readonly nodes: readonly SimNode[];
    readonly watchers: readonly SimWatcher[];
    readonly trace: string[];
    /** from which turn on the liar lies in one way to the end */
    turnOfLasting: number | undefined;
    /** whether all nodes say at the first start who may sign: nothing is confirmed before */
    isSaidAtStart: boolean;
    /** when each payment was final, by the monotonic clock */
    readonly finalSince: Map<string, number>;
    /** since when each payment is in the chain, by the same clock */
    readonly includedSince: Map<string, number>;
    /** whether reading begins where it is told to: elsewhere all nodes must show that block as long as nobody is known to sign */
    readonly isStartGiven: boolean;
    /** whether what honest nodes tell is of a time that our clock says cannot be yet */
    readonly isClockLate: boolean;
    /** since when there is a node that tells the truth */
    honestSinceMs: number | undefined;
    /** since when it is known who may sign: nothing is confirmed before */
    pinnedSinceMs: number | undefined;
  };
