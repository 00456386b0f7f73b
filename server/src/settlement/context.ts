import type { TronClient } from "../chain/nodes/chain-reader.ts";
import type { Network, NetworkName } from "../chain/nodes/networks.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { Lease } from "../runtime/lease.ts";
import type { AlarmMetrics } from "../runtime/metrics.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { SettlementEventContext } from "../webhooks/events/context.ts";
import type { SettlementMetrics } from "./metrics.ts";
import type { settlementSettings } from "./settings.ts";

/** Received by the routes. */
export type Context = ContextOf;

/** Received by the worker. */
export type SettlementContext = ContextOf<
  {
    readonly chain: { readonly network: NetworkName };
    readonly deposits: { readonly quorum: number | undefined };
    readonly settlement: ConfigOf<typeof settlementSettings, "settlement">;
  },
  SettlementMetrics & AlarmMetrics
> &
  Pick<SettlementEventContext, "config">;

/** A block that the watcher has verified: our chain up to it is final, and known whole. */
export type VerifiedTip = { readonly number: number; readonly blockId: string; readonly time: Date };

/** What planning needs: the command line plans too. */
export type PlanningContext = Pick<SettlementContext, "db" | "clock"> & {
  readonly config: Pick<SettlementContext["config"], "deposits" | "settlement">;
};

/** The chain as a plan sees it. */
export type ChainView = {
  readonly client: TronClient;
  readonly network: Network;
  readonly verified: VerifiedTip;
  /** base58: it pays for activations and burned energy */
  readonly gasAddress: string;
};

/** What a step of the worker goes by. */
export type Settling = ChainView & {
  readonly lease: Lease;
  /** no new transaction is made */
  readonly isPaused: boolean;
};
