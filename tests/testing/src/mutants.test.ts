import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { machineMutants } from "../../../lint/machine-mutants.ts";
import { moneyMutants } from "../../../lint/money-mutants.ts";
import { signerMutants } from "../../../lint/signer-mutants.ts";
import { serviceSources } from "./service-sources.ts";

const ROOT = join(import.meta.dirname, "../../..");

const mutants = [...machineMutants(), ...moneyMutants, ...signerMutants];

it("every mutant changes its source", () => {
  const idle = mutants.flatMap(({ name, changes }) =>
    [...changes].flatMap(([file, change]) => {
      const source = readFileSync(join(ROOT, file), "utf8");
      return change(source) === source ? [`${name}: ${file}`] : [];
    }),
  );
  expect(idle).toEqual([]);
});

it("every mutant names test files that exist", () => {
  const signer = readdirSync(join(ROOT, "apps/signer/src")).map((name) => `apps/signer/src/${name}`);
  const tests = [
    ...serviceSources(/\.test\.ts$/).map(({ path }) => path),
    ...signer.filter((path) => path.endsWith(".test.ts")),
  ];
  const projectOf = (path: string) => /\.(db|io)\.test\.ts$/.exec(path)?.[1] ?? "unit";
  const lost = mutants.flatMap(({ name, readers }) =>
    readers.flatMap(({ project, files }) =>
      files
        .filter((part) => !tests.some((path) => projectOf(path) === project && path.includes(part)))
        .map((part) => `${name}: ${project} ${part}`),
    ),
  );
  expect(lost).toEqual([]);
});
