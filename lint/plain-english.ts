/**
 * The plain-English rule of CONTRIBUTING.md, as far as a program can check it. It covers sentences of documents, comments,
 * docstrings, test titles and texts that users read.
 */

const MAX_WORDS = 25;

const BANNED: readonly RegExp[] = [
  /\b(?:whoever|whomever|somebody|nobody)\b/i,
  /(?:^|[.;:(]\s+|\b(?:and|or|but|that|if|when|where|by|to|of|for|from|with|than|as)\s+)who\b/i,
  /\b(?:is|are|was|were|be|being|been)\s+told\b|\btold\s+of\b|\btells?\s+of\b/i,
];

/** A sentence of a docstring names its subject. */
const RIDDLE = /^What\b/;

type Kind = "comment" | "docstring" | "title" | "text" | "prose";
type Passage = { readonly kind: Kind; readonly line: number; readonly text: string };

/** A string that a user may read has at least three words; shorter ones are names and keys. */
const MIN_WORDS_OF_TEXT = 3;

/** A string, a template, a block comment, or a run of line comments. */
const TOKEN =
  /"((?:\\.|[^"\\\n])*)"|'(?:\\.|[^'\\\n])*'|`((?:\\.|[^`\\])*)`|\/\*(\*?)([\s\S]*?)\*\/|((?:\/\/[^\n]*\n\s*)+)/g;
const TITLE = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*\)|\([\s\S]*?\]\s*,?\s*\))?\(\s*$/;
/** SQL, markup, patterns and imports are no sentences. */
const NOT_PROSE = /^\s*(?:select|insert|update|delete|create|with|alter|grant)\b|[<>{}]|=>|^\.{0,2}\/|\\d/i;

/** The faults in a file of this path, each with its line. */
export function findUnplain(path: string, source: string): string[] {
  const passages = path.endsWith(".md") ? passagesOfMarkdown(source) : passagesOfCode(source);
  return passages.flatMap((passage) => faultsOf(passage).map((fault) => `${path}:${passage.line}: ${fault}`));
}

function faultsOf({ kind, text }: Passage): string[] {
  return sentencesOf(text).flatMap((sentence) => {
    const found = BANNED.flatMap((pattern) => pattern.exec(sentence)?.[0].trim() ?? []);
    const words = sentence.split(/\s+/).filter((word) => /[a-z0-9]/i.test(word)).length;
    if (kind === "docstring" && RIDDLE.test(sentence)) found.push("What");
    const isLong = words > MAX_WORDS && kind !== "comment" && kind !== "title";
    return [
      ...found.map((word) => `"${word}" in: ${sentence}`),
      ...(isLong ? [`${words} words: ${sentence}`] : []),
    ];
  });
}

/** Code between backticks counts as one word, and a link as its text. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/`[^`]*`/g, "`code`")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\{@link ([^}]*)\}/g, "$1")
    .split(/(?<=[.?!][")*]*)\s+(?=[\p{Lu}`"(*0-9[])|;\s|\s→\s|\s@(?:throws|param|returns)\b/u)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "");
}

/** Paragraphs, items of lists, headings and cells of tables; not the blocks of code. */
function passagesOfMarkdown(source: string): Passage[] {
  const passages: Passage[] = [];
  let paragraph: { line: number; lines: string[] } | undefined;
  let isCode = false;
  const add = (line: number, text: string) => passages.push({ kind: "prose", line, text });
  const end = (): void => {
    if (paragraph !== undefined) add(paragraph.line, paragraph.lines.join(" "));
    paragraph = undefined;
  };
  for (const [index, line] of `${source}\n`.split("\n").entries()) {
    const number = index + 1;
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || line.trim() === "" || /^\s*(?:#|\||[-*] |\d+\. )/.test(line)) end();
    if (isFence || isCode || line.trim() === "") continue;
    if (/^\s*\|/.test(line)) {
      for (const cell of line.replace(/`[^`]*`/g, "`code`").split("|")) add(number, cell);
    } else if (/^#/.test(line)) add(number, line.replace(/^#+ /, ""));
    else {
      paragraph ??= { line: number, lines: [] };
      paragraph.lines.push(line.replace(/^\s*(?:[-*]|\d+\.) (?:\[ \] )?/, ""));
    }
  }
  end();
  return passages;
}

function passagesOfCode(source: string): Passage[] {
  return [...source.matchAll(TOKEN)].flatMap((match): Passage[] => {
    const [, string, template, star, block, run] = match;
    const line = source.slice(0, match.index).split("\n").length;
    const comment = block ?? run;
    if (comment !== undefined) {
      const kind = star === "*" ? "docstring" : "comment";
      const bare = comment.replace(/^\s*(?:\*|\/\/) ?/gm, "");
      return bare.split(/\n\s*\n/).map((text) => ({ kind, line, text: text.replace(/^- /gm, "; ") }));
    }
    const text = (string ?? template ?? "").replace(/\$\{[^}]*\}/g, "`x`").replace(/\\n/g, "\n");
    if (text.split(/\s+/).length < MIN_WORDS_OF_TEXT || NOT_PROSE.test(text)) return [];
    const isTitle = TITLE.test(source.slice(Math.max(0, match.index - 2_000), match.index));
    return text.split("\n").map((part) => ({ kind: isTitle ? "title" : "text", line, text: part }));
  });
}
