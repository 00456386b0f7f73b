import { readFile } from "node:fs/promises";

/** A fenced block of a guide: what its first line says after the fence, and what stands in it. */
export type DocBlock = {
  readonly language: string;
  /** `file=receiver.mjs`, `output`, `printed`, `request=<operationId>`, `event=<name>`, `no-run` */
  readonly purpose: string;
  readonly code: string;
  /** where it stands: `start.md:12` */
  readonly place: string;
};

const DOCS = new URL("../docs/", import.meta.url);
const FENCED = /^( *)```(\w*) *([^\n]*)\n(.*?)^\1```$/gms;

/** The blocks of a guide in its order, without the indentation of the list that they stand in. */
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

/** What a block says after a name: `receiver.mjs` of `file=receiver.mjs`. */
export function purposeOf({ purpose }: DocBlock, name: string): string | undefined {
  return purpose.startsWith(`${name}=`) ? purpose.slice(name.length + 1) : undefined;
}

/**
 * What of a shown value is not so in the real one: `…` stands for any text, keys that are not shown may be there, and of a
 * list its beginning is shown.
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

/** A text with `…` for anything. */
export function patternOf(shown: string): RegExp {
  const parts = shown.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*?")}$`, "s");
}
