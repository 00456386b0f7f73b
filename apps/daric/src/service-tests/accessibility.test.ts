import { contrast } from "@daric/hosted-checkout/page/theme";
import { paperText, placesIn, untruePlaces } from "@daric/testing/paper-places";
import { describe, expect, it } from "vitest";

const report = paperText("docs/accessibility.md");
const pages = [
  "Checkout, `/c/…`",
  "Payment link, `/l/…`",
  "Claim of a refund, `/r/…`",
  "Dashboard, `/dashboard`",
];

type Row = {
  readonly id: string;
  readonly level: string;
  readonly short: string;
  /** of each page, in the order of the columns */
  readonly verdicts: readonly string[];
  readonly where: string;
};

const rows = report
  .split("\n")
  .filter((line) => /^\| \d\.\d+\.\d+ \|/.test(line))
  .map((line): Row => {
    const [id = "", level = "", short = "", ...cells] = line.slice(2, -2).split(" | ");
    return {
      id,
      level,
      short,
      verdicts: cells.slice(0, pages.length),
      where: cells.slice(pages.length).join(" | "),
    };
  });

/** The criteria of the standard, each with its level. */
const required = paperText("apps/daric/src/service-tests/wcag-criteria.txt")
  .split("\n")
  .flatMap((line) => {
    const [level = "", ids = ""] = line.split(": ");
    return /^A+$/.test(level) ? ids.split(" ").map((id) => `${id} ${level}`) : [];
  });

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;
/** The text of a row without its places. */
const proseOf = ({ where }: Row) => where.replace(/`[^`]*`[,;.]?/g, "");

describe("the report of accessibility", () => {
  it("has one row for each criterion of WCAG 2.2 of levels A and AA", () => {
    expect(required.length).toBe(55);
    expect(rows.map(({ id, level }) => `${id} ${level}`).toSorted()).toEqual(required.toSorted());
    expect(rows.filter(({ short }) => wordsOf(short) > 12)).toEqual([]);
  });

  it("names files that exist, and what stands in them", () => {
    const tried = [...report.matchAll(/^\| [A-Za-z][^|]* \| [^|]* \| (.*) \|$/gm)].map(
      ([, cell = ""]) => cell,
    );
    const places = [...tried, ...rows.map(({ where }) => where)].flatMap(placesIn);
    expect(new Set(places.map(({ path }) => path)).size).toBeGreaterThan(40);
    expect(places.filter(({ name }) => name !== undefined).length).toBeGreaterThan(60);
    expect(untruePlaces(places)).toEqual([]);
  });

  it("has a place for each yes, the missing part of each no by its page, and a reason for each n/a", () => {
    const columns = ["checkout", "link", "claim", "dashboard"];
    const wrong = rows.filter((row) => {
      const { verdicts, where } = row;
      const missing = proseOf(row).split("Missing").slice(1).join(" ");
      if (verdicts.some((verdict) => !["yes", "no", "n/a"].includes(verdict))) return true;
      if (verdicts.includes("yes") && (!where.startsWith("`") || placesIn(where).length === 0)) return true;
      if (verdicts.includes("n/a") && wordsOf(proseOf(row)) < 3) return true;
      const refused = columns.filter((_, at) => verdicts[at] === "no");
      return refused.some((page) => !missing.includes(page)) || (refused.length > 0 && wordsOf(missing) < 12);
    });
    expect(wrong).toEqual([]);
  });

  it("has the numbers of its rows for each page", () => {
    for (const [at, page] of pages.entries()) {
      const [yes, no, none] = ["yes", "no", "n/a"].map(
        (verdict) => rows.filter(({ verdicts }) => verdicts[at] === verdict).length,
      );
      expect(report).toContain(`\n| ${page} | ${yes} | ${no} | ${none} |\n`);
    }
  });
});

/** The colours of a sheet by their names, of the light scheme and of the dark one. */
function coloursOf(sheet: string): Record<string, string>[] {
  const schemes = paperText(sheet).split("@media (prefers-color-scheme: dark)").slice(0, 2);
  return schemes.map((scheme) =>
    Object.fromEntries(
      [...scheme.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", colour = ""]) => [
        name,
        colour,
      ]),
    ),
  );
}

it.each([
  ["web/dashboard/src/styles/tokens.css", ["line-strong", "accent", "bad"]],
  ["web/checkout/src/base.css", ["muted"]],
])("lines of fields and of the focus stand out by 3 : 1, in the light and in the dark", (sheet, lines) => {
  const schemes = coloursOf(sheet);
  expect(schemes).toHaveLength(2);
  for (const scheme of schemes)
    for (const line of lines)
      for (const ground of ["page", "surface"])
        expect(
          contrast(scheme[line] ?? "", scheme[ground] ?? ""),
          `${line} on ${ground}`,
        ).toBeGreaterThanOrEqual(3);
});
