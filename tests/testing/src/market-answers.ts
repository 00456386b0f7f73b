import type { MarketName } from "@daric/domain/market";
import type { AnswerPath, StampForm } from "./mutilate-answer.ts";

/** A recorded answer of a market, and the places of what is read from it. */
export type RecordedAnswer = {
  readonly market: MarketName;
  readonly pair: string;
  /** digits as recorded; of long lists the first rows and the pair's own, of books at most two levels */
  readonly text: string;
  /** in 10^-8 of the quote currency */
  readonly price: bigint;
  readonly statedMs?: number;
  /** bid and ask, or a price alone */
  readonly prices: readonly [bid: AnswerPath, ask: AnswerPath] | readonly [price: AnswerPath];
  readonly stamp?: { readonly path: AnswerPath; readonly form: StampForm };
  /** Each of these must have its recorded value. */
  readonly fixed: readonly AnswerPath[];
  /** a list of which one row is the pair's */
  readonly row?: AnswerPath;
  /** An answer of a market that names its pair is refused for another one. */
  readonly isNamed: boolean;
  /** the market's own error message, with any HTTP status */
  readonly refusal: string;
};

export const dollarAnswers: readonly RecordedAnswer[] = [
  {
    market: "kraken",
    pair: "USDTUSD",
    text: '{"error":[],"result":{"USDTZUSD":{"a":["0.99967000","1923929","1923929.000"],"b":["0.99966000","322231","322231.000"],"c":["0.99967000","584.25689800"]}}}',
    price: 99_966_500n,
    prices: [
      ["result", "USDTZUSD", "b", 0],
      ["result", "USDTZUSD", "a", 0],
    ],
    fixed: [["error"]],
    isNamed: true,
    refusal: '{"error":["EQuery:Unknown asset pair"]}',
  },
  {
    market: "coinbase",
    pair: "USDT-GBP",
    text: '{"bids":[["0.7551","1200",1]],"asks":[["0.7552","12782.39",2]],"sequence":1023102151,"auction_mode":false,"auction":null,"time":"2026-10-10T00:47:38.069952728Z"}',
    price: 75_515_000n,
    statedMs: 1_791_593_258_069,
    prices: [
      ["bids", 0, 0],
      ["asks", 0, 0],
    ],
    stamp: { path: ["time"], form: "iso" },
    fixed: [],
    isNamed: false,
    refusal: '{"message":"NotFound"}',
  },
  {
    market: "coinbase",
    pair: "USDT-EUR",
    text: '{"bids":[["0.89244","10005.2",1]],"asks":[["0.89248","3500",1]],"sequence":2712737831,"auction_mode":false,"auction":null,"time":"2026-10-10T00:47:36.359677960Z"}',
    price: 89_246_000n,
    statedMs: 1_791_593_256_359,
    prices: [
      ["bids", 0, 0],
      ["asks", 0, 0],
    ],
    stamp: { path: ["time"], form: "iso" },
    fixed: [],
    isNamed: false,
    refusal: '{"message":"NotFound"}',
  },
  {
    market: "binance",
    pair: "USDTBRL",
    text: '{"symbol":"USDTBRL","bidPrice":"5.18440000","bidQty":"34186.30000000","askPrice":"5.18450000","askQty":"197194.00000000"}',
    price: 518_445_000n,
    prices: [["bidPrice"], ["askPrice"]],
    fixed: [["symbol"]],
    isNamed: true,
    refusal: '{"code":-1121,"msg":"Invalid symbol."}',
  },
  {
    market: "bitstamp",
    pair: "eurusd",
    text: '{"timestamp":"1790393400","open":"1.13884","high":"1.14100","low":"1.13676","last":"1.13881","volume":"2035915.59342","vwap":"1.13954","bid":"1.13882","ask":"1.13883","side":"1","open_24":"1.13685","percent_change_24":"0.17","market_type":"SPOT","index_price":"1.13888"}',
    price: 113_882_500n,
    statedMs: 1_790_393_400_000,
    prices: [["bid"], ["ask"]],
    stamp: { path: ["timestamp"], form: "seconds" },
    fixed: [],
    isNamed: false,
    refusal: '{"status":"error","reason":"no such pair","code":"400.002"}',
  },
];

