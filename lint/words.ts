import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findMergeMarks } from "./merge-marks.ts";

/**
 * Holds three rules about words that the linter cannot see: a name that is exported has one meaning in the repository,
 * what a function refuses is told by `@throws`, not in its prose, and no file holds the marks of an unfinished merge.
 */

/** Names that are exported by more than one file, and why that is no second meaning. */
const sameMeaning: Readonly<Record<string, string>> = {
  Context: "what every part of a room is handed",
  ApiContext: "what a part of the role api is handed, in each room",
  WatcherContext: "what a part of the role watcher is handed, in each room",
  WebhookEvent:
    "an event as the service writes it, and as it is told in the document that the SDK is typed by",
  blockIdOf: "the tests' own is written apart, so that it can contradict that of the service",
  httpUrl: "what an http or https URL is: of a setting, and of a body",
  pageStatement: "one page of a list: of charges, and of deposits",
};

const EXPORTED =
  /^export (?:declare |async |abstract )*(?:type|interface|class|function\*?|const|let|enum) (\w+)/gm;
const DOCSTRING = /\/\*\*.*?\*\//gs;
/** `@throws` itself, `never throws` and what somebody else throws are no such prose. */
const REFUSAL_IN_PROSE =
  /(?<!@)\bThrows\b|(?<!@)\bthrows (?:an? )?(?:\{@link )?(?:\w+(?:Error|Refusal)|[A-Z_]{4,})\b/;

const root = join(import.meta.dirname, "..");
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts"], {
  cwd: root,
  encoding: "utf8",
});
const files = listed
  .split("\n")
  .filter((path) => path !== "" && !path.startsWith("lint/") && !path.endsWith(".test.ts"))
  // The names of the document and of what is there to be copied are for who stands outside.
  .filter((path) => path !== "sdk/src/contract.ts" && !path.startsWith("sdk/recipes/"))
  .filter((path) => existsSync(join(root, path)))
  .map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }));

const places = new Map<string, Set<string>>();
for (const { path, source } of files) {
  for (const [, name = ""] of source.matchAll(EXPORTED)) {
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
    .map(([text]) => `${path} tells a refusal in prose, not by @throws: ${text}`),
);
const unmerged = findMergeMarks(root).map((line) => `${line}: left by a merge`);
const faults = [...twofold, ...idle, ...found, ...unmerged];
process.stdout.write(
  faults.map((fault) => `${fault}\n`).join("") ||
    `${places.size} exported names mean one thing each, no refusal is told in prose, and no merge is left unfinished\n`,
);
if (faults.length > 0) process.exitCode = 1;
