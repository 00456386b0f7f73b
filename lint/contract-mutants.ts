import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { brokenBy, withoutField } from "@daric/testing/contract/broken-source";
import { contractRows } from "@daric/testing/contract/contract";
import type { Proof } from "@daric/testing/contract/contract-row";
import {
  type ContractField,
  contractResources,
  fieldsProof,
  hasInnerFields,
  WRONG_FIELDS,
} from "@daric/testing/contract/fields";
import {
  chooseMutants,
  inSandbox,
  printLine,
  type Sandbox,
  sampleOf,
  type TestOutcome,
} from "./mutant-sandbox.ts";

/**
 * Proves that every row of the contract has a test. It breaks the code of each row in a copy of the project, and
 * expects the named test to fail. Rows other than fields are broken one after the other. Fields are broken many at
 * a time: each has a number, and two runs for each binary digit break half of the fields each. A test covers a
 * field if it fails in exactly the runs in which the field is broken. `--sample N` tries only N, chosen by the
 * commit, each alone; `--only PATTERN` filters by name.
 */
type Mutant = {
  readonly name: string;
  readonly file: string;
  readonly change: (source: string) => string;
  readonly proofs: readonly Proof[];
  /** for a mutant of several fields: their names in the tests, `resource field` */
  readonly fields?: readonly string[];
};

const SECONDS_EACH = 4;
const pickedFields = findPickedFields();
const rows = contractRows.flatMap(({ row, proof, mutations = [] }) =>
  mutations.map(
    (mutation): Mutant => ({
      name: `${row}: ${oneLine(mutation.from)} -> ${oneLine(mutation.to)}`,
      file: mutation.file,
      change: (source) => brokenBy(source, mutation),
      proofs: [proof],
    }),
  ),
);
const fields = fieldMutants();
const every = [...rows, ...fields].filter(({ name }) => onlyLike().test(name));

