/**
 * The coins that Daric accepts. A row has all that distinguishes one coin; the rest of the code reads it here.
 *
 * Amounts of every coin have 6 decimals, as in the API and in the columns. ARCHITECTURE.md lists the other files of a new coin.
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
    rateSources: ["bitfinex", "kraken", "okx"],
    transfer: { bytes: 268n },
  },
} as const satisfies Readonly<Record<string, Asset>>;

/** The properties of a coin. Amounts are minor units (10^-6). */
type Asset = (TokenAsset | NativeAsset) & {
  readonly networkLabel: string;
  readonly decimals: 6;
  /** A smaller deposit is dust, unless less is due: recorded, booked and announced by `deposit.confirmed`, and it decides nothing. */
  readonly dust: bigint;
  /** The usual minimum of a withdrawal from an exchange: tens of units. */
  readonly withdrawalMinimum: bigint;
  /** The usual fee of a withdrawal from an exchange, as text for payers; null if it is too small to name. */
  readonly withdrawalFee: string | null;
  /** Whether the coin follows the US dollar. Otherwise the rate of its own time values a late deposit. */
  readonly isPegged: boolean;
  /** The default price sources: three independent ones, at most one of them priced in USDT. */
  readonly rateSources: readonly string[];
};

/** A TRC-20 token: its transfers are logs of its contract. */
type TokenAsset = {
  readonly kind: "token";
  readonly contracts: Readonly<Record<"mainnet" | "nile" | "shasta", string>>;
  /** the resources of one transfer with one signature and no memo */
  readonly transfer: { readonly energy: bigint; readonly bytes: bigint };
};

/** TRX itself. */
type NativeAsset = { readonly kind: "native"; readonly transfer: { readonly bytes: bigint } };

/** The code of a coin, as on the wire and in rows. */
export type Currency = keyof typeof assets;
export const currencies = Object.keys(assets) as readonly Currency[];

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

/** Another coin than this one: a payment in it is unmatched. */
export function otherThan(currency: Currency): Currency {
  const other = currencies.find((each) => each !== currency);
  if (other === undefined) throw new Error("there is one coin only");
  return other;
}

/** The code of a coin that is a TRC-20 token. */
export type TokenCurrency = {
  [C in Currency]: (typeof assets)[C] extends { readonly kind: "token" } ? C : never;
}[Currency];
export const tokenCurrencies = currencies.filter(isToken);

/** A token on one network. Only logs of its contract move the coin. */
export type Token = {
  readonly currency: TokenCurrency;
  /** base58 */
  readonly contract: string;
  /** the same in hex (`41…`) */
  readonly contractHex: string;
};

function isToken(currency: Currency): currency is TokenCurrency {
  return assets[currency].kind === "token";
}
