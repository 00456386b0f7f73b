import { assets, type Currency, isToken, type TokenCurrency, tokenCurrencies } from "./asset.ts";
import { type Amount, add, amountIn, larger, smaller, subtract, zero } from "./money.ts";

/** How an address gets the energy of a sweep: by burning TRX, or from the operator's stake. */
export const sweepResources = ["burn", "delegate"] as const;
export type SweepResources = (typeof sweepResources)[number];

/** Chain parameters: sun per unit of energy, per byte, and for the first TRX to an address; free bytes of an address a day. */
export type ResourcePrices = {
  readonly energy: Amount<"TRX">;
  readonly bandwidth: Amount<"TRX">;
  readonly activation: Amount<"TRX">;
  readonly freeBandwidth: bigint;
};

/** The nodes' answers about a sweep before it is made. Energy is in units, bandwidth in bytes. */
export type SweepFacts = {
  /** of the swept currency, in the newest solid block */
  readonly balance: Amount;
  /** TRX of the address */
  readonly trx: Amount<"TRX">;
  /** whether the address has an account: one that received tokens only has none, and can send nothing */
  readonly isActivated: boolean;
  readonly isRecipientActivated: boolean;
  /** whether those keys may move the recipient's money that a person confirmed */
  readonly isRecipientConfirmed: boolean;
  /** of exactly this transfer; 0 for TRX */
  readonly energyNeeded: bigint;
  readonly energyAvailable: bigint;
  readonly freeBandwidth: bigint;
  readonly stakedBandwidth: bigint;
  /** why the token would refuse this transfer; undefined if it would not */
  readonly refusal: string | undefined;
};

/** The price of a possible sweep. Amounts of TRX are in sun. */
export type SweepPrice = {
  /** the amount to send, in the currency of the sweep; 0 if nothing is left to send */
  readonly units: Amount;
  /** burned in total: by the address, by the gas wallet and by the stake account */
  readonly price: Amount<"TRX">;
  /** sent to the address first, because it has no account, or too little TRX to burn */
  readonly topUp: Amount<"TRX">;
  readonly energy: bigint;
  readonly feeLimit: Amount<"TRX">;
};

/** Bytes of a delegation, and of its return. */
const DELEGATION_BYTES = 283n;
/** The energy of a call may change between its simulation and its block: the limit leaves a fifth more. */
const FEE_LIMIT_PERCENT = 120n;

/**
 * The price of sending `wanted` units out of an address. As in java-tron, bandwidth comes from the stake or else from
 * the free share. Each counts only if it covers the whole transaction; otherwise TRX is burned. Bandwidth of the gas
 * wallet and of the stake account counts as burned. `fee_limit` covers the whole energy, also delegated energy,
 * because java-tron counts both.
 */
export function priceSweep(
  facts: SweepFacts,
  {
    currency,
    wanted,
    prices,
    resources,
  }: { currency: Currency; wanted: Amount; prices: ResourcePrices; resources: SweepResources },
): SweepPrice {
  const burn = burnOf(facts, { currency, prices, resources });
  const sendable = isToken(currency) ? facts.balance : larger<"TRX">(subtract(facts.trx, burn), zero);
  const lacking = isToken(currency) ? larger<"TRX">(subtract(burn, facts.trx), zero) : zero;
  const topUp = facts.isActivated || lacking > zero ? lacking : amountIn("TRX", 1n);
  const topUpPrice = topUp === zero ? zero : topUpFee(facts, prices);
  const lending =
    resources === "delegate" && isToken(currency) ? 2n * DELEGATION_BYTES * prices.bandwidth : 0n;
  const feeLimit = (facts.energyNeeded * prices.energy * FEE_LIMIT_PERCENT + 99n) / 100n;
  return {
    units: smaller<Currency>(wanted, sendable),
    price: add<"TRX">(add<"TRX">(burn, topUpPrice), amountIn("TRX", lending)),
    topUp,
    energy: facts.energyNeeded,
    feeLimit: amountIn("TRX", feeLimit),
  };
}

/**
 * The TRX that the address itself burns. A transfer of TRX that activates its recipient costs its sender the
 * activation.
 */
function burnOf(
  facts: SweepFacts,
  { currency, prices, resources }: { currency: Currency; prices: ResourcePrices; resources: SweepResources },
): Amount<"TRX"> {
  const bytes = assets[currency].transfer.bytes;
  const free = facts.isActivated ? facts.freeBandwidth : prices.freeBandwidth;
  const activates = !isToken(currency) && !facts.isRecipientActivated;
  const isFree = !activates && (facts.stakedBandwidth >= bytes || free >= bytes);
  const missing = resources === "delegate" ? 0n : facts.energyNeeded - facts.energyAvailable;
  const sun =
    (missing > 0n ? missing * prices.energy : 0n) +
    (isFree || activates ? 0n : bytes * prices.bandwidth) +
    (activates ? prices.activation : 0n);
  return amountIn("TRX", sun);
}

/** The TRX that the gas wallet burns to send TRX to the address. */
function topUpFee({ isActivated }: Pick<SweepFacts, "isActivated">, prices: ResourcePrices): Amount<"TRX"> {
  return isActivated ? amountIn("TRX", assets.TRX.transfer.bytes * prices.bandwidth) : prices.activation;
}

/**
 * The price of the first sweep of an address that received this coin alone, to a wallet that holds the coin. Later
 * sweeps of the address cost no activation.
 */
