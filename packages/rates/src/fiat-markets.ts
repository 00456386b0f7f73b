import type { LocalCurrency } from "@daric/domain/fiat";
import { type MarketPairs, pairsIn } from "@daric/domain/market";

type FiatMarkets =
  | { readonly isDirectOnly: true; readonly markets: MarketPairs<"USDT/fiat"> }
  | { readonly isDirectOnly: false; readonly markets: MarketPairs<"USDT/fiat" | "USD/fiat" | "fiat/USD"> };

const ofTether = pairsIn("USDT/fiat");
const ofDollar = pairsIn("USD/fiat");
const inDollars = pairsIn("fiat/USD");

/** A currency that prices nothing outside of the devnet: fewer than three markets of different companies can be asked. */
const NO_MARKETS: MarketPairs<"USDT/fiat"> = {};

/**
 * The markets of each currency: three at least, or none. A market's price of USDT in the currency counts; so does an exchange rate,
 * unless the currency is `isDirectOnly`: its official rate is not what a dollar costs there.
 */
export const fiatMarkets: Readonly<Record<LocalCurrency, FiatMarkets>> = {
  EUR: {
    isDirectOnly: false,
    markets: {
      bitstamp: ofTether("usdteur"),
      coinbase: ofTether("USDT-EUR"),
      kraken: ofTether("USDTEUR"),
      okx: ofTether("USDT-EUR"),
      swissquote: inDollars("EUR/USD"),
      truefx: inDollars("EUR/USD"),
    },
  },
  GBP: {
    isDirectOnly: false,
    markets: {
      coinbase: ofTether("USDT-GBP"),
      coinjar: ofTether("USDTGBP"),
      kraken: ofTether("USDTGBP"),
      swissquote: inDollars("GBP/USD"),
      truefx: inDollars("GBP/USD"),
    },
  },
  AUD: {
    isDirectOnly: false,
    markets: {
      gmo: inDollars("AUD_USD"),
      independentreserve: ofTether("Aud"),
      kraken: ofTether("USDTAUD"),
      okx: ofTether("USDT-AUD"),
      truefx: inDollars("AUD/USD"),
    },
  },
  BRL: {
    isDirectOnly: true,
    markets: {
      binance: ofTether("USDTBRL"),
      foxbit: ofTether("usdtbrl"),
      mercadobitcoin: ofTether("USDT-BRL"),
      okx: ofTether("USDT-BRL"),
    },
  },
  CAD: {
    isDirectOnly: false,
    markets: {
      kraken: ofTether("USDTCAD"),
      swissquote: ofDollar("USD/CAD"),
      truefx: ofDollar("USD/CAD"),
    },
  },
  CHF: {
    isDirectOnly: false,
    markets: {
      kraken: ofTether("USDTCHF"),
      swissquote: ofDollar("USD/CHF"),
      truefx: ofDollar("USD/CHF"),
    },
  },
  JPY: {
    isDirectOnly: false,
    markets: {
      gmo: ofDollar("USD_JPY"),
      swissquote: ofDollar("USD/JPY"),
      truefx: ofDollar("USD/JPY"),
    },
  },
  KRW: {
    isDirectOnly: true,
    markets: {
      bithumb: ofTether("USDT_KRW"),
      coinone: ofTether("KRW/USDT"),
      upbit: ofTether("KRW-USDT"),
    },
  },
  TRY: {
    isDirectOnly: true,
    markets: {
      binance: ofTether("USDTTRY"),
      btcturk: ofTether("USDTTRY"),
      okx: ofTether("USDT-TRY"),
      paribu: ofTether("USDT_TL"),
    },
  },
  ARS: { isDirectOnly: true, markets: NO_MARKETS },
  EGP: { isDirectOnly: true, markets: NO_MARKETS },
  INR: { isDirectOnly: true, markets: NO_MARKETS },
  LBP: { isDirectOnly: true, markets: NO_MARKETS },
  MXN: { isDirectOnly: false, markets: NO_MARKETS },
  NGN: { isDirectOnly: true, markets: NO_MARKETS },
  PLN: { isDirectOnly: false, markets: NO_MARKETS },
};
