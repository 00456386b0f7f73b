import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

const HAND_OVER = /^\*\*Hand-over \d: the row in `(\w+)`\.\*\*$/;
const STEP = /^(\d+)\. /;
const INDENTED = /^ +- /;
const FILE = /(→\s+)?`([\w/-]+\.ts)`/g;

/** A file of the walk, and its predecessor: the file that imports it, or the table of a hand-over. */
type Stop = { readonly file: string; readonly from: string | undefined; readonly table: string | undefined };

function section(title: string): string {
  const [, text] = page.split(`\n## ${title}\n`);
  if (text === undefined) throw new Error(`ARCHITECTURE.md has no section "${title}"`);
  return text.split("\n## ")[0] ?? "";
}

/** The steps as one line each, and the hand-overs between them. */
function lines(): string[] {
  return section("The walk of one payment")
    .replace(/\n +(?![ -])/g, " ")
    .split("\n")
    .filter((line) => [STEP, INDENTED, HAND_OVER].some((kind) => kind.test(line)));
}

function stops(): Stop[] {
  const walked: Stop[] = [];
  let step: string | undefined;
  let table: string | undefined;
  for (const line of lines()) {
    const handOver = HAND_OVER.exec(line);
    if (handOver !== null) {
      table = handOver[1];
      continue;
    }
    let first: string | undefined;
    for (const [, arrow, file = ""] of line.matchAll(FILE)) {
      const from = first === undefined ? step : arrow === undefined ? first : walked.at(-1)?.file;
      walked.push({ file, from: table === undefined ? from : undefined, table });
      first ??= file;
      table = undefined;
    }
    if (STEP.test(line)) step = first;
  }
  return walked;
}

/** The whole path of a short name: `charges/create/store.ts` is in the package `charges`. */
function wholePath(file: string): string {
  const [first = "", ...rest] = file.split("/");
  return existsSync(join(root, "packages", first, "src")) ? join("packages", first, "src", ...rest) : file;
}

function sourceOf(file: string): string {
  return readFileSync(join(root, wholePath(file)), "utf8");
}

/** The runtime imports of a file, without those of types. */
function importsOf(file: string): string[] {
  const imports = [
    ...sourceOf(file).matchAll(/^import (?!type )(?:(.+?) from )?"(\.[^"]+|@daric\/[^"]+)";/gms),
  ];
  const run = imports.filter(([, names = ""]) => !/^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}$/.test(names));
  return run.map(([, , path = ""]) =>
    path.startsWith(".") ? normalize(join(file, "..", path)) : `${path.slice("@daric/".length)}.ts`,
  );
}

/** The files of each leg between two hand-overs. */
function legs(): string[][] {
  return stops().reduce<string[][]>((legs, { file, table }) => {
    if (table !== undefined || legs.length === 0) legs.push([]);
    legs.at(-1)?.push(file);
    return legs;
  }, []);
}

describe("the path of one payment", () => {
  it("names at most 25 files, none of them twice", () => {
    const files = stops().map(({ file }) => file);
    expect(files.length).toBeGreaterThan(20);
    expect(files.length).toBeLessThanOrEqual(25);
    expect(new Set(files).size).toBe(files.length);
  });

  it("has numbered steps without a gap, and every file in it belongs to one", () => {
    const numbers = lines().flatMap((line) => STEP.exec(line)?.[1] ?? []);
    expect(numbers).toEqual(numbers.map((_, index) => String(index + 1)));
    const named = [...section("The walk of one payment").matchAll(FILE)].map(([, , file]) => file);
    expect(named).toEqual(stops().map(({ file }) => file));
  });

  it("goes from each file to one of its imports, except at the start and at two hand-overs", () => {
    const strides = stops().filter(({ from }) => from !== undefined);
    expect(stops().length - strides.length).toBe(3);
    for (const { file, from = "" } of strides) expect(importsOf(from), `imports of ${from}`).toContain(file);
  });

  it("writes the row of a hand-over in the last file before it, and reads it in the leg after it", () => {
    const tables = stops().flatMap(({ table }) => table ?? []);
    expect(tables).toEqual(["deposit_addresses", "webhook_deliveries"]);
    const [created = [], seen = [], reported = []] = legs();
    for (const [index, table] of tables.entries()) {
      const writer = [created, seen][index]?.at(-1) ?? "";
      expect(sourceOf(writer), writer).toContain(`insert into ${table} `);
      const readers = [seen, reported][index] ?? [];
      expect(readers.filter((file) => sourceOf(file).includes(` ${table}`))).not.toEqual([]);
    }
  });
});

