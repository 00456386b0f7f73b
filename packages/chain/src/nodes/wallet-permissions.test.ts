import { describe, expect, it } from "vitest";
import { describePermissions, digestPermissions, type WalletPermission } from "./wallet-permissions.ts";

const own = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const stranger = "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8";
const third = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf";
const ALL = "7fff1fc0033ec307".padEnd(64, "0");
/** type 4, votes for witnesses */
const VOTES = "10".padEnd(64, "0");

function permission(keys: Record<string, bigint>, changes: Partial<WalletPermission> = {}): WalletPermission {
  const weighed = Object.entries(keys).map(([address, weight]) => ({ address, weight }));
  return { name: "owner", isOwner: true, threshold: 1n, keys: weighed, operations: "", ...changes };
}
const active = (keys: Record<string, bigint>, changes: Partial<WalletPermission> = {}) =>
  permission(keys, { name: "active", isOwner: false, operations: ALL, ...changes });
const usual = active({ [own]: 1n });

it.each([
  ["no account yet", []],
  ["the permissions that TRON gives a new account", [permission({ [own]: 1n }), usual]],
  ["the wallet's own key with another weight", [permission({ [own]: 3n }, { threshold: 3n })]],
])("%s: only its own key moves the wallet, and there is nothing to confirm", (_, permissions) => {
  expect([digestPermissions(own, permissions), describePermissions(own, permissions)]).toEqual(["own", []]);
});

describe("what a person confirms", () => {
  it.each<[string, WalletPermission[], string[]]>([
    [
      "a stranger owns it",
      [permission({ [stranger]: 1n }), usual],
      [
        `Its owner permission needs the weight 1 of ${stranger} (1). Without its own key, another key, ${stranger}, may move all of it. Its own key alone cannot move it.`,
      ],
    ],
    [
      "two of itself and a stranger",
      [permission({ [own]: 1n, [stranger]: 1n }, { threshold: 2n }), usual],
      [
        `Its owner permission needs the weight 2 of its own key (1), ${stranger} (1). Its own key alone cannot move it.`,
      ],
    ],
    [
      "two of three",
      [permission({ [own]: 1n, [stranger]: 1n, [third]: 1n }, { threshold: 2n }), usual],
      [
        `Its owner permission needs the weight 2 of its own key (1), ${stranger} (1), ${third} (1). Without its own key, other keys (${stranger}, ${third}) may move all of it. Its own key alone cannot move it.`,
      ],
    ],
    [
      "an active permission alone",
      [permission({ [own]: 1n }), active({ [stranger]: 1n }, { name: "shop" })],
      [
        `Its active permission "shop" needs the weight 1 of ${stranger} (1). Without its own key, another key, ${stranger}, may move all of it.`,
      ],
    ],
    [
      "an active permission that votes only",
      [permission({ [own]: 1n }), active({ [stranger]: 1n }, { name: "votes", operations: VOTES })],
      [`Its active permission "votes" needs the weight 1 of ${stranger} (1): it cannot move money.`],
    ],
    [
      "a threshold that its own key does not reach",
      [permission({ [own]: 1n }, { threshold: 2n })],
      ["Its owner permission needs the weight 2 of its own key (1). Its own key alone cannot move it."],
    ],
  ])("%s", (_, permissions, expected) => {
    expect(describePermissions(own, permissions)).toEqual(expected);
    expect(digestPermissions(own, permissions)).toMatch(/^[0-9a-f]{32}$/);
  });
});

it("the digest is of the keys that may move it: addresses, weights, thresholds and operations, not of names and order", () => {
  const base = [permission({ [own]: 1n, [stranger]: 2n }, { threshold: 2n }), usual];
  const digest = digestPermissions(own, base);
  expect(digestPermissions(own, [permission({ [stranger]: 2n, [own]: 1n }, { threshold: 2n }), usual])).toBe(
    digest,
  );
  expect(digestPermissions(own, [base[0] as WalletPermission, { ...usual, name: "other" }])).toBe(digest);
  const others = [
    [permission({ [own]: 1n, [third]: 2n }, { threshold: 2n }), usual],
    [permission({ [own]: 1n, [stranger]: 1n }, { threshold: 2n }), usual],
    [permission({ [own]: 1n, [stranger]: 2n }, { threshold: 1n }), usual],
    [base[0] as WalletPermission, active({ [stranger]: 1n })],
    [base[0] as WalletPermission, { ...usual, operations: VOTES }],
  ];
  expect(new Set([digest, ...others.map((permissions) => digestPermissions(own, permissions))]).size).toBe(6);
});
