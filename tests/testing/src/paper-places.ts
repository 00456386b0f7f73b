import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** A place in the repository, and a name in it. */
export type PaperPlace = { readonly path: string; readonly name?: string };

/** The text of a file of the repository. */
export function paperText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The places of a cell of a table: paths, and the names in them. Words in code before the first path are settings. */
export function placesIn(cell: string): PaperPlace[] {
  const places: PaperPlace[] = [];
  for (const [, code = ""] of cell.matchAll(/`([^`]+)`/g)) {
    const path = places.at(-1)?.path;
    if (isPath(code)) places.push({ path: code });
    else if (path !== undefined) places.push({ path, name: code });
  }
  return places;
}

function isPath(code: string): boolean {
  return /^[\w./@-]+$/.test(code) && (/[./]/.test(code) || code === "Dockerfile");
}

/** The places whose file is absent, or lacks the name. */
export function untruePlaces(places: readonly PaperPlace[]): PaperPlace[] {
  return places.filter((place) => !existsSync(join(root, place.path)) || !holds(place));
}

/** Whether the file declares the name, has a test or a heading of this title, or in other files the text itself. */
function holds({ path, name }: PaperPlace): boolean {
  if (name === undefined) return true;
  const text = paperText(path);
  if (path.endsWith(".md"))
    return text.split("\n").some((line) => line.replace(/^#{2,} /, "## ") === `## ${name}`);
  if (!/\.tsx?$/.test(path)) return text.includes(name);
  const declared = ["function ", "function* ", "const ", "class ", "type "].some((kind) =>
    [..."(<:= "].some((end) => text.includes(`${kind}${name}${end}`)),
  );
  return declared || ['"', "`"].some((quote) => text.includes(`${quote}${name}${quote}`));
}
