import { describe, expect, it } from "vitest";
import { parseActiveWitnesses, parseSigner } from "./parse-witnesses.ts";
import { AnswerError } from "./read-json.ts";

const [witness, candidate, key] = ["a", "b", "c"].map((digit) => `41${digit.repeat(40)}`) as [
  string,
  string,
  string,
];

describe("the active witnesses", () => {
  it("are those who have the job, not every candidate", () => {
    const witnesses = [
      { address: witness, isJobs: true, voteCount: 5 },
      { address: candidate, voteCount: 3 },
    ];
    expect(parseActiveWitnesses({ witnesses })).toEqual([witness]);
  });

  it.each([
    ["nothing", {}],
    ["no list", { witnesses: 7 }],
    ["nobody at work", { witnesses: [{ address: witness }] }],
    [
      "more than take turns anywhere",
      {
        witnesses: Array.from({ length: 101 }, (_, place) => ({
          address: `41${place.toString(16).padStart(40, "0")}`,
          isJobs: true,
        })),
      },
    ],
    ["one of them twice", { witnesses: [1, 2].map(() => ({ address: witness, isJobs: true })) }],
    ["no address", { witnesses: [{ address: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", isJobs: true }] }],
  ])("are not read out of an answer with %s", (_case, answer) => {
    expect(() => parseActiveWitnesses(answer)).toThrow(AnswerError);
  });
});

describe("the key that a witness signs with", () => {
  const permission = (keys: unknown) => ({
    address: witness,
    witness_permission: { type: "Witness", id: 1, keys },
  });

  it("is that of its witness permission, and its own where it has none", () => {
    expect(parseSigner(permission([{ address: key, weight: 1 }]), witness)).toBe(key);
    for (const own of [{}, { address: witness }, permission(undefined), permission([])])
      expect(parseSigner(own, witness)).toBe(witness);
  });

  it("is not read out of the account of somebody else, nor out of what is no key", () => {
    for (const answer of [{ address: candidate }, permission([7]), permission([{ address: "" }]), [], null])
      expect(() => parseSigner(answer, witness)).toThrow(AnswerError);
  });
});