export const localAnswers: readonly RecordedAnswer[] = [
  {
    market: "coinjar",
    pair: "USDTGBP",
    text: '{"asks":[["0.75700000","686.922540"],["0.75790000","2153.077460"]],"bids":[["0.75440000","1689.217877"],["0.75430000","887.742840"]]}',
    price: 75_570_000n,
    prices: [
      ["bids", 0, 0],
      ["asks", 0, 0],
    ],
    fixed: [],
    isNamed: false,
    refusal: '{"error_type":"NOT_FOUND","error_messages":["Record not found."]}',
  },
  {
    market: "independentreserve",
    pair: "Sgd",
    // The recording of this pair was cut down: the time is that of another pair's whole recording.
    text: '{"CurrentLowestOfferPrice":1.2815,"CurrentHighestBidPrice":1.2805,"LastPrice":1.281,"PrimaryCurrencyCode":"Usdt","SecondaryCurrencyCode":"Sgd","CreatedTimestampUtc":"2019-04-16T09:25:49.5308274Z"}',
    price: 128_100_000n,
    statedMs: 1_555_406_749_530,
    prices: [["CurrentHighestBidPrice"], ["CurrentLowestOfferPrice"]],
    stamp: { path: ["CreatedTimestampUtc"], form: "iso" },
    fixed: [["PrimaryCurrencyCode"], ["SecondaryCurrencyCode"]],
    isNamed: true,
    refusal: '{"ErrorCode":"ValidationError","Message":"Invalid Primary Currency Code"}',
  },
  {
    market: "btcturk",
    pair: "BTCUSDT",
    text: '{"data":[{"pair":"BTCUSDT","pairNormalized":"BTC_USDT","timestamp":1789410188498,"last":79152,"high":79165,"low":76386,"bid":79164,"ask":79185,"open":77356,"volume":11.32065888,"average":77879,"daily":1829,"dailyPercent":2.32,"denominatorSymbol":"USDT","numeratorSymbol":"BTC","order":2000}],"success":true,"message":null,"code":0}',
    price: 7_917_450_000_000n,
    statedMs: 1_789_410_188_498,
    prices: [
      ["data", 0, "bid"],
      ["data", 0, "ask"],
    ],
    stamp: { path: ["data", 0, "timestamp"], form: "milliseconds" },
    fixed: [["success"], ["data", 0, "pair"]],
    row: ["data", 0],
    isNamed: true,
    refusal: '{"success":false,"message":"INVALID_REQUEST_ERROR","code":1037}',
  },
  {
    market: "paribu",
    pair: "USDT_TL",
    text: '{"USDT_TL":{"chartData":[],"lowestAsk":48.196,"highestBid":48.195,"low24hr":48.182,"high24hr":48.234,"volume":6580796.64,"last":48.195,"percentChange":-0.03},"USDC_TL":{"chartData":[],"lowestAsk":48.188,"highestBid":48.179,"volume":31696.07,"last":48.179,"percentChange":0.02}}',
    price: 4_819_550_000n,
    prices: [
      ["USDT_TL", "highestBid"],
      ["USDT_TL", "lowestAsk"],
    ],
    fixed: [["USDT_TL"]],
    isNamed: true,
    refusal: '{"message":"Internal Server Error","code":5001}',
  },
  {
    market: "foxbit",
    pair: "usdtbrl",
    text: '{"data":[{"market_symbol":"btcbrl","last_trade":{"price":"397312.00000000"},"best":{"ask":{"price":"397400.00000000"},"bid":{"price":"397300.00000000"}}},{"market_symbol":"usdtbrl","last_trade":{"price":"5.16750000"},"rolling_24h":{"open":"5.20020000"},"best":{"ask":{"price":"5.16750000"},"bid":{"price":"5.16740000"}}},{"market_symbol":"usdcbrl","last_trade":{"price":"5.17250000"},"best":{"ask":{"price":"5.17360000"},"bid":{"price":"5.17250000"}}}]}',
    price: 516_745_000n,
    prices: [
      ["data", 1, "best", "bid", "price"],
      ["data", 1, "best", "ask", "price"],
    ],
    fixed: [["data", 1, "market_symbol"]],
    row: ["data", 1],
    isNamed: true,
    refusal:
      '{"error":{"message":"Too many requests.","code":429,"details":"Request limit exceeded, try again later."}}',
  },
  {
    market: "mercadobitcoin",
    pair: "USDT-BRL",
    text: '[{"pair":"USDT-BRL","high":"5.21820000","low":"5.14960000","vol":"1746665.02450000","last":"5.16930000","buy":"5.16920000","sell":"5.16930000","open":"5.20200000"}]',
    price: 516_925_000n,
    prices: [
      [0, "buy"],
      [0, "sell"],
    ],
    fixed: [[0, "pair"]],
    row: [0],
    isNamed: true,
    refusal: '{"code":"API|ROUTE_NOT_FOUND","message":"This route not found"}',
  },
  {
    market: "bithumb",
    pair: "USDT_KRW",
    text: '{"status":"0000","data":{"timestamp":"1788340816643","payment_currency":"KRW","order_currency":"USDT","bids":[{"price":"1375","quantity":"1769752.9407"}],"asks":[{"price":"1376","quantity":"785568.5759"}]}}',
    price: 137_550_000_000n,
    statedMs: 1_788_340_816_643,
    prices: [
      ["data", "bids", 0, "price"],
      ["data", "asks", 0, "price"],
    ],
    stamp: { path: ["data", "timestamp"], form: "milliseconds" },
    fixed: [["status"], ["data", "payment_currency"], ["data", "order_currency"]],
    isNamed: true,
    refusal: '{"status":"5500","message":"상장 코인 아님"}',
  },
  {
    market: "coinone",
    pair: "KRW/USDT",
    // The recording of this pair was cut down: the time is that of another pair's whole recording.
    text: '{"result":"success","error_code":"0","tickers":[{"quote_currency":"krw","target_currency":"usdt","timestamp":1701067920001,"high":"1388.0","low":"1375.0","first":"1383.0","last":"1375.0","best_asks":[{"price":"1376.0","qty":"238491.96539225"}],"best_bids":[{"price":"1375.0","qty":"92249.22447896"}]}]}',
    price: 137_550_000_000n,
    statedMs: 1_701_067_920_001,
    prices: [
      ["tickers", 0, "best_bids", 0, "price"],
      ["tickers", 0, "best_asks", 0, "price"],
    ],
    stamp: { path: ["tickers", 0, "timestamp"], form: "milliseconds" },
    fixed: [["result"], ["tickers", 0, "quote_currency"], ["tickers", 0, "target_currency"]],
    row: ["tickers", 0],
    isNamed: true,
    refusal: '{"result":"error","error_code":"108","error_msg":"Unknown CryptoCurrency"}',
  },
  {
    market: "upbit",
    pair: "KRW-USDT",
    text: '[{"market":"KRW-USDT","trade_date":"20260812","trade_time":"052720","opening_price":1409.00000000,"high_price":1411.00000000,"low_price":1407.00000000,"trade_price":1408.00000000,"prev_closing_price":1409.00000000,"timestamp":1786512440253}]',
    price: 140_800_000_000n,
    statedMs: 1_786_512_440_253,
    prices: [[0, "trade_price"]],
    stamp: { path: [0, "timestamp"], form: "milliseconds" },
    fixed: [[0, "market"]],
    row: [0],
    isNamed: true,
    refusal: '{"error":{"name":404,"message":"Code not found"}}',
  },
];

