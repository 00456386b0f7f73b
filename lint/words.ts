import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isGenerated } from "./is-generated.ts";
import { findMergeMarks } from "./merge-marks.ts";
import { findUnplain } from "./plain-english.ts";

/**
 * Checks five rules about words that the linter cannot see. An exported name has one meaning in the repository. A
 * docstring lists errors by `@throws`, not in its prose. No file has conflict marks. Sentences are plain English. And a text
 * in two strings has a blank between them.
 */

/** Names that several files export, and why the meaning is the same. */
const sameMeaning: Readonly<Record<string, string>> = {
  Context: "the context of each part of a room",
  ApiContext: "the context of a part of the role api, in each room",
  WatcherContext: "the context of a part of the role watcher, in each room",
  WebhookEvent: "an event, in the service and in the document behind the SDK's types",
  blockIdOf: "the tests have their own, so that it can contradict the service's",
  httpUrl: "an http or https URL: in a setting, and in a body",
  pageStatement: "one page of a list: of charges, and of deposits",
};

const EXPORTED =
  /^export (?:declare |async |abstract )*(?:type|interface|class|function\*?|const|let|enum) (\w+)/gm;
const DOCSTRING = /\/\*\*.*?\*\//gs;
/** `@throws` itself, `never throws` and errors of others are allowed. */
const REFUSAL_IN_PROSE =
  /(?<!@)\bThrows\b|(?<!@)\bthrows (?:an? )?(?:\{@link )?(?:\w+(?:Error|Refusal)|[A-Z_]{4,})\b/;

const root = join(import.meta.dirname, "..");
const patterns = ["*.ts", "*.tsx", "*.md"];
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
  cwd: root,
  encoding: "utf8",
});
const texts = listed
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)))
  .map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }));
const files = texts
  .filter(({ path }) => /\.tsx?$/.test(path) && !/^(lint|ops)\//.test(path) && !path.endsWith(".test.ts"))
  // Generated types and copied recipes have the names of their readers.
  .filter(({ path, source }) => !isGenerated(source) && !path.startsWith("clients/typescript/recipes/"));

/** The dashboard runs in a browser, and names what the service answers as the service does: it has names of its own. */
const placeOf = (path: string, name: string) =>
  path.startsWith("web/dashboard/") ? `dashboard: ${name}` : name;
const places = new Map<string, Set<string>>();
for (const { path, source } of files) {
  for (const [, exported = ""] of source.matchAll(EXPORTED)) {
    const name = placeOf(path, exported);
    places.set(name, (places.get(name) ?? new Set()).add(path));
  }
}
const shared = [...places].filter(([, paths]) => paths.size > 1);
const twofold = shared
  .filter(([name]) => sameMeaning[name] === undefined)
  .map(([name, paths]) => `${name} is exported by ${[...paths].join(" and ")}: one name, one meaning`);
const idle = Object.keys(sameMeaning)
  .filter((name) => !shared.some(([other]) => other === name))
  .map((name) => `${name} is exported once: take it off the list in lint/words.ts`);
const found = files.flatMap(({ path, source }) =>
  [...source.matchAll(DOCSTRING)]
    .filter(([text]) => REFUSAL_IN_PROSE.test(text))
    .map(([text]) => `${path} names an error in prose, not by @throws: ${text}`),
);
/** A string that ends in a word or a sign, joined to one that begins with a word. */
const JOINED_WORDS = /(?<!\\)[\w,.;:`)]" \+\n\s*"[A-Za-z`(]/g;
const joined = texts
  .filter(({ path }) => /\.tsx?$/.test(path))
  .flatMap(({ path, source }) =>
    [...source.matchAll(JOINED_WORDS)].map(
      ({ index }) =>
        `${path}:${source.slice(0, index).split("\n").length}: two words are joined without a blank`,
    ),
  );
const unmerged = findMergeMarks(root).map((line) => `${line}: left by a merge`);
const unplain = texts
  // These name the banned words.
  .filter(({ path }) => !["CONTRIBUTING.md", "lint/plain-english.ts"].includes(path))
  .flatMap(({ path, source }) => findUnplain(path, source));
const faults = [...twofold, ...idle, ...found, ...joined, ...unmerged, ...unplain];
process.stdout.write(
  faults.map((fault) => `${fault}\n`).join("") ||
    `${places.size} exported names mean one thing each, errors are in @throws, no conflict is left, and English is plain\n`,
);
if (faults.length > 0) process.exitCode = 1;
