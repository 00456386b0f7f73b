import { type ParameterName, parameterSlot } from "./chain-parameters.ts";
import { GENESIS } from "./genesis-accounts.ts";
import { othersWeightSlot } from "./resource-limits.ts";
import type { StateChanges, StateReader, StateWriter } from "./state.ts";

/** The largest parameter that java-tron accepts in a proposal. */
export const MAX_SETTING = 100_000_000_000_000_000n;

type Setting = {
  /** the slots of the value; the first is read */
  readonly slots: readonly [string, ...string[]];
  readonly least: bigint;
};

/** Chain parameters that this chain uses. */
const SETTABLE = [
  "getEnergyFee",
  "getTransactionFee",
  "getCreateAccountFee",
  "getCreateNewAccountFeeInSystemContract",
  "getCreateNewAccountBandwidthRate",
  "getMemoFee",
  "getMultiSignFee",
  "getUpdateAccountPermissionFee",
  "getMaxFeeLimit",
  "getFreeNetLimit",
  "getTotalNetLimit",
  "getTotalEnergyLimit",
  "getUnfreezeDelayDays",
  "getMaxDelegateLockPeriod",
] as const satisfies readonly ParameterName[];

/** Parameters that must not be 0: divisors, and counts of at least one. */
const POSITIVE: readonly ParameterName[] = [
  "getEnergyFee",
  "getCreateNewAccountBandwidthRate",
  "getTotalNetLimit",
  "getTotalEnergyLimit",
  "getUnfreezeDelayDays",
  "getMaxDelegateLockPeriod",
];

/** TRX that the rest of the network has staked; it determines the energy and bytes per TRX. */
const WEIGHTS = { othersEnergyWeight: "ENERGY", othersNetWeight: "BANDWIDTH" } as const;

/**
 * Energy of a token transfer; 0, the default, is the token's own figure. And whether the token has only the functions
 * of TRC-20, without a black list, a pause and a fee; 0, the default, is no.
 */
const TOKEN_SLOTS = {
  transferEnergy: "energy:transfer",
  firstTransferEnergy: "energy:firstTransfer",
  trc20Only: "trc20Only",
} as const;

export type SettingName = (typeof SETTABLE)[number] | keyof typeof WEIGHTS | keyof typeof TOKEN_SLOTS;
export type SettingValues = ReadonlyMap<SettingName, bigint>;

const SETTINGS: Readonly<Record<SettingName, Setting>> = settingTable();

export const NETWORK_SETTINGS: readonly SettingName[] = [...SETTABLE, ...keysOf(WEIGHTS)];
export const TOKEN_SETTINGS: readonly SettingName[] = keysOf(TOKEN_SLOTS);

/** The least value of a setting; the greatest is MAX_SETTING. */
export function minValue(name: SettingName): bigint {
  return SETTINGS[name].least;
}

export function settingValue(state: StateReader, name: SettingName): bigint {
  return state.slot(SETTINGS[name].slots[0]);
}

/** Writes settings into a state; changed prices enter their history at this block time. */
export function applySettings(state: StateWriter, values: SettingValues, nowMs: number): void {
  for (const [name, value] of values) {
    const isPrice = name === "getEnergyFee" || name === "getTransactionFee";
    if (isPrice && value !== settingValue(state, name)) recordPrice(state, name, { value, nowMs });
    for (const slot of SETTINGS[name].slots) state.putSlot(slot, value);
  }
}

/** The settings in a block's changes, which a replacing branch repeats. */
export function settingsIn(changes: StateChanges): Map<SettingName, bigint> {
  const found = new Map<SettingName, bigint>();
  for (const name of keysOf(SETTINGS)) {
    const value = changes.slots.get(SETTINGS[name].slots[0]);
    if (value !== undefined) found.set(name, value);
  }
  return found;
}

type PriceName = "getEnergyFee" | "getTransactionFee";

/** A history is one number: the latest price lowest, each with its time before it, in this many bits. */
const PRICE_BITS = 64n;

/** The prices of energy or bandwidth since the beginning, as "<from this time on>:<sun>" with commas between. */
export function priceHistory(state: StateReader, name: PriceName): string {
  const prices: string[] = [];
  for (let rest = state.slot(historySlot(name)); rest > 0n; rest >>= 2n * PRICE_BITS) {
    const timeMs = BigInt.asUintN(Number(PRICE_BITS), rest >> PRICE_BITS);
    prices.unshift(`${timeMs}:${BigInt.asUintN(Number(PRICE_BITS), rest)}`);
  }
  return prices.join(",");
}

export function firstPrices(state: StateReader): [slot: string, value: bigint][] {
  return PRICES.map((name) => [historySlot(name), state.slot(parameterSlot(name))]);
}

function recordPrice(
  state: StateWriter,
  name: PriceName,
  { value, nowMs }: { readonly value: bigint; readonly nowMs: number },
): void {
  const slot = historySlot(name);
  const price = (BigInt(nowMs) << PRICE_BITS) | value;
  state.putSlot(slot, (state.slot(slot) << (2n * PRICE_BITS)) | price);
}

const PRICES: readonly PriceName[] = ["getEnergyFee", "getTransactionFee"];

function historySlot(name: PriceName): string {
  return `history/${name}`;
}

function settingTable(): Readonly<Record<SettingName, Setting>> {
  const parameters = SETTABLE.map((name) => [
    name,
    {
      slots:
        name === "getTotalEnergyLimit"
          ? [parameterSlot(name), parameterSlot("getTotalEnergyCurrentLimit")]
          : [parameterSlot(name)],
      least: POSITIVE.includes(name) ? 1n : 0n,
    },
  ]);
  const weights = keysOf(WEIGHTS).map((name) => [
    name,
    { slots: [othersWeightSlot(WEIGHTS[name])], least: 1n },
  ]);
  const tokenSettings = keysOf(TOKEN_SLOTS).map((name) => [
    name,
    { slots: [`${GENESIS.usdtContract}/${TOKEN_SLOTS[name]}`], least: 0n },
  ]);
  return Object.fromEntries([...parameters, ...weights, ...tokenSettings]) as Record<SettingName, Setting>;
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[];
}
