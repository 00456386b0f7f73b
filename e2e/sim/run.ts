import type { TestContext } from "@daric/testing/context";
import type { SimDatabase } from "./database.ts";
import type { SimNode } from "./node/sim-node.ts";
import type { SimRun } from "./run-time.ts";
import type { Scene } from "./scenario.ts";
import type { SimTime } from "./time.ts";
import type { SimWatcher } from "./watcher.ts";

/** When the chain begins, by all clocks but the database's. */
export const seedStartMs = Date.UTC(2026, 0, 5, 12);

/** The stage of one seed, its time and what is known of its books. */
export type Run = Scene &
  SimRun & {
    readonly time: SimTime;
    readonly database: SimDatabase;
    readonly context: TestContext;
    readonly nodes: readonly SimNode[];
    readonly watchers: readonly SimWatcher[];
    readonly trace: string[];
    /** from which turn on the liar lies in one way to the end */
    turnOfLasting: number | undefined;
    /** when each payment was final, by the monotonic clock */
    readonly finalSince: Map<string, number>;
    /** since when each payment is in the chain, by the same clock */
    readonly includedSince: Map<string, number>;
    /** whether what honest nodes tell is of a time that our clock says cannot be yet: it waits */
    isClockLate(): boolean;
    /** makes our clock right */
    setClock(): void;
    /** an honest payment is confirmed within this of being final, where enough nodes are honest */
    readonly confirmedWithinMs: number;
    /** whether enough honest nodes store what contracts send: elsewhere such money may wait for an operator, or stay unseen */
    readonly areInternalsReported: boolean;
    /** since when there is a node that tells the truth */
    honestSinceMs: number | undefined;
  };
