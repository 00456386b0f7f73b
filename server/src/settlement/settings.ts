import { isAddress } from "@daric/tron/address";
import { z } from "zod";
import { parseAmount } from "../domain/money.ts";
import { choiceOf, integer, setting } from "../runtime/setting.ts";

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
