import { parseJsonTexts } from "@daric/chain/blocks/parse-json";
import { AnswerError } from "@daric/chain/blocks/read-json";
import { localAnswers } from "@daric/testing/market-answers";
import { expect, it } from "vitest";
import { markets } from "./markets.ts";
import {
  readBtcturk,
  readCoinone,
  readFoxbit,
  readIndependentreserve,
  readMercadobitcoin,
} from "./read-local-market.ts";

it.each(localAnswers.filter(({ isNamed }) => isNamed))(
  "$market, $pair, is refused for another pair",
  ({ market, pair, text }) => {
    for (const name of ["another", "", pair.slice(1)]) {
      expect(() => markets[market].read(parseJsonTexts(text), name)).toThrow("another pair");
    }
  },
);

it("a whole answer of Independent Reserve for another coin is refused", () => {
  const text =
    '{"DayHighestPrice":234.01,"DayLowestPrice":220.0,"DayAvgPrice":227.0,"DayVolumeXbt":450.46620690,"DayVolumeXbtInSecondaryCurrrency":410.70859281,"CurrentLowestOfferPrice":229.74,"CurrentHighestBidPrice":227.32,"LastPrice":228.81,"PrimaryCurrencyCode":"Eth","SecondaryCurrencyCode":"Aud","CreatedTimestampUtc":"2019-04-16T09:25:49.5308274Z"}';
  expect(() => readIndependentreserve(parseJsonTexts(text), "Aud")).toThrow("another pair");
});

it("an unknown pair, which some markets answer with an empty list, is refused", () => {
  const nothing = parseJsonTexts('{"data":[],"success":true,"message":null,"code":0}');
  expect(() => readBtcturk(nothing, "USDTTRY")).toThrow("another pair");
  expect(() => readFoxbit(parseJsonTexts('{"data":[]}'), "usdtbrl")).toThrow("another pair");
  expect(() => readMercadobitcoin([], "USDT-BRL")).toThrow("another pair");
  const noTickers = parseJsonTexts(
    '{"result":"success","error_code":"0","server_time":1790133696895,"tickers":[]}',
  );
  expect(() => readCoinone(noTickers, "KRW/USDT")).toThrow(AnswerError);
});

it("a market without trade, which Mercado Bitcoin answers with zeros, has no price", () => {
  const text = '[{"pair":"USDT-BRL","last":"5.16930000","buy":"0.00000000","sell":"0.00000000"}]';
  expect(() => readMercadobitcoin(parseJsonTexts(text), "USDT-BRL")).toThrow("the bid is no price");
});

it("a level of nothing, with which Bithumb fills a thin book, has no price", () => {
  const { text } = localAnswers.find(({ market }) => market === "bithumb") ?? { text: "" };
  const thin = parseJsonTexts(
    text.replace('{"price":"1375","quantity":"1769752.9407"}', '{"price":0,"quantity":0}'),
  );
  expect(() => markets.bithumb.read(thin, "USDT_KRW")).toThrow("the bid is no price");
});
