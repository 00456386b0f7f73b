import { posix } from "node:path";
import { readImports } from "./read-imports.ts";
import { rooms } from "./rooms.ts";
import { workspaceFolders, workspaceOf } from "./workspaces.ts";

/** Packages that belong to no feature. */
const SHARED = "domain|runtime|http|egress|chain|addresses|totals|messages";

/**
 * Rules beside the table. `broken` matches a forbidden import, as `importing file → imported file or package`. A workspace
 * imports only those that its package.json declares, as the linter sees to, and only their doors, as the compiler sees to.
 */
export const fences: readonly { readonly why: string; readonly broken: RegExp }[] = [
  {
    why: "only the signer loads private keys",
    broken: /^(?!apps\/signer|packages\/tron).* → packages\/tron\/src\/keys\//,
  },
  {
    why: "only the command line and the signer read a seed",
    broken: /^(?!apps\/signer|packages\/tron|apps\/daric\/src\/cli\/).* → packages\/tron\/src\/seed$/,
  },
  { why: "no other program loads the signer", broken: /^(?!apps\/signer).* → apps\/signer\// },
  {
    why: "beside the seed runs no package but @noble",
    broken: /^apps\/signer\/.* → (?!apps\/signer\/|packages\/tron\/|packages\/postgres\/|node:|@noble\/)/,
  },
  {
    why: "the service never starts PostgreSQL",
    broken: /^(?:packages\/(?!postgres\/)|apps\/daric\/).* → packages\/postgres\/src\/embedded/,
  },
  {
    why: "the service serves the scripts of browsers without importing them",
    broken: /^(?:packages|apps\/daric)\/.* → web\//,
  },
  {
    why: "tron only reads and writes bytes",
    broken: /^packages\/tron\/.* → (?!packages\/tron\/|node:crypto$|@noble\/|@scure\/)/,
  },
  {
    why: "the domain is pure, and texts are only read from their files",
    broken:
      /^packages\/(?:domain\/.* → (?!packages\/domain\/)|hosted-checkout\/src\/messages\/.* → (?!packages\/|node:fs$))/,
  },
  {
    why: "the chain knows no merchant, and a webhook no deposit",
    broken:
      /^packages\/(?:chain\/.* → packages\/(?!chain|domain|egress|runtime|tron)|webhooks\/.* → packages\/(?:charges|deposits)\/)/,
  },
  {
    why: "the MCP server has no way into the service but the SDK",
    broken:
      /^clients\/mcp\/.* → (?!clients\/(?:mcp\/|typescript\/src(?:\/contract)?$)|@modelcontextprotocol\/sdk\/|zod$|node:util$)/,
  },
  { why: "sdk depends on nothing", broken: /^clients\/typescript\/.* → (?!clients\/typescript\/)/ },
  {
    why: "the payer's scripts use types of the contract alone",
    broken: /^web\/checkout\/.* → (?!web\/checkout\/|clients\/typescript\/src\/contract$)/,
  },
  {
    why: "the pages use of the service only how amounts are typed, transfers are written, texts are read and colours compared",
    broken:
      /^web\/dashboard\/.* → (?:apps|packages)\/(?!(?:domain\/src\/(?:fiat|payment-uri|typed-amount)|runtime\/src\/(?:colour|texts))$)/,
  },
  {
    why: "demo starts the command line, and imports nothing else of the service",
    broken: /^apps\/demo\/.* → (?:apps\/daric\/src\/(?!cli$)|packages\/(?!postgres\/))/,
  },
  {
    why: "a feature uses HTTP in routes.ts and schema.ts only",
    broken:
      /^(?:packages\/(?!http\/)|apps\/daric\/src\/(?!process\/|docs\/|cli\/))\S+\/(?!routes\.ts|schema\.ts)[\w-]+\.ts → packages\/http\//,
  },
  {
    why: "a feature reads the tables of others itself, and imports no store of theirs but of refunds, which move with their charge; books, as the dashboard, show what others list",
    broken: new RegExp(
      `^(?:packages/(?!(?:${SHARED})/|books/|console/src/dashboard/)([\\w-]+)/|apps/daric/src/(?!process/|deployment/|docs/|cli/)[\\w-]+/)` +
        `.* → packages/(?!(?:${SHARED}|refunds|deposits/src/lookup|\\1)/)[\\w-]+/.*store(?:\\.ts)?$`,
    ),
  },
];

/** The faults of a source file's imports, each with its line. */
export function faultsOfImports(path: string, source: string): string[] {
  const [workspace, folder] = placeOf(path);
  const open = openTo(workspace, folder);
  if (open === undefined) return [`${path}: its folder is missing in lint/rooms.ts`];
  return readImports(path, source).flatMap(({ from, line }) => {
    const target = targetOf(path, from);
    const isOwn = target.startsWith(`${workspace}/src/`);
    const [, room] = placeOf(target);
    const faults = fences.flatMap(({ why, broken }) => (broken.test(`${path} → ${target}`) ? why : []));
    if (isOwn !== from.startsWith(".")) faults.push("a path leads to the same workspace, a name to another");
    if (isOwn && room !== folder && !open.includes(room))
      faults.push(`lint/rooms.ts does not open ${room} to ${folder}`);
    return faults.map((fault) => `${path}:${line}: imports ${from}: ${fault}`);
  });
}

/** Rows of the table without a folder, and rows that open a folder that is not above them. */
export function faultsOfTable(paths: readonly string[], table = rooms): string[] {
  const folders = new Set(paths.map((path) => placeOf(path).join(" ")));
  return Object.entries(table).flatMap(([workspace, rows]) =>
    Object.entries(rows).flatMap(([folder, names], index) => [
      ...(folders.has(`${workspace} ${folder}`)
        ? []
        : [`lint/rooms.ts: ${workspace} has no folder ${folder}`]),
      ...wordsOf(names)
        .filter((name) => name !== "*" && !Object.keys(rows).slice(0, index).includes(name))
        .map((name) => `lint/rooms.ts: ${workspace} lists no ${name} above ${folder}`),
    ]),
  );
}

/** The folders that a folder of a workspace imports; undefined for one that is not listed. A workspace of one folder has no rows. */
function openTo(workspace: string, folder: string): readonly string[] | undefined {
  const rows = rooms[workspace];
  if (rows === undefined) return folder === "." ? [] : undefined;
  const listed = Object.keys(rows);
  return rows[folder] === "*" ? listed.slice(0, listed.indexOf(folder)) : rows[folder]?.split(" ");
}

/** The workspace of a path, and the folder of its sources. */
function placeOf(path: string): [workspace: string, folder: string] {
  const workspace = workspaceOf(path) ?? "";
  return [workspace, posix.relative(`${workspace}/src`, posix.dirname(path)) || "."];
}

/** An imported file by its path, whether it was imported by path or by the name of its workspace; a package by its name. */
function targetOf(path: string, from: string): string {
  if (from.startsWith(".")) return posix.join(posix.dirname(path), from);
  return from.replace(/^@daric\/[^/]+/, (name) => `${workspaceFolders.get(name) ?? name}/src`);
}

function wordsOf(names: string): string[] {
  return names.split(" ").filter((name) => name !== "");
}
