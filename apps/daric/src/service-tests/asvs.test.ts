import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const pages = ["docs/asvs.md", "docs/asvs-operations.md", "docs/asvs-signer.md"];
const overview = textOf("docs/asvs.md");

type Row = {
  readonly id: string;
  readonly level: string;
  readonly short: string;
  readonly verdict: string;
  readonly where: string;
};

const rows = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^\| (V[\d.]+) \| (\d) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
    ([, id = "", level = "", short = "", verdict = "", where = ""]): Row => ({
      id,
      level,
      short,
      verdict,
      where,
    }),
  ),
);

/** The ids of the standard, each with its level. */
const required = textOf("apps/daric/src/service-tests/asvs-ids.txt")
  .split("\n")
  .flatMap((line) => {
    const [level = "", ids = ""] = line.split(": ");
    return /^\d$/.test(level) ? ids.split(" ").map((id) => `${id} ${level}`) : [];
  });

/** A place in the repository, and a name in it. Words in code before the first path of a row are settings. */
type Place = { readonly path: string; readonly name?: string };

function placesOf({ where }: Row): Place[] {
  const places: Place[] = [];
  for (const [, code = ""] of where.matchAll(/`([^`]+)`/g)) {
    const path = places.at(-1)?.path;
    if (isPath(code)) places.push({ path: code });
    else if (path !== undefined) places.push({ path, name: code });
  }
  return places;
}

function isPath(code: string): boolean {
  return /^[\w./@-]+$/.test(code) && (/[./]/.test(code) || code === "Dockerfile");
}

/** Whether the file declares the name, has a test or a heading of this title, or in other files the text itself. */
function holds({ path, name = "" }: Place): boolean {
  const text = textOf(path);
  if (path.endsWith(".md"))
    return text.split("\n").some((line) => line.replace(/^#{2,} /, "## ") === `## ${name}`);
  if (!/\.tsx?$/.test(path)) return text.includes(name);
  const declared = ["function ", "function* ", "const ", "class ", "type "].some((kind) =>
    [..."(<:= "].some((end) => text.includes(`${kind}${name}${end}`)),
  );
  return declared || ['"', "`"].some((quote) => text.includes(`${quote}${name}${quote}`));
}

const wordsOf = (text: string) => text.split(/\s+/).length;
const numberOf = (level: string, verdict: string) =>
  rows.filter((row) => row.level === level && row.verdict === verdict).length;

describe("the tables of ASVS", () => {
  it("have one row for each requirement of levels 1 and 2, and of level 3 for the signer", () => {
    expect(required.length).toBe(345);
    expect(rows.map(({ id, level }) => `${id} ${level}`).toSorted()).toEqual(required.toSorted());
  });

  it("name files that exist", () => {
    const paths = rows.flatMap(placesOf).map(({ path }) => path);
    expect(new Set(paths).size).toBeGreaterThan(120);
    expect([...new Set(paths)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("name what stands in those files", () => {
    const named = rows
      .flatMap(placesOf)
      .filter(({ path, name }) => name !== undefined && existsSync(join(root, path)));
    expect(named.length).toBeGreaterThan(180);
    expect(named.filter((place) => !holds(place))).toEqual([]);
  });

  it("have a place for each yes, a reason for each n/a, and a meaning for each no", () => {
    const wrong = rows.filter((row) => {
      if (row.verdict === "yes") return placesOf(row).length === 0 || !row.where.startsWith("`");
      if (row.verdict === "n/a") return wordsOf(row.where) > 12;
      return row.verdict !== "no" || wordsOf(row.where.replace(/`[^`]*`/g, "")) < 8;
    });
    expect(wrong).toEqual([]);
    expect(rows.filter(({ short }) => wordsOf(short) > 12)).toEqual([]);
  });

  it("have the numbers and the list of each no that the first page says", () => {
    const names = { "1": "1", "2": "2", "3": "3, of the signer alone" };
    for (const [level, name] of Object.entries(names)) {
      const [yes, no, none] = ["yes", "no", "n/a"].map((verdict) => numberOf(level, verdict));
      expect(overview).toContain(`\n| ${name} | ${yes} | ${no} | ${none} |\n`);
    }
    const listed = (intro: string) => overview.split(`${intro}, *no*: `)[1]?.split(".\n")[0]?.split(/[,;] /);
    const refused = rows.filter(({ verdict }) => verdict === "no");
    expect(listed("Levels 1 and 2")).toEqual(
      refused.filter(({ level }) => level !== "3").map(({ id }) => id),
    );
    expect(listed("Level 3 of the signer")).toEqual(
      refused.filter(({ level }) => level === "3").map(({ id }) => id),
    );
  });
});
