import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { machineMutants } from "../../lint/machine-mutants.ts";
import { moneyMutants } from "../../lint/money-mutants.ts";

const ROOT = join(import.meta.dirname, "../..");

it("every mutant finds its source text", () => {
  const lost = [...machineMutants(), ...moneyMutants].flatMap(({ name, changes }) =>
    [...changes].flatMap(([file, change]) => {
      try {
        return change(readFileSync(join(ROOT, file), "utf8")) === "" ? [`${name}: empties ${file}`] : [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    }),
  );
  expect(lost).toEqual([]);
});
