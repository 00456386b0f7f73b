import { type MarketName, type MarketPairs, pairsIn } from "./market.ts";

const inUsd = pairsIn("coin/USD");
const inUsdt = pairsIn("coin/USDT");

/**
 * The coins that Daric accepts. A row has all that distinguishes one coin; the rest of the code reads it here. The signer has its own
 * list of contracts, in `apps/signer/src/config.ts`.
 *
 * Amounts of every coin have 6 decimals, as in the API and in the columns.
 */
export const assets = {
  USDT: {
    kind: "token",
    /** the network and the transfer standard, as wallets show them */
    networkLabel: "TRON · TRC-20",
    /** The contracts on public networks, base58: Tether's own on mainnet, the faucets' elsewhere. */
    contracts: {
      mainnet: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      nile: "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf",
      shasta: "TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs",
    },
    decimals: 6,
    dust: 10_000n,
    withdrawalMinimum: 10_000_000n,
    withdrawalFee: "1 USDT",
    isPegged: true,
    prices: {
      binance: inUsd("USDTUSD"),
      bitfinex: inUsd("tUSTUSD"),
      bitstamp: inUsd("usdtusd"),
      coinbase: inUsd("USDT-USD"),
      coingecko: inUsd("tether"),
      gemini: inUsd("USDT"),
      kraken: inUsd("USDTUSD"),
      okx: inUsd("USDT-USD"),
    },
    rateSources: ["bitstamp", "coinbase", "kraken"],
    /** Energy as recorded on mainnet. A receiver without any of the coin costs about twice as much. */
    transfer: { energy: 64_285n, bytes: 345n },
  },
  TRX: {
    kind: "native",
    networkLabel: "TRON",
    decimals: 6,
    dust: 100_000n,
    withdrawalMinimum: 30_000_000n,
    withdrawalFee: null,
    isPegged: false,
    prices: {
      binance: inUsdt("TRXUSDT"),
      bitfinex: inUsd("tTRXUSD"),
      coingecko: inUsd("tron"),
      kraken: inUsd("TRXUSD"),
      okx: inUsdt("TRX-USDT"),
    },
    rateSources: ["bitfinex", "kraken", "okx"],
    transfer: { bytes: 268n },
  },
} as const satisfies Readonly<Record<string, Asset>>;

/** The properties of a coin. Amounts are minor units (10^-6). */
export type Asset = (TokenAsset | NativeAsset) & {
  readonly networkLabel: string;
  readonly decimals: 6;
  /** A smaller deposit is dust, unless less is due: recorded, booked and announced by `deposit.confirmed`, and it decides nothing. */
  readonly dust: bigint;
  /** The usual minimum of a withdrawal from an exchange: tens of units. */
  readonly withdrawalMinimum: bigint;
  /** The usual fee of a withdrawal from an exchange, as text for payers; null if it is too small to name. */
  readonly withdrawalFee: string | null;
  /** its pair at each market */
  readonly prices: MarketPairs<"coin/USD" | "coin/USDT">;
  /** The default price sources: three independent ones, at most one of them priced in another coin. */
  readonly rateSources: readonly MarketName[];
};

/** A TRC-20 token: its transfers are logs of its contract. */
type TokenAsset = {
  readonly kind: "token";
  /** A token follows the US dollar: its rates need no history. */
  readonly isPegged: true;
  readonly contracts: Readonly<Record<"mainnet" | "nile" | "shasta", string>>;
  /** the resources of one transfer with one signature and no memo */
  readonly transfer: { readonly energy: bigint; readonly bytes: bigint };
};

/** TRX itself. Its own past rates limit new ones, and the rate of its own time values a late deposit. */
type NativeAsset = {
  readonly kind: "native";
  readonly isPegged: false;
  readonly transfer: { readonly bytes: bigint };
};

/** The code of a coin, as on the wire and in rows. */
export type Currency = keyof typeof assets;
export const currencies = Object.keys(assets) as readonly Currency[];
/** The coin of a charge that names none. */
export const DEFAULT_CURRENCY = "USDT" satisfies Currency;

/** A value for each coin. */
export function perCurrency<T>(make: (currency: Currency) => T): Readonly<Record<Currency, T>> {
  return Object.fromEntries(currencies.map((currency) => [currency, make(currency)])) as Record<Currency, T>;
}

/** A value for each token. */
export function perToken<T>(make: (currency: TokenCurrency) => T): Readonly<Record<TokenCurrency, T>> {
  return Object.fromEntries(tokenCurrencies.map((currency) => [currency, make(currency)])) as Record<
    TokenCurrency,
    T
  >;
}

/** Some other coin than this one: a payment in any of them is unmatched. */
export function otherThan(currency: Currency): Currency {
  const other = currencies.find((code) => code !== currency);
  if (other === undefined) throw new Error("there is one coin only");
  return other;
}

/** The code of a coin that is a TRC-20 token. */
export type TokenCurrency = {
  [C in Currency]: (typeof assets)[C] extends { readonly kind: "token" } ? C : never;
}[Currency];
export const tokenCurrencies = currencies.filter(isToken);

/** The energy of a transfer of the dearest token: what suffices for one suffices for any. */
export const TOKEN_TRANSFER_ENERGY = tokenCurrencies
  .map((currency) => assets[currency].transfer.energy)
  .reduce((max, energy) => (energy > max ? energy : max), 0n);

/** The field of a token's contract in settings and in answers of the devnet, as `usdtContract`. */
export type ContractField<C extends TokenCurrency = TokenCurrency> = `${Lowercase<C>}Contract`;

export function contractField<C extends TokenCurrency>(currency: C): ContractField<C> {
  return `${currency.toLowerCase()}Contract` as ContractField<C>;
}

/** A token on one network. Only logs of its contract move the coin. */
export type Token = {
  readonly currency: TokenCurrency;
  /** base58 */
  readonly contract: string;
  /** the same in hex (`41…`) */
  readonly contractHex: string;
};

/** Whether a coin is a TRC-20 token, whose transfers need energy. */
export function isToken(currency: Currency): currency is TokenCurrency {
  return assets[currency].kind === "token";
}
