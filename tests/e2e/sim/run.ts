import type { TestContext } from "@daric/testing/context";
import type { SimDatabase } from "./database.ts";
import type { SimNode } from "./node/sim-node.ts";
import type { SimRun } from "./run-time.ts";
import type { Scene } from "./scenario.ts";
import type { SimTime } from "./time.ts";
import type { SimWatcher } from "./watcher.ts";

/** The start of the chain, by all clocks except the database's. */
export const seedStartMs = Date.UTC(2026, 0, 5, 12);

/** The parts of one seed, its time and its records. */
export type Run = Scene &
  SimRun & {
    readonly time: SimTime;
    readonly database: SimDatabase;
    readonly context: TestContext;
    readonly nodes: readonly SimNode[];
    readonly watchers: readonly SimWatcher[];
    readonly trace: string[];
    /** the turn from which the liar has a lasting lie */
    turnOfLasting: number | undefined;
    /** the times when payments became final, by the monotonic clock */
    readonly finalSince: Map<string, number>;
    /** the times when payments entered the chain, by the same clock */
    readonly includedSince: Map<string, number>;
    /** whether honest blocks are in the future by the service's clock, which makes them wait */
    isClockLate(): boolean;
    /** corrects the service's clock */
    setClock(): void;
    /** the limit for confirmation of an honest payment after its finality, with enough honest nodes */
    readonly confirmedWithinMs: number;
    /**
     * whether enough honest nodes store internal transfers: otherwise such money may wait for an operator, or
     * stay unseen
     */
    readonly areInternalsReported: boolean;
    /** the time since when there is an honest node */
    honestSinceMs: number | undefined;
  };
