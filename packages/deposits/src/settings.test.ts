import { describe, expect, it } from "vitest";
import {
  answersNeeded,
  faultOfQuorum,
  quorumOf,
  warningOfNodeNumber,
  warningOfUnproven,
} from "./settings.ts";

const named = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://node-${index + 1}.example`);

describe("how many nodes must agree", () => {
  it("is by default one of one or two nodes, and the majority of more", () => {
    const counts = [1, 2, 3, 4, 5, 6, 7];
    const quorums = counts.map((count) => quorumOf({ quorum: undefined, nodeUrls: named(count) }));
    expect(quorums).toEqual([1, 1, 2, 3, 3, 4, 4]);
    expect(counts.map((count) => answersNeeded({ quorum: undefined }, count))).toEqual(quorums);
  });

  it("follows TRON_QUORUM", () => {
    expect([1, 2].map((quorum) => quorumOf({ quorum, nodeUrls: named(2) }))).toEqual([1, 2]);
    expect(quorumOf({ quorum: 5, nodeUrls: named(5) })).toBe(5);
  });

  it("counts a host once for any ports and paths, and each port of this machine", () => {
    const sameHost = ["https://a.example", "https://A.example.:8443/key", "http://a.example:8090"];
    expect(quorumOf({ quorum: undefined, nodeUrls: sameHost })).toBe(1);
    expect(quorumOf({ quorum: undefined, nodeUrls: [...sameHost, ...named(2)] })).toBe(2);
    const here = ["http://127.0.0.1:1", "http://localhost:2", "http://127.0.0.2:3", "http://[::1]:4"];
    expect(quorumOf({ quorum: undefined, nodeUrls: here })).toBe(3);
    const oneHere = ["http://127.0.0.1", "http://localhost:80", "http://127.9.9.9/key", "http://[::1]/"];
    expect(quorumOf({ quorum: undefined, nodeUrls: oneHere })).toBe(1);
  });
});

describe("a quorum is refused", () => {
  it.each([
    [
      2,
      1,
      "TRON_QUORUM is 2, but there are only 1 different TRON_NODE_URLS: set it to 1, or name more nodes",
    ],
    [3, 2, /^TRON_QUORUM is 3, but there are only 2 different TRON_NODE_URLS: set it to 1,/],
    [4, 3, /^TRON_QUORUM is 4, but there are only 3 different TRON_NODE_URLS: set it to 2,/],
    [1, 3, "TRON_QUORUM is 1, but of 3 nodes more than half must agree: set it to 2, or leave it out"],
    [1, 4, /: set it to 3, or leave it out$/],
    [2, 4, /: set it to 3, or leave it out$/],
    [2, 5, /: set it to 3, or leave it out$/],
    [3, 6, /: set it to 4, or leave it out$/],
  ])("%i of %i nodes", (quorum, nodes, message) => {
    expect(faultOfQuorum(quorum, named(nodes))).toMatch(message);
  });

  it("except more than half of three or more nodes, and any number of fewer", () => {
    for (const [quorum, nodes] of [
      [1, 1],
      [1, 2],
      [2, 2],
      [2, 3],
      [3, 3],
      [3, 4],
      [3, 5],
      [5, 5],
    ] as const)
      expect(faultOfQuorum(quorum, named(nodes))).toBeUndefined();
    expect(faultOfQuorum(undefined, named(4))).toBeUndefined();
    expect(faultOfQuorum(9, undefined)).toBeUndefined();
  });
});

describe("a number of nodes gets a warning", () => {
  it("if it is one on a public network, but not on a private chain", () => {
    const one = { quorum: undefined, nodeUrls: named(1) };
    for (const network of ["mainnet", "nile", "shasta"] as const)
      expect(warningOfNodeNumber(network, one)).toBe(
        "TRON_NODE_URLS names one node: a single dishonest node is not detected; name three of different operators",
      );
    for (const network of ["devnet", "private", undefined] as const)
      expect(warningOfNodeNumber(network, one)).toBeUndefined();
  });

  it("if it is even, on every network", () => {
    const of = (nodes: number, quorum?: number) =>
      warningOfNodeNumber("private", { quorum, nodeUrls: named(nodes) });
    expect([3, 5, 7].map((nodes) => of(nodes))).toEqual([undefined, undefined, undefined]);
    expect([of(2), of(2, 1)]).toEqual(
      Array(2).fill(
        "TRON_NODE_URLS names 2 nodes, an even number: one node decides, and a single dishonest node is not detected; name a third of another operator",
      ),
    );
    expect([of(2, 2), of(4), of(6)]).toEqual([
      "TRON_NODE_URLS names 2 nodes, an even number: with 3, 2 must agree as now, and one more may fail",
      expect.stringMatching(/: with 5, 3 must agree as now, and one more may fail$/),
      expect.stringMatching(/: with 7, 4 must agree as now, and one more may fail$/),
    ]);
  });
});

it("TRON_UNPROVEN gets a warning if several nodes decide, and none if one does", () => {
  const of = (unproven: string, nodes: number, quorum?: number) =>
    warningOfUnproven({ unproven, quorum, nodeUrls: named(nodes) });
  expect(of("trust", 3)).toBe("TRON_UNPROVEN is trust, which decides nothing: 2 nodes must agree");
  expect(of("hold", 2, 2)).toMatch(/^TRON_UNPROVEN is hold, which decides nothing/);
  expect([of("balance", 3), of("hold", 1), of("trust", 2)]).toEqual([undefined, undefined, undefined]);
});
