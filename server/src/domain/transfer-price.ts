import { assets, type Currency, perToken, type TokenCurrency, tokenCurrencies } from "./asset.ts";
import { type Amount, add, amountIn, larger, subtract, zero } from "./money.ts";

/** The balances of an address, and the resources it may use without burning TRX: energy in units, bandwidth in bytes. */
export type Wallet = {
  readonly held: Readonly<Record<Currency, Amount>>;
  /** false for an address that has received tokens only: it has no account on the chain and can send nothing */
  readonly isActivated: boolean;
  readonly energy: bigint;
  readonly freeBandwidth: bigint;
  readonly stakedBandwidth: bigint;
};

/** Chain parameters: sun per unit of energy, sun per byte, and sun for the first transfer of TRX to an address. */
export type ResourcePrices = {
  readonly energy: Amount<"TRX">;
  readonly bandwidth: Amount<"TRX">;
  readonly activation: Amount<"TRX">;
  readonly freeBandwidth: bigint;
};

export type MovingPrice = {
  readonly price: Amount<"TRX">;
  /** TRX that the wallet must receive first, because it cannot burn what it does not have */
  readonly topUp: Amount<"TRX">;
};

/** As recorded on mainnet. */
export const recordedEnergy: TransferEnergy = perToken((currency) => assets[currency].transfer.energy);

/** Energy of one transfer of a token to an address that holds some already. */
export type TransferEnergy = Readonly<Record<TokenCurrency, bigint>>;

/**
 * The price of sending all of each token in one transfer and the TRX that is left in a last one. Bandwidth is charged as
 * java-tron does: staked, else free, each only if it covers the whole transaction, else burnt.
 */
export function priceOfMoving(
  wallet: Wallet,
  prices: ResourcePrices,
  energyOf: TransferEnergy = recordedEnergy,
): MovingPrice {
  const quota = {
    energy: wallet.energy,
    staked: wallet.stakedBandwidth,
    free: wallet.isActivated ? wallet.freeBandwidth : prices.freeBandwidth,
  };
  const ofTokens = tokenCurrencies
    .filter((currency) => wallet.held[currency] > zero)
    .map((currency) => add(energyPrice(energyOf[currency]), bytesPrice(assets[currency].transfer.bytes)))
    .reduce<Amount<"TRX">>((sum, price) => add<"TRX">(sum, price), zero);
  const trx = amountIn("TRX", wallet.held.TRX);
  const isTrxLeft = trx > ofTokens;
  const ofTrx = isTrxLeft ? bytesPrice(assets.TRX.transfer.bytes) : zero;
  const activation = wallet.isActivated ? zero : prices.activation;
  return {
    price: add(add<"TRX">(ofTokens, ofTrx), ofTokens > zero ? activation : zero),
    topUp: larger<"TRX">(subtract<"TRX">(ofTokens, trx), zero),
  };

  function energyPrice(energy: bigint): Amount<"TRX"> {
    const burnt = energy > quota.energy ? energy - quota.energy : 0n;
    quota.energy -= energy - burnt;
    return amountIn("TRX", burnt * prices.energy);
  }

  function bytesPrice(bytes: bigint): Amount<"TRX"> {
    if (quota.staked >= bytes) {
      quota.staked -= bytes;
      return zero;
    }
    if (quota.free >= bytes) {
      quota.free -= bytes;
      return zero;
    }
    return amountIn("TRX", bytes * prices.bandwidth);
  }
}