describe("the picture of ARCHITECTURE.md", () => {
  const [, picture = ""] = page.split("```");
  const [, rows = ""] = /\n packages\/(.*?)\n web\//s.exec(picture) ?? [];
  const names = readdirSync(join(root, "packages"));
  const floors = rows.split("\n").map((row) => row.split(/[\s,]+/).filter((word) => names.includes(word)));

  it("has each package once, in at most 15 lines", () => {
    expect(floors.flat().toSorted()).toEqual(names.toSorted());
    expect(picture.trim().split("\n").length).toBeLessThanOrEqual(15);
  });

  it("is true: a package depends on packages of lower rows alone", () => {
    const wrong = floors.flatMap((row, index) => {
      const below = floors.slice(index + 1).flat();
      return row.flatMap((name) => {
        const { dependencies = {} } = JSON.parse(
          readFileSync(join(root, "packages", name, "package.json"), "utf8"),
        );
        return Object.keys(dependencies)
          .filter((other) => names.some((own) => other === `@daric/${own}`))
          .filter((other) => !below.includes(other.slice("@daric/".length)))
          .map((other) => `${name} imports ${other}`);
      });
    });
    expect(wrong).toEqual([]);
  });
});

describe("the questions of ARCHITECTURE.md", () => {
  const answers = [...section("Where it is").matchAll(/^\| ([^|]+) \| (.+) \|$/gm)].flatMap(
    ([, question, answer = ""]) =>
      [...answer.matchAll(/`([\w./-]+\.(?:ts|json))`, `([^`]+)`/g)].map(([, file, name]) => ({
        question,
        file,
        name,
      })),
  );

  it("are at least seven", () => {
    expect(new Set(answers.map(({ question }) => question)).size).toBeGreaterThanOrEqual(7);
  });

  it.each(answers)("answers $question by $name", ({ file = "", name = "" }) => {
    const text = sourceOf(file);
    const isDeclared = new RegExp(`^(export (async )?(const|function|type) ${name}\\b|\\s+${name}: )`, "m");
    expect(text).toMatch(isDeclared);
  });
});

describe("the records of decisions", () => {
  const folder = join(root, "docs/decisions");
  const records = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
  const index = readFileSync(join(folder, "README.md"), "utf8");

  it.each(records)("%s has a status, its date and a line in the index", (name) => {
    const [title = "", , status = "", date = ""] = readFileSync(join(folder, name), "utf8").split("\n");
    const number = Number(name.slice(0, 4));
    expect(title).toMatch(new RegExp(`^# ${number}\\. `));
    expect(status).toMatch(/^- Status: (accepted|superseded by \d+)$/);
    expect(date).toMatch(/^- Date: \d{4}-\d{2}-\d{2}$/);
    const line = `| [${number}](${name}) | ${title.replace(/^# \d+\. /, "")} | ${status.slice("- Status: ".length)} |`;
    expect(index).toContain(line);
  });
});

it("every test that SECURITY.md names exists", () => {
  const named = [
    ...readFileSync(join(root, "SECURITY.md"), "utf8").matchAll(/`([\w-]+\/[\w./-]+\.test\.ts)`/g),
  ];
  expect(named.length).toBeGreaterThan(8);
  expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("every file that ARCHITECTURE.md names exists", () => {
  const named = [...page.matchAll(/`([\w-]+\/[\w./-]+\.(?:ts|json))`/g)].map(([, path = ""]) => path);
  const lost = named.filter((path) => !existsSync(join(root, wholePath(path))));
  expect(named.length).toBeGreaterThan(40);
  expect(lost).toEqual([]);
});
