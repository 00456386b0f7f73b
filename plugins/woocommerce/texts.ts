import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GetTextTranslation, type GetTextTranslations, po } from "gettext-parser";
import { Engine } from "php-parser";

/**
 * `npx tsx plugins/woocommerce/texts.ts`: writes `languages/daric.pot` from the sources, and brings each `.po` up to it. A new text is there without words.
 */
export const LANGUAGES = join(import.meta.dirname, "languages");
const DOMAIN = "daric";
const FUNCTIONS = new Set(["__", "_e", "esc_html__", "esc_html_e", "esc_attr__", "esc_attr_e"]);
const HEADERS = {
  "MIME-Version": "1.0",
  "Content-Type": "text/plain; charset=UTF-8",
  "Content-Transfer-Encoding": "8bit",
  "X-Domain": DOMAIN,
};

/** A text of the plugin, and the note for its translator. */
type Text = { readonly text: string; readonly note: string; readonly domain: string | undefined };

const engine = new Engine({ parser: { version: "7.4", extractDoc: true }, ast: { withPositions: true } });

/** Every text that PHP sources of the plugin translate, in the order of files and lines. */
export function textsOfPlugin(): Text[] {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "--", "*.php", ":(exclude)tests"];
  const paths = execFileSync("git", list, { cwd: import.meta.dirname, encoding: "utf8" }).split("\n");
  return paths
    .filter((path) => path !== "")
    .toSorted()
    .flatMap((path) => textsOfPhp(readFileSync(join(import.meta.dirname, path), "utf8")));
}

/** The texts of one source. A note is the comment `translators:` in one of the two lines above a text with holes. */
export function textsOfPhp(source: string): Text[] {
  const found: Text[] = [];
  const program = engine.parseCode(source, "source.php");
  const notes = new Map<number, string>();
  for (const comment of program.comments ?? []) {
    const [, note] = /translators:\s*(.*?)\s*(?:\*\/)?$/s.exec(comment.value) ?? [];
    if (note !== undefined && comment.loc) notes.set(comment.loc.end.line, note);
  }
  visit(program, (call) => {
    const [text, domain] = call.arguments;
    if (text?.kind !== "string") return;
    const line = call.loc.start.line;
    const isNoted = /[%{]/.test(text.value);
    const note = (isNoted && (notes.get(line - 1) ?? notes.get(line - 2) ?? notes.get(line))) || "";
    found.push({ text: text.value, note, domain: domain?.value });
  });
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: the fields of a node depend on its kind
type AnyNode = Record<string, any>;

function visit(value: unknown, onCall: (call: AnyNode) => void): void {
  if (typeof value !== "object" || value === null) return;
  const node = value as AnyNode;
  if (node.kind === "call" && FUNCTIONS.has(node.what?.name)) onCall(node);
  for (const [name, field] of Object.entries(node))
    if (!["loc", "leadingComments", "trailingComments", "comments"].includes(name)) visit(field, onCall);
}

/** The template of all translations. */
export function template(): string {
  const entries = new Map<string, GetTextTranslation>();
  for (const { text, note } of textsOfPlugin()) {
    const known = entries.get(text)?.comments?.extracted ?? "";
    const comments = { extracted: known || note, ...(/%[\d$]*[sd]/.test(text) && { flag: "php-format" }) };
    entries.set(text, { msgid: text, msgstr: [""], comments });
  }
  return compiled({ charset: "utf-8", headers: HEADERS, translations: { "": Object.fromEntries(entries) } });
}

/** A translation with exactly the texts of a template. */
export function merged(translation: string, by: string): string {
  const old = po.parse(translation);
  const { translations } = po.parse(by);
  const entries = Object.values(translations[""] ?? {})
    .filter(({ msgid }) => msgid !== "")
    .map((entry) => [entry.msgid, { ...entry, msgstr: old.translations[""]?.[entry.msgid]?.msgstr ?? [""] }]);
  return compiled({
    charset: "utf-8",
    headers: old.headers,
    translations: { "": Object.fromEntries(entries) },
  });
}

function compiled(file: GetTextTranslations): string {
  return `${po.compile(file, { foldLength: 0 }).toString("utf8").trimEnd()}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const current = template();
  await writeFile(join(LANGUAGES, `${DOMAIN}.pot`), current);
  for (const name of (await readdir(LANGUAGES)).filter((file) => file.endsWith(".po"))) {
    const file = join(LANGUAGES, name);
    await writeFile(file, merged(await readFile(file, "utf8"), current));
  }
}
