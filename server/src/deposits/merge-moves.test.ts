import { expect, it } from "vitest";
import type { DecodedTransfers, Transfer } from "../chain/decode-transfers.ts";
import { amountIn } from "../domain/money.ts";
import { mergeMoves } from "./merge-moves.ts";

const hexOf = (digit: string) => `41${digit.repeat(40)}`;

function log(eventIndex: number, to: string, units = 5n): Transfer {
  const of = { txId: "ab".repeat(32), fromHex: hexOf("1"), toHex: hexOf(to), isCovered: false } as const;
  return { ...of, source: "log", eventIndex, currency: "USDT", units: amountIn("USDT", units) };
}

function telling(...transfers: Transfer[]): DecodedTransfers {
  return {
    transfers,
    anomalies: [],
    unsupported: [],
    spent: [],
    owned: [],
    unparsed: 0,
    contractCalls: 1,
    internals: 0,
  };
}

it("a block that all nodes tell alike is what each of them tells", () => {
  const told = telling(log(0, "2"), log(1, "3"));
  expect(mergeMoves([told, structuredClone(told)])).toEqual(told);
});

it("what one node hides and another shows is there, in whatever order they are asked", () => {
  const [poor, whole] = [telling(log(0, "2")), telling(log(0, "2"), log(1, "3"))];
  expect(mergeMoves([poor, whole])).toEqual(whole);
  expect(mergeMoves([whole, poor])).toEqual(whole);
});

it("a hidden log is there too where the node that hides it gave its place to the next one", () => {
  const { transfers, anomalies } = mergeMoves([telling(log(0, "3")), telling(log(0, "2"), log(1, "3"))]);
  expect(transfers).toContainEqual(log(0, "2"));
  expect(anomalies).toEqual([]);
});

it("one payment that is told in several places is one, in the place that most show, and of as many the first", () => {
  const [here, there] = [telling(log(0, "2")), telling(log(0, "3", 1n), log(1, "2"))];
  const placesOf = ({ transfers }: DecodedTransfers) =>
    transfers.filter(({ toHex }) => toHex === hexOf("2")).map(({ eventIndex }) => eventIndex);
  expect(placesOf(mergeMoves([here, there]))).toEqual([0]);
  expect(placesOf(mergeMoves([here, there, there]))).toEqual([1]);
});

it("two payments alike are two where one node shows both", () => {
  const [both, one] = [telling(log(0, "2"), log(1, "2")), telling(log(0, "2"))];
  expect(mergeMoves([one, both]).transfers).toEqual(both.transfers);
});

it("one payment of several amounts is what most nodes say, of as many the first, and an anomaly", () => {
  const [small, big] = [telling(log(0, "2", 1n)), telling(log(0, "2", 9n))];
  expect(mergeMoves([small, big, big]).transfers).toEqual(big.transfers);
  const { transfers, anomalies } = mergeMoves([small, big]);
  expect(transfers).toEqual(small.transfers);
  expect(anomalies).toMatchObject([{ kind: "contradictory_result", eventIndex: 0 }]);
});

it("an anomaly that every node shows is told once", () => {
  const { txId } = log(0, "2");
  const odd = { txId, source: "log", eventIndex: 3, kind: "malformed_log", detail: "no word" } as const;
  const told = { ...telling(), anomalies: [odd] };
  expect(mergeMoves([told, told, telling()]).anomalies).toEqual([odd]);
});
