import { paperText, placesIn, untruePlaces } from "@daric/testing/paper-places";
import { describe, expect, it } from "vitest";

const pages = ["docs/asvs.md", "docs/asvs-operations.md", "docs/asvs-signer.md"];
const overview = paperText("docs/asvs.md");

type Row = {
  readonly id: string;
  readonly level: string;
  readonly short: string;
  readonly verdict: string;
  readonly where: string;
};

const rows = pages.flatMap((page) =>
  [...paperText(page).matchAll(/^\| (V[\d.]+) \| (\d) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
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
const required = paperText("apps/daric/src/service-tests/asvs-ids.txt")
  .split("\n")
  .flatMap((line) => {
    const [level = "", ids = ""] = line.split(": ");
    return /^\d$/.test(level) ? ids.split(" ").map((id) => `${id} ${level}`) : [];
  });

const wordsOf = (text: string) => text.split(/\s+/).length;
const numberOf = (level: string, verdict: string) =>
  rows.filter((row) => row.level === level && row.verdict === verdict).length;

describe("the tables of ASVS", () => {
  it("have one row for each requirement of levels 1 and 2, and of level 3 for the signer", () => {
    expect(required.length).toBe(345);
    expect(rows.map(({ id, level }) => `${id} ${level}`).toSorted()).toEqual(required.toSorted());
  });

  it("name files that exist, and what stands in them", () => {
    const places = rows.flatMap(({ where }) => placesIn(where));
    expect(new Set(places.map(({ path }) => path)).size).toBeGreaterThan(120);
    expect(places.filter(({ name }) => name !== undefined).length).toBeGreaterThan(180);
    expect(untruePlaces(places)).toEqual([]);
  });

  it("have a place for each yes, a reason for each n/a, and a meaning for each no", () => {
    const wrong = rows.filter((row) => {
      if (row.verdict === "yes") return placesIn(row.where).length === 0 || !row.where.startsWith("`");
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
