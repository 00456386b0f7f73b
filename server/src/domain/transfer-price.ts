import { type Amount, add, amountIn, larger, subtract, zero } from "./money.ts";

/** The balances of an address, and the resources it may use without burning TRX: energy in units, bandwidth in bytes. */
export type Wallet = {
  readonly usdt: Amount<"USDT">;
  readonly trx: Amount<"TRX">;
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

/**
 * Resources of one transfer. The energy was recorded on mainnet for USDT to an address that already holds some. The first
 * USDT of an address takes about twice as much (130,285). The bytes are those of one signature and no memo.
 */
export const assumedUse = { usdtEnergy: 64_285n, usdtBytes: 345n, trxBytes: 268n } as const;

export type MovingPrice = {
  readonly price: Amount<"TRX">;
  /** TRX that the wallet must receive first, because it cannot burn what it does not have */
  readonly topUp: Amount<"TRX">;
};

/**
 * The price of sending all USDT of a wallet in one transfer and the TRX that is left in a second one. Bandwidth is charged
 * as java-tron does: staked, else free, each only if it covers the whole transaction, else burnt. `usdtEnergy` is per transfer.
 */
export function priceOfMoving(
  wallet: Wallet,
  prices: ResourcePrices,
  usdtEnergy: bigint = assumedUse.usdtEnergy,
): MovingPrice {
  const quota = {
    staked: wallet.stakedBandwidth,
    free: wallet.isActivated ? wallet.freeBandwidth : prices.freeBandwidth,
  };
  const ofUsdt =
    wallet.usdt > zero
      ? add(energyPrice(usdtEnergy - wallet.energy, prices), bytesPrice(assumedUse.usdtBytes))
      : zero;
  const isTrxLeft = wallet.trx > ofUsdt;
  const ofTrx = isTrxLeft ? bytesPrice(assumedUse.trxBytes) : zero;
  const activation = wallet.isActivated ? zero : prices.activation;
  return {
    price: add(add<"TRX">(ofUsdt, ofTrx), ofUsdt > zero ? activation : zero),
    topUp: larger<"TRX">(subtract<"TRX">(ofUsdt, wallet.trx), zero),
  };

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

function energyPrice(missing: bigint, prices: ResourcePrices): Amount<"TRX"> {
  return missing > 0n ? amountIn("TRX", missing * prices.energy) : zero;
}