export function firstSweepPrice(
  currency: Currency,
  { prices, resources }: { prices: ResourcePrices; resources: SweepResources },
): Amount<"TRX"> {
  const content = amountIn("TRX", prices.activation + 1n);
  const facts: SweepFacts = {
    ...noResources,
    balance: content,
    trx: isToken(currency) ? zero : content,
    isActivated: !isToken(currency),
    energyNeeded: isToken(currency) ? assets[currency].transfer.energy : 0n,
    freeBandwidth: prices.freeBandwidth,
  };
  return priceSweep(facts, { currency, wanted: content, prices, resources }).price;
}

/** The price of a transfer by hand: from a wallet without energy, of its free bandwidth, to a wallet that holds the coin. */
export function handTransferPrice(currency: Currency, prices: ResourcePrices): Amount<"TRX"> {
  const energyNeeded = isToken(currency) ? assets[currency].transfer.energy : 0n;
  const facts = { ...noResources, energyNeeded, freeBandwidth: prices.freeBandwidth };
  return burnOf(facts, { currency, prices, resources: "burn" });
}

/** An activated address without energy and bandwidth, and a wallet that holds the coin. */
const noResources: SweepFacts = {
  balance: zero,
  trx: zero,
  isActivated: true,
  isRecipientActivated: true,
  isRecipientConfirmed: true,
  energyNeeded: 0n,
  energyAvailable: 0n,
  freeBandwidth: 0n,
  stakedBandwidth: 0n,
  refusal: undefined,
};

/** The content of an address, of each coin. */
export type HeldContent = {
  readonly held: Readonly<Record<Currency, Amount>>;
  readonly isActivated: boolean;
};

/**
 * The price of emptying an address by hand into a wallet that holds its coins. Each token leaves in one transfer, which
 * burns all of its energy, and the TRX that is left in a last one. `topUp` must arrive before.
 */
export function priceByHand(
  { held, isActivated }: HeldContent,
  { prices, energyOf }: { prices: ResourcePrices; energyOf: Readonly<Record<TokenCurrency, bigint>> },
): Pick<SweepPrice, "price" | "topUp"> {
  let freeBandwidth = prices.freeBandwidth;
  const burn = (currency: Currency, energyNeeded: bigint): Amount<"TRX"> => {
    const facts = { ...noResources, energyNeeded, freeBandwidth };
    const { bytes } = assets[currency].transfer;
    if (freeBandwidth >= bytes) freeBandwidth -= bytes;
    return burnOf(facts, { currency, prices, resources: "burn" });
  };
  const tokenPrice = tokenCurrencies
    .filter((currency) => held[currency] > zero)
    .map((currency) => burn(currency, energyOf[currency]))
    .reduce<Amount<"TRX">>((sum, price) => add<"TRX">(sum, price), zero);
  const trx = amountIn("TRX", held.TRX);
  const trxPrice = trx > tokenPrice ? burn("TRX", 0n) : zero;
  const topUp = larger<"TRX">(subtract<"TRX">(tokenPrice, trx), zero);
  const topUpPrice = topUp === zero ? zero : topUpFee({ isActivated }, prices);
  return { price: add<"TRX">(add<"TRX">(tokenPrice, trxPrice), topUpPrice), topUp };
}

/** The rule that decides whether a sweep is worth its price. */
export type SweepRules = {
  /** of the amount, in basis points */
  readonly maxCostBasisPoints: number;
};

/** How long money must have been on its address for its sweep to cost more. */
export const OLD_AFTER_MS = 24 * 3_600_000;

/** The share of the amount that the price of sweeping old money may be, in basis points. */
export function oldMaxCostBasisPoints({ maxCostBasisPoints }: SweepRules): number {
  return Math.min(10 * maxCostBasisPoints, 10_000);
}

/** The reason for a sweep, as a plan stores it; undefined if the sweep is not worth its price. */
export function reasonToSweep(
  { price, value, ageMs, isAsked }: { price: bigint; value: bigint; ageMs: number; isAsked: boolean },
  rules: SweepRules,
): "cheap" | "old" | "asked" | undefined {
  const isWithin = (basisPoints: number) => price * 10_000n <= value * BigInt(basisPoints);
  if (isWithin(rules.maxCostBasisPoints)) return "cheap";
  if (ageMs > OLD_AFTER_MS && isWithin(oldMaxCostBasisPoints(rules))) return "old";
  return isAsked && price < value ? "asked" : undefined;
}

/** Rates in 10^-8 USD; undefined if unknown. */
export type UsdRates = Readonly<Record<Currency, bigint | undefined>>;

/** The value of units of a coin in sun; undefined without both rates. TRX needs none. */
export function valueInSun(currency: Currency, units: bigint, rates: UsdRates): bigint | undefined {
  if (currency === "TRX") return units;
  const [own, trx] = [rates[currency], rates.TRX];
  return own === undefined || trx === undefined ? undefined : (units * own) / trx;
}

/** The smallest amount of which this price is at most `basisPoints`. A plan selects contents by it. */
export function minUnits(
  currency: Currency,
  { price, basisPoints }: { price: bigint; basisPoints: number },
  rates: UsdRates,
): bigint | undefined {
  const sun = (price * 10_000n + BigInt(basisPoints) - 1n) / BigInt(basisPoints);
  if (currency === "TRX") return sun;
  const [own, trx] = [rates[currency], rates.TRX];
  return own === undefined || trx === undefined ? undefined : (sun * trx + own - 1n) / own;
}
