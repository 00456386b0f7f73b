import type { Page } from "playwright-core";

type Value = { readonly value?: unknown };
type Node = {
  readonly nodeId: string;
  readonly parentId?: string;
  readonly ignored: boolean;
  readonly role?: Value;
  readonly name?: Value;
  readonly description?: Value;
  readonly properties?: readonly { readonly name: string; readonly value: Value }[];
  readonly childIds?: readonly string[];
};

/** Roles of boxes and lines, which no reader names. */
const SILENT = /^(generic|none|InlineTextBox|LineBreak|LabelText|ListMarker|emphasis|strong)$/;
/** The states that a reader says. */
const STATES = /^(checked|expanded|pressed|selected|invalid|required|disabled|level|modal|live|hasPopup)$/;
const MEANINGLESS = /^(false|none|off)?$/;

/** The browser's own accessibility tree of a page, a line for each node: its role, its name and its states. */
export async function treeOf(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = (await devtools.send("Accessibility.getFullAXTree")) as { nodes: Node[] };
  await devtools.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const write = (node: Node, depth: number, around: string): void => {
    const role = textOf(node.role);
    const name = textOf(node.name);
    const isRepeated = role === "StaticText" && around.includes(name);
    const isWritten = !node.ignored && !SILENT.test(role) && !isRepeated;
    if (isWritten) lines.push(`${"  ".repeat(depth)}${lineOf(node, role, name)}`);
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      if (child) write(child, isWritten ? depth + 1 : depth, isWritten ? name : around);
    }
  };
  const [root] = nodes;
  if (root) write(root, 0, "");
  return `${withoutChance(joined(lines).join("\n"))}\n`;
}

const TEXT = /^( *)text "(.*)"$/;

/** Texts in a row are one: spans inside a sentence part it for the browser, and not for a reader. */
function joined(lines: readonly string[]): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const [[, indent = "", text = ""], [, before, start]] = [
      TEXT.exec(line) ?? [],
      TEXT.exec(whole.at(-1) ?? "") ?? [],
    ];
    if (text !== "" && before === indent) whole[whole.length - 1] = `${indent}text "${start} ${text}"`;
    else whole.push(line);
  }
  return whole;
}

function textOf(value: Value | undefined): string {
  return String(value?.value ?? "")
    .replace(/\s+/g, " ")
    .trim();
}

function lineOf({ description, properties = [] }: Node, role: string, name: string): string {
  const states = properties
    .filter((property) => STATES.test(property.name) && !MEANINGLESS.test(textOf(property.value)))
    .map((property) => `${property.name}=${textOf(property.value)}`);
  const said = textOf(description);
  return [
    role === "StaticText" ? "text" : role,
    name && JSON.stringify(name),
    said && said !== name && `description=${JSON.stringify(said)}`,
    ...states,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Replaces what differs from run to run: addresses, ids, times and the port. */
function withoutChance(tree: string): string {
  return tree
    .replace(/localhost:\d+/g, "localhost")
    .replace(/\/([clr])\/[\w-]{40}/g, "/$1/<token>")
    .replace(/…\w{6}"/g, '…<end>"')
    .replace(/\bT\w{23}…/g, "<address>…")
    .replace(/\bT\w{3}(?: \w{4}){7} \w{2}\b/g, "<address in groups>")
    .replace(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, "<address>")
    .replace(/\b[0-9a-f]{6,}(?:[-…][0-9a-f]+)*\b|\b[0-9a-f]{8}-[-0-9a-f]{27}\b/g, "<id>")
    .replace(/\b[A-Z][a-z]{2,8} \d{1,2}, 20\d\d(?:,| at) [\d:]+(?: [AP]M)?(?: UTC)?/g, "<time>")
    .replace(/ in \d+ s\./g, " in <seconds> s.")
    .replace(/\b\d+:\d\d(?::\d\d)?\b/g, "<time>")
    .replace(/\b\d+ (?:seconds?|minutes?) ago\b/g, "<time>");
}