export const exchangeRateAnswers: readonly RecordedAnswer[] = [
  {
    market: "gmo",
    pair: "USD_JPY",
    text: '{"status":0,"data":[{"symbol":"USD_JPY","ask":"155.948","bid":"155.943","timestamp":"2026-09-04T02:19:26.94478Z","status":"OPEN"},{"symbol":"EUR_JPY","ask":"181.343","bid":"181.338","timestamp":"2026-09-04T02:19:26.945119Z","status":"OPEN"},{"symbol":"AUD_USD","ask":"0.72079","bid":"0.72074","timestamp":"2026-09-04T02:19:26.949285Z","status":"OPEN"}],"responsetime":"2026-09-04T02:19:27.009Z"}',
    price: 15_594_550_000n,
    statedMs: 1_788_488_366_944,
    prices: [
      ["data", 0, "bid"],
      ["data", 0, "ask"],
    ],
    stamp: { path: ["data", 0, "timestamp"], form: "iso" },
    fixed: [["status"], ["data", 0, "symbol"], ["data", 0, "status"]],
    row: ["data", 0],
    isNamed: true,
    refusal:
      '{"status":5,"messages":[{"message_code":"ERR-5201","message_string":"MAINTENANCE. Please wait for a while"}]}',
  },
  {
    market: "swissquote",
    pair: "NOK/JPY",
    text: '[{"topo":{"platform":"SwissquoteLtd","server":"Live5"},"spreadProfilePrices":[{"spreadProfile":"premium","bidSpread":15.1,"askSpread":15.1,"bid":16.49068,"ask":16.49793},{"spreadProfile":"prime","bidSpread":15.0,"askSpread":15.0,"bid":16.49069,"ask":16.49792}],"ts":1790618032840},{"topo":{"platform":"AT","server":"AT"},"spreadProfilePrices":[{"spreadProfile":"standard","bidSpread":12.7,"askSpread":12.7,"bid":16.49092,"ask":16.49769},{"spreadProfile":"premium","bidSpread":12.6,"askSpread":12.6,"bid":16.49093,"ask":16.49768}],"ts":1790618032840}]',
    price: 1_649_430_500n,
    statedMs: 1_790_618_032_840,
    prices: [
      [1, "spreadProfilePrices", 0, "bid"],
      [1, "spreadProfilePrices", 0, "ask"],
    ],
    stamp: { path: [1, "ts"], form: "milliseconds" },
    fixed: [
      [1, "topo", "platform"],
      [1, "spreadProfilePrices", 0, "spreadProfile"],
    ],
    row: [1, "spreadProfilePrices", 0],
    isNamed: false,
    refusal: "[]",
  },
];

/** Lines of TrueFX, of three years, with their prices. */
export const truefxLines = [
  ["EUR/USD,1789395502988,1.15,361,1.15,363,1.15229,1.16041,1.15991", 115_362_000n],
  ["EUR/USD,1454354222037,1.08,997,1.09,000,1.08142,1.09130,1.08333", 108_998_500n],
  ["EUR/USD,1437569931314,1.09,034,1.09,038,1.08922,1.09673,1.09384", 109_036_000n],
  ["USD/JPY,1517003100347,108.,623,108.,641,108.281,109.775,109.419", 10_863_200_000n],
  ["USD/JPY,1437569932078,123.,778,123.,781,123.569,123.903,123.860", 12_377_950_000n],
] as const;
