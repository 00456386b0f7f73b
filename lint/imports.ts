import { WIRE } from "./import-rules.ts";
import { type Room, rooms, workspaceOf } from "./rooms.ts";

/** Prints the import matrix: a Markdown table of `lint/rooms.ts`. */
function row([name, { may, speaksHttp, why }]: [string, Room]): string {
  const own = (other: string) => workspaceOf(other) === workspaceOf(name);
  const here = may.filter(own).map((other) => other.slice(workspaceOf(name).length + 1));
  const http = speaksHttp ? [`http (${WIRE.join(", ")})`] : [];
  const there = may.filter((other) => !own(other));
  return `| \`${name}\` | ${cell([...here, ...http])} | ${cell(there)} | ${why} |`;
}

function cell(names: readonly string[]): string {
  return names.length === 0 ? "–" : names.join(", ");
}

process.stdout.write(`| Folder | imports of its workspace | of others | reason |
|---|---|---|---|
${Object.entries(rooms).map(row).join("\n")}
`);