const sample = sampleOf(every.length);
const isWholeRun = sample === every.length;
const chosen = isWholeRun ? every : chooseMutants(every, sample);
printLine(`${chosen.length} of ${every.length} mutants, about ${SECONDS_EACH} s each on an idle machine`);
const survivors = await inSandbox(async (sandbox) => {
  await requireGreen(sandbox, chosen);
  const together = isWholeRun ? chosen.filter((mutant) => mutant.fields !== undefined) : [];
  const alone = chosen.filter((mutant) => !together.includes(mutant));
  const alive = [...(await testTogether(sandbox, together)), ...(await testAlone(sandbox, alone))];
  await requireGreen(sandbox, chosen.slice(0, 1));
  return alive;
});
for (const name of survivors) printLine(`SURVIVED ${name}`);
printLine(`${chosen.length - survivors.length} died, ${survivors.length} survived`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/** @throws Error if a named test is missing, or fails without a mutant. */
async function requireGreen(sandbox: Sandbox, mutants: readonly Mutant[]): Promise<void> {
  const every = mutants.flatMap((mutant) => mutant.proofs);
  for (const project of new Set(every.map(([file]) => projectOf(file)))) {
    const proofs = every.filter(([file]) => projectOf(file) === project);
    const files = [...new Set(proofs.map(([file]) => file))];
    const titled = [...new Set(proofs.map(([, title]) => patternOf(title).source))].join("|");
    const { results } = await sandbox.test({ project, files, titled, bail: false });
    for (const [file, title] of proofs) {
      const named = results.filter((test) => test.file === file && patternOf(title).test(test.fullName));
      const red = named.find(({ status }) => status === "failed");
      if (red !== undefined) throw new Error(`red without any mutant: ${file}: ${red.fullName}`);
      if (!named.some(({ status }) => status === "passed"))
        throw new Error(`${file} has no test with the title: ${title}`);
    }
  }
}

async function testAlone(sandbox: Sandbox, mutants: readonly Mutant[]): Promise<string[]> {
  const alive: string[] = [];
  for (const mutant of mutants) {
    const started = performance.now();
    const isDead = await planted(sandbox, [mutant], async () => {
      for (const [file, title] of mutant.proofs) {
        const run = { project: projectOf(file), files: [file], titled: patternOf(title).source };
        if (!(await sandbox.test(run)).isGreen) return true;
      }
      return false;
    });
    if (!isDead) alive.push(mutant.name);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    printLine(`${mutant.name.slice(0, 120).padEnd(121)} ${isDead ? "red" : "SURVIVED"} ${seconds} s`);
  }
  return alive;
}

/** A mutant is dead if each of its fields fails in every run in which it is planted, and in no other. */
async function testTogether(sandbox: Sandbox, mutants: readonly Mutant[]): Promise<string[]> {
  const alive = new Set<string>();
  const digits = Math.ceil(Math.log2(Math.max(2, mutants.length)));
  for (let run = 0; mutants.length > 0 && run < 2 * digits; run += 1) {
    const isPlanted = (number: number) => ((number >> (run >> 1)) & 1) === run % 2;
    const chosenNow = mutants.filter((_, number) => isPlanted(number));
    const named = await planted(sandbox, chosenNow, () => wrongFields(sandbox));
    for (const [number, { name, fields = [] }] of mutants.entries())
      if (fields.some((field) => named.has(field) !== isPlanted(number))) alive.add(name);
    printLine(`fields, run ${run + 1} of ${2 * digits}: ${chosenNow.length} broken, ${named.size} named`);
  }
  for (const name of alive) printLine(`${name} SURVIVED`);
  return [...alive];
}

async function wrongFields(sandbox: Sandbox): Promise<ReadonlySet<string>> {
  const [file] = fieldsProof("");
  const { results } = await sandbox.test({ project: projectOf(file), files: [file], bail: false });
  return new Set(Object.keys(contractResources).flatMap((resource) => exportedOf(resource, results)));
}

function exportedOf(resource: string, results: TestOutcome["results"]): string[] {
  const [, title] = fieldsProof(resource);
  const found = results.find(({ fullName }) => fullName === title);
  // A test that fails for another reason names no field: its response may lack a field of another resource.
  const names = found?.failure.split("\n").find((line) => line.includes(WRONG_FIELDS));
  const list = names?.slice(names.indexOf(WRONG_FIELDS) + WRONG_FIELDS.length).split(" ") ?? [];
  return list.map((name) => `${resource} ${name}`);
}

/** One mutant for each property in the source, with the resources that have it. */
function fieldMutants(): Mutant[] {
  const mutants = new Map<string, Mutant>();
  for (const [resource, { fields: all }] of Object.entries(contractResources)) {
    for (const [name, field] of Object.entries(all)) {
      const key = `${field.source.file} ${field.source.anchor} ${name}`;
      const before = mutants.get(key);
      mutants.set(key, {
        name: before?.name ?? `${resource} without ${name}`,
        file: field.source.file,
        change: (source) => withoutField(source, field.source, name),
        proofs: [...(before?.proofs ?? []), fieldsProof(resource)],
        ...togetherAs(name, field, [...(before?.fields ?? []), `${resource} ${name}`]),
      });
    }
  }
  return [...mutants.values()];
}

/**
 * Some fields are broken alone. With one that contains others the inner ones vanish too. Without one that another schema picks no test
 * starts. Without its address no charge is shown.
 */
function togetherAs(
  name: string,
  { expected }: ContractField,
  names: readonly string[],
): Pick<Mutant, "fields"> {
  const isAlone = hasInnerFields(expected) || pickedFields.has(name) || name === "address";
  return isAlone ? {} : { fields: names };
}

/** The names of fields that a schema picks out of another one. */
function findPickedFields(): ReadonlySet<string> {
  const schemas = execFileSync("git", ["ls-files", "server/src/**/schema.ts"], { encoding: "utf8" }).split(
    "\n",
  );
  const lists = schemas.flatMap((path) =>
    path === "" ? [] : [...readFileSync(path, "utf8").matchAll(/\.pick\(\{([^}]*)\}/g)],
  );
  return new Set(
    lists.flatMap(([, list = ""]) => [...list.matchAll(/(\w+): true/g)].map(([, name = ""]) => name)),
  );
}

function planted<T>(sandbox: Sandbox, mutants: readonly Mutant[], work: () => Promise<T>): Promise<T> {
  const changes = new Map<string, (source: string) => string>();
  for (const { file, change } of mutants) {
    const before = changes.get(file) ?? ((source) => source);
    changes.set(file, (source) => change(before(source)));
  }
  return sandbox.mutated(changes, work);
}

function projectOf(file: string): string {
  if (file.startsWith("e2e/")) return "e2e";
  return /\.(db|io)\.test\.ts$/.exec(file)?.[1] ?? "unit";
}

/** A pattern for a title in the source, with the values of its table. */
function patternOf(title: string): RegExp {
  return new RegExp(title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/%[sjid]/g, ".*"));
}

function onlyLike(): RegExp {
  return new RegExp(process.argv[2] === "--only" ? (process.argv[3] ?? "") : "");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
