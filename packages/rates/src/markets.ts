import type { MarketName } from "@daric/domain/market";
import { readGmo, readSwissquote, readTruefx } from "./read-exchange-rate.ts";
import {
  readBithumb,
  readBtcturk,
  readCoinjar,
  readCoinone,
  readFoxbit,
  readIndependentreserve,
  readMercadobitcoin,
  readParibu,
  readUpbit,
} from "./read-local-market.ts";
import {
  readBinance,
  readBitfinex,
  readBitstamp,
  readCoinbase,
  readCoingecko,
  readGemini,
  readKraken,
  readOkx,
  type Ticker,
} from "./read-ticker.ts";

/** The endpoint of a market, for a pair by its name there. */
type Market = {
  readonly baseUrl: string;
  /** Its answer is CSV: it is read as text, and not as JSON. */
  readonly isCsv?: true;
  /** It trades from Sunday evening to Friday evening, UTC. */
  readonly restsAtWeekends?: true;
  path(name: string): string;
  read(answer: unknown, name: string): Ticker;
};

export const markets: Readonly<Record<MarketName, Market>> = {
  binance: {
    baseUrl: "https://data-api.binance.vision",
    path: (symbol) => `/api/v3/ticker/bookTicker?symbol=${symbol}`,
    read: readBinance,
  },
  bitfinex: {
    baseUrl: "https://api-pub.bitfinex.com",
    path: (symbol) => `/v2/tickers?symbols=${symbol}`,
    read: readBitfinex,
  },
  bithumb: {
    baseUrl: "https://api.bithumb.com",
    path: (pair) => `/public/orderbook/${pair}?count=1`,
    read: readBithumb,
  },
  bitstamp: {
    baseUrl: "https://www.bitstamp.net",
    path: (pair) => `/api/v2/ticker/${pair}/`,
    read: readBitstamp,
  },
  btcturk: {
    baseUrl: "https://api.btcturk.com",
    path: (pair) => `/api/v2/ticker?pairSymbol=${pair}`,
    read: readBtcturk,
  },
  coinbase: {
    baseUrl: "https://api.exchange.coinbase.com",
    path: (pair) => `/products/${pair}/book?level=1`,
    read: readCoinbase,
  },
  coingecko: {
    baseUrl: "https://api.coingecko.com",
    path: (id) => `/api/v3/simple/price?ids=${id}&vs_currencies=usd&include_last_updated_at=true`,
    read: readCoingecko,
  },
  coinjar: {
    baseUrl: "https://data.exchange.coinjar.com",
    path: (pair) => `/products/${pair}/book?level=2`,
    read: readCoinjar,
  },
  coinone: {
    baseUrl: "https://api.coinone.co.kr",
    path: (pair) => `/public/v2/ticker_new/${pair}`,
    read: readCoinone,
  },
  foxbit: {
    baseUrl: "https://api.foxbit.com.br",
    path: () => "/rest/v3/markets/ticker/24hr",
    read: readFoxbit,
  },
  gemini: {
    baseUrl: "https://api.gemini.com",
    path: (coin) => `/v1/pubticker/${coin.toLowerCase()}usd`,
    read: readGemini,
  },
  gmo: {
    baseUrl: "https://forex-api.coin.z.com",
    restsAtWeekends: true,
    path: () => "/public/v1/ticker",
    read: readGmo,
  },
  independentreserve: {
    baseUrl: "https://api.independentreserve.com",
    path: (currency) => `/Public/GetMarketSummary?primaryCurrencyCode=Usdt&secondaryCurrencyCode=${currency}`,
    read: readIndependentreserve,
  },
  kraken: {
    baseUrl: "https://api.kraken.com",
    path: (pair) => `/0/public/Ticker?pair=${pair}`,
    read: readKraken,
  },
  mercadobitcoin: {
    baseUrl: "https://api.mercadobitcoin.net",
    path: (pair) => `/api/v4/tickers?symbols=${pair}`,
    read: readMercadobitcoin,
  },
  okx: {
    baseUrl: "https://www.okx.com",
    path: (instrument) => `/api/v5/market/ticker?instId=${instrument}`,
    read: readOkx,
  },
  paribu: {
    baseUrl: "https://www.paribu.com",
    path: () => "/ticker",
    read: readParibu,
  },
  swissquote: {
    baseUrl: "https://forex-data-feed.swissquote.com",
    restsAtWeekends: true,
    path: (pair) => `/public-quotes/bboquotes/instrument/${pair}`,
    read: readSwissquote,
  },
  truefx: {
    baseUrl: "https://webrates.truefx.com",
    isCsv: true,
    restsAtWeekends: true,
    path: (pair) => `/rates/connect.html?f=csv&c=${pair}`,
    read: readTruefx,
  },
  upbit: {
    baseUrl: "https://api.upbit.com",
    path: (market) => `/v1/ticker?markets=${market}`,
    read: readUpbit,
  },
};
