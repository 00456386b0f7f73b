import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { lintEnvLines } from "./lint-env-lines.ts";

it.each([
  ["NAME: s3cret", "line 1 is not like NAME=value"],
  ["A=1\n\nNAME", "line 3 is not like NAME=value"],
  ["- NAME=s3cret", "line 1 is not like NAME=value"],
  ["A=postgres://d:s3#cret@h/d", "line 1 has a # that begins a comment: put the value in quotes"],
  ["A=#s3cret", "line 1 has a # that begins a comment: put the value in quotes"],
  ["A='s3cret", "line 1 has a quote that is not closed"],
  ["A='s3'cret'\nB=2", "line 1 has something behind the closing quote"],
  ['A="s3\\"cret"', "line 1 has something behind the closing quote"],
  ['A="s3\ncret" x\nB: 2', "line 1 has something behind the closing quote"],
  ["A=s3cret\t", "line 1 has a tab, which is read like a letter"],
  ["B=1\nA=\t's3cret'", "line 2 has a tab, which is read like a letter"],
  ["A\0=\0", "it is no text in UTF-8"],
])("an ambiguous line is refused by its number, without its text: %j", (text, fault) => {
  const [first] = lintEnvLines(text).faults;
  expect(first).toContain(fault);
  expect(first).not.toMatch(/s3|cret/);
});

it("each fault is named, and a value over several lines is one", () => {
  const text = 'A="1\n2: 3\n"\nB: 2\nC=1\nD=a#b\n';
  expect(lintEnvLines(text).faults.map((fault) => fault.split(" ", 2).join(" "))).toEqual([
    "line 4",
    "line 6",
  ]);
});

it.each([
  ["# a comment\n\nA=1 # why\r\nexport B=2\r\n C = 3\nD=\n", { A: "1", B: "2", C: "3", D: "" }],
  [
    "A='a#b' # why\nB=\"it's\"\nC='a \"b\" c'\nD=`a'b\"c`",
    { A: "a#b", B: "it's", C: 'a "b" c', D: "a'b\"c" },
  ],
  ["A=1\n \nB=2\n\t\n\n  # C='3\nD='4'", { A: "1", B: "2", D: "4" }],
  ["A=it's\nB=a=b==", { A: "it's", B: "a=b==" }],
])("an unambiguous line is accepted: %j", (text, variables) => {
  const { faults, assignments } = lintEnvLines(text);
  expect(faults).toEqual([]);
  expect(parseEnv(assignments)).toEqual(variables);
});
