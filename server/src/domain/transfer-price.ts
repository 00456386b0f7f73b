import { type Amount, add, amountIn, larger, subtract, zero } from "./money.ts";

/** What an address holds, and may use without burning TRX. Energy is in units, bandwidth in bytes. */
export type Wallet = {
  readonly usdt: Amount<"USDT">;
  readonly trx: Amount<"TRX">;
  /** an address that has received tokens only is none of the chain's accounts yet, and can send nothing */
  readonly isActivated: boolean;
  readonly energy: bigint;
  /** of the day's free quota */
  readonly freeBandwidth: bigint;
  readonly stakedBandwidth: bigint;
};

/** What the chain asks: sun per unit of energy and per byte, and sun for the first transfer of TRX to an address. */
export type ResourcePrices = {
  readonly energy: Amount<"TRX">;
  readonly bandwidth: Amount<"TRX">;
  readonly activation: Amount<"TRX">;
  /** bytes that every account has free a day */
  readonly freeBandwidth: bigint;
};

/**
 * What a transfer takes. Energy as recorded on mainnet of USDT to an address that holds some already; to one that holds
 * none it is about twice as much (130,285). Bytes of a transaction with one signature and no memo.
 */
export const assumedUse = { usdtEnergy: 64_285n, usdtBytes: 345n, trxBytes: 268n } as const;

/** What it costs to move all that a wallet holds. */
export type MovingPrice = {
  /** burned in all, by the wallet and by who activates it */
  readonly price: Amount<"TRX">;
  /** what must be sent to the wallet before, because it cannot burn what it does not have */
  readonly topUp: Amount<"TRX">;
};

/**
 * The price of sending away all USDT of a wallet in one transfer, and then what TRX is left in another. Bandwidth is used
 * as java-tron uses it: staked, else free, each only where it covers a transaction whole, else burned. `usdtEnergy` is that of
 * one transfer.
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
