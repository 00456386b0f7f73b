import { workspaceOf } from "./rooms.ts";

/**
 * The folders of the server that are no features. Features use some of them; others use features, such as the
 * dashboard and the command line. Every other folder is a feature of its name.
 */
const SERVICE =
  /^server(\/(bin|dist|domain|totals|addresses|chain|egress|http|runtime|process|deployment|docs|cli|dashboard)\b.*|\/[^/]+\.ts)?$/;

/** The parts that assemble and start a process. */
const ASSEMBLY = ["server", "server/process", "server/cli"];

function featureOf(name: string): string | undefined {
  if (workspaceOf(name) !== "server" || SERVICE.test(name)) return undefined;
  return name.split("/")[1];
}

function isPublicFile(name: string): boolean {
  return name.endsWith(".ts") && !name.endsWith("store.ts");
}

/** Rules over the whole table: no row may allow an import that one of them forbids. */
export const globalRules: readonly { forbids: (room: string, import_: string) => boolean; why: string }[] = [
  { forbids: (room) => room === "server/domain", why: "domain imports only itself" },
  ...["tron", "postgres", "sdk"].map((own) => ({
    forbids: (room: string, other: string) => workspaceOf(room) === own && workspaceOf(other) !== own,
    why: `${own} imports no other workspace`,
  })),
  {
    forbids: (_, other) => ["testing", "e2e", "bench"].includes(workspaceOf(other)),
    why: "published programs import no test code",
  },
  {
    forbids: (room, other) =>
      workspaceOf(room) === "server" && ["devchain", "demo", "checkout"].includes(workspaceOf(other)),
    why: "the service needs neither devchain nor demo, and serves the payer's scripts without importing them",
  },
  {
    forbids: (room, other) => workspaceOf(room) === "server" && other.startsWith("postgres/embedded"),
    why: "the service never starts PostgreSQL",
  },
  {
    forbids: (room, other) => workspaceOf(room) !== "signer" && other.startsWith("tron/keys"),
    why: "only the signer loads private keys",
  },
  {
    forbids: (room, other) =>
      workspaceOf(room) === "signer" && !["signer", "tron", "postgres"].includes(workspaceOf(other)),
    why: "the signer depends on tron and postgres only",
  },
  {
    forbids: (room, other) => workspaceOf(room) !== "signer" && workspaceOf(other) === "signer",
    why: "no other program loads the signer",
  },
  {
    forbids: (room, other) => workspaceOf(room) === "checkout" && workspaceOf(other) === "server",
    why: "the scripts of the payer's browser import nothing from the server",
  },
  {
    forbids: (room, other) => !ASSEMBLY.includes(room) && /^server\/(process\b.*|[^/]+\.ts)$/.test(other),
    why: "only the assembly imports the parts that start a process: every other folder declares its own context",
  },
  {
    forbids: (room, other) => featureOf(room) !== undefined && other.startsWith("server/http"),
    why: "a feature uses HTTP in routes.ts and schema.ts only",
  },
  {
    forbids: (room, other) => {
      const [own, theirs] = [featureOf(room), featureOf(other)];
      return own !== undefined && theirs !== undefined && own !== theirs && !isPublicFile(other);
    },
    why: "features import listed files of each other, never a store",
  },
];

/** The most packages that a folder may import, whatever its row allows. */
export const packagesAtMost: Readonly<Record<string, readonly string[]>> = {
  tron: ["node:crypto", "@noble/**", "@scure/**"],
  "tron/keys": ["@scure/**"],
  signer: ["node:*", "node:*/**", "@noble/**"],
  "server/domain": [],
  "server/checkout/messages": [],
  sdk: [],
  checkout: [],
};
