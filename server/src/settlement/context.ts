import type { TronClient } from "../chain/nodes/chain-reader.ts";
import type { Network, NetworkName } from "../chain/nodes/networks.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { Lease } from "../runtime/lease.ts";
import type { AlarmMetrics } from "../runtime/metrics.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { SettlementEventContext } from "../webhooks/events/context.ts";
import type { SettlementMetrics } from "./metrics.ts";
import type { settlementSettings } from "./settings.ts";

/** The context of the routes. */
export type Context = ContextOf;

/** The context of the worker. */
export type SettlementContext = ContextOf<
  {
    readonly chain: { readonly network: NetworkName };
    readonly deposits: { readonly quorum: number | undefined };
    readonly settlement: ConfigOf<typeof settlementSettings, "settlement">;
  },
  SettlementMetrics & AlarmMetrics
> &
  Pick<SettlementEventContext, "config">;

/** A block that the watcher has verified: our chain up to it is final and complete. */
export type VerifiedTip = { readonly number: number; readonly blockId: string; readonly time: Date };

/** The context of a plan; commands make plans too. */
export type PlanningContext = Pick<SettlementContext, "db" | "clock"> & {
  readonly config: Pick<SettlementContext["config"], "deposits" | "settlement">;
};

/** The chain, as a plan reads it. */
export type ChainView = {
  readonly client: TronClient;
  readonly network: Network;
  readonly verified: VerifiedTip;
  /** the gas wallet in base58; it pays for activations and burned energy */
  readonly gasAddress: string;
};

/** The state that each step of the worker uses. */
export type Settling = ChainView & {
  readonly lease: Lease;
  /** no new transaction may be made */
  readonly isPaused: boolean;
};
