import type { TronClient, TronNode } from "@daric/chain/nodes/chain-reader";
import type { Network, NetworkName } from "@daric/chain/nodes/networks";
import { parseAmount } from "@daric/domain/money";
import type { ContextOf } from "@daric/runtime/context";
import type { Lease } from "@daric/runtime/lease";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import { type ConfigOf, choiceOf, integer, setting } from "@daric/runtime/setting";
import { isAddress } from "@daric/tron/address";
import type { SettlementEventContext } from "@daric/webhooks/events/context";
import { z } from "zod";
import type { SettlementMetrics } from "./metrics.ts";
import type { SweptTo } from "./wallet-store.ts";

export const settlementSettings = {
  stakeAddress: setting({
    env: "STAKE_ADDRESS",
    read: z.string().refine(isAddress, "must be a TRON address (T…)").optional(),
    default: "none: energy is burnt",
    roles: ["settlement"],
    meaning:
      "The account whose stake lends energy to sweeps. Its active permission 2 names the signer's key for delegations, and the signer's config.json names it too.",
  }),
  withoutEnergy: setting({
    env: "SWEEP_WITHOUT_ENERGY",
    read: choiceOf(["wait", "burn"]).prefault("wait"),
    default: "wait",
    roles: ["settlement"],
    meaning:
      "A sweep that finds no energy left in the stake waits until it recovers (a day for all of it), or burns TRX.",
  }),
  maxPriceSun: setting({
    env: "SWEEP_MAX_PRICE_TRX",
    read: z
      .string()
      .refine((text) => parseAmount(text) !== undefined, "must be an amount of TRX like 20")
      .transform((text): bigint => parseAmount(text) ?? 0n)
      .prefault("20"),
    default: "20",
    roles: ["settlement"],
    meaning:
      "A sweep above this price waits, and says so. The signer has limits of its own for top-ups and fee_limit.",
  }),
  maxCostBasisPoints: setting({
    env: "SWEEP_MAX_COST_BASIS_POINTS",
    read: integer(1, 10_000).prefault("100"),
    default: "100",
    roles: ["settlement"],
    meaning:
      "A sweep is made once its price is at most this share of the amount: 100 is 1 %. For money that has lain for 24 hours, ten times the share. The operator's fees are sent by the same share.",
  }),
  sweepsAtOnce: setting({
    env: "SWEEPS_AT_ONCE",
    read: integer(1, 200).prefault("20"),
    default: "20",
    roles: ["settlement"],
    meaning: "Sweeps that are under way at a time.",
  }),
};

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

/** A node that settlement leaves out, because its solid block is older than that of the others or than ours. */
export type NodeBehind = { readonly node: string; readonly solid: number };

/**
 * The height that settlement reads at. A node has no balances of the past, and its solid block may be older than our
 * newest verified one. So what the ledger got above this height is not settled yet.
 */
export type SolidReach = {
  /** the newest of our verified blocks that enough nodes have as a solid one */
  readonly height: number;
  /** the nodes whose solid block is there, or later */
  readonly nodes: readonly TronNode[];
  readonly behind: readonly NodeBehind[];
};

/** The chain, as a plan reads it. */
export type ChainView = {
  readonly client: TronClient;
  readonly network: Network;
  readonly verified: VerifiedTip;
  /** the height that balances are read at, and the nodes that have it */
  reach(): Promise<SolidReach>;
  /** the gas wallet in base58; it pays for activations and burned energy */
  readonly gasAddress: string;
};

/**
 * The wallets that other keys may move than those that a person confirmed. Their sweeps are paused until the operator
 * confirms them anew, or the signer's list names the wallet no longer.
 */
export type WalletGuard = {
  /** where nothing is sent: of each merchant by itself, since another one may have confirmed the same wallet */
  paused(): readonly SweptTo[];
  /** Pauses the wallets of these sweeps, with one alarm for each. */
  pause(sweeps: readonly SweptTo[]): void;
  /** Queries the nodes again about the paused wallets, and lets go those whose keys are confirmed, or that no money goes to. */
  recheck(settling: ChainView): Promise<void>;
};

/** The state that each step of the worker uses. */
export type Settling = ChainView & {
  readonly lease: Lease;
  /** no new transaction may be made */
  readonly isPaused: boolean;
  /** the wallets whose sweeps are paused */
  readonly guard: WalletGuard;
};
