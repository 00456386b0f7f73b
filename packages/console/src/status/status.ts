import { amountFromUnits, formatAmount } from "@daric/domain/money";

/** The state of a process. Unknown values are undefined. */
export type Status = {
  readonly now: Date;
  readonly process: ProcessStatus;
  /** undefined without a database */
  readonly reading: ReadingStatus | undefined;
  /** undefined in a role without nodes */
  readonly nodes: readonly NodeStatus[] | undefined;
  readonly waiting: WaitingStatus;
  /** undefined in a role that does not settle */
  readonly settlement: SettlingStatus | undefined;
  /** undefined in a role without prices */
  readonly rates: readonly RateStatus[] | undefined;
  readonly checks: readonly CheckStatus[];
  /** the newest first */
  readonly errors: readonly ErrorStatus[];
};

export type ProcessStatus = {
  /** its host and its port of metrics, as alerts name it */
  readonly name: string;
  readonly roles: readonly string[];
  readonly network: string;
  readonly environment: string;
  readonly host: string;
  readonly pid: number;
  readonly uptimeSeconds: number;
  readonly versions: {
    readonly program: string;
    readonly node: string;
    readonly schema: number;
    readonly postgresql: string;
  };
};

/** The height of the scan in the database, and its reader. */
export type ReadingStatus = {
  /** host and pid of the reading watcher; undefined if the lease is free */
  readonly leader:
    | { readonly host: string; readonly pid: string; readonly isThisProcess: boolean }
    | undefined;
  /** undefined before the first block */
  readonly scanned:
    | { readonly number: number; readonly ageSeconds: number; readonly solidNumber: number }
    | undefined;
  /** the highest recent head of a node */
  readonly head: number | undefined;
};

/** A node with its last answers. */
export type NodeStatus = {
  readonly label: string;
  readonly head: NodeBlock | undefined;
  readonly solid: NodeBlock | undefined;
  /** since the start of this process */
  readonly failures: number;
  /** the last failure and its age */
  readonly lastFailure: { readonly message: string; readonly agoSeconds: number } | undefined;
};

/** `ageSeconds` by the block's own time, `agoSeconds` since the answer. */
export type NodeBlock = {
  readonly number: number;
  readonly ageSeconds: number;
  readonly agoSeconds: number;
};

export type WaitingStatus = {
  readonly webhooks:
    | { readonly due: number; readonly oldestDueSeconds: number; readonly parked: number }
    | undefined;
  readonly deposits: ReadonlyMap<string, number> | undefined;
  readonly addressesAhead: number | undefined;
};

/** The accounts that pay for sweeps, and the sweeps under way. Only the process that settles knows them. */
export type SettlingStatus = {
  /** a sentence for each fault that delays it */
  readonly faults: readonly string[];
  readonly accounts:
    | {
        /** in sun */
        readonly gas: bigint;
        readonly isGasLow: boolean;
        /** undefined without a stake */
        readonly stake: { readonly free: bigint; readonly loans: number } | undefined;
        /** undefined if no signer runs */
        readonly signerSilentSeconds: number | undefined;
      }
    | undefined;
  readonly sweeps:
    | readonly { readonly status: string; readonly count: number; readonly oldestSeconds: number }[]
    | undefined;
};

export type RateStatus = {
  readonly currency: string;
  readonly fiatCurrency: string;
  /** of the coin in the fiat currency; undefined without one */
  readonly price: string | undefined;
  /** the reason for a missing price */
  readonly refusal: string | undefined;
  readonly sources: readonly {
    readonly source: string;
    readonly verdict: string;
    readonly price: string | undefined;
    readonly ageSeconds: number | undefined;
    readonly why: string | undefined;
  }[];
};

export type CheckStatus = { readonly name: string; readonly ok: boolean; readonly detail: string };

export type ErrorStatus = {
  readonly time: string;
  readonly level: string;
  readonly event?: string;
  readonly message: string;
  readonly reason?: string;
  readonly code?: string;
  readonly worker?: string;
};

/** The state of a process with names and amounts as the wire has them; null where it is unknown. */
export function toWire(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "bigint") return formatAmount(amountFromUnits(value));
  // Silent since the process started: for so long at least.
  if (value === Number.POSITIVE_INFINITY) return Math.floor(process.uptime());
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, toWire(item)]));
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [snake(name), toWire(item)]));
}
