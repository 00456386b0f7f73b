import { readFile } from "node:fs/promises";

/** A fenced block of a guide: the text after its fence, and its content. */
export type DocBlock = {
  readonly language: string;
  /** `file=receiver.mjs`, `output`, `printed`, `request=<operationId>`, `event=<name>`, `no-run` */
  readonly purpose: string;
  readonly code: string;
  /** its position: `start.md:12` */
  readonly place: string;
};

const DOCS = new URL("../../docs/", import.meta.url);
const FENCED = /^( *)```(\w*) *([^\n]*)\n(.*?)^\1```$/gms;

/** The blocks of a guide in order, without the indentation of a list. */
export async function readBlocks(guide: string): Promise<DocBlock[]> {
  const text = await readFile(new URL(`${guide}.md`, DOCS), "utf8");
  return [...text.matchAll(FENCED)].map(
    ({ index, 1: indent = "", 2: language = "", 3: purpose = "", 4: code = "" }) => ({
      language,
      purpose,
      code: code.replace(new RegExp(`^${indent}`, "gm"), ""),
      place: `${guide}.md:${text.slice(0, index).split("\n").length}`,
    }),
  );
}

/** The value of a name: `receiver.mjs` of `file=receiver.mjs`. */
export function purposeOf({ purpose }: DocBlock, name: string): string | undefined {
  return purpose.startsWith(`${name}=`) ? purpose.slice(name.length + 1) : undefined;
}

/**
 * The differences of the real value from the shown one. `…` matches any text, extra keys are allowed, and a
 * list may show only its beginning.
 */
export function differences(shown: unknown, real: unknown, path = "$"): string[] {
  if (typeof shown === "string" && shown.includes("…")) {
    return typeof real === "string" && patternOf(shown).test(real)
      ? []
      : [`${path} is ${JSON.stringify(real)}, not like ${shown}`];
  }
  if (typeof shown !== "object" || shown === null)
    return shown === real ? [] : [`${path} is ${JSON.stringify(real)}, not ${JSON.stringify(shown)}`];
  if (typeof real !== "object" || real === null) return [`${path} is ${JSON.stringify(real)}`];
  return Object.entries(shown).flatMap(([key, value]) =>
    differences(value, (real as Record<string, unknown>)[key], `${path}.${key}`),
  );
}

/** A pattern in which `…` matches anything. */
export function patternOf(shown: string): RegExp {
  const parts = shown.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*?")}$`, "s");
}
