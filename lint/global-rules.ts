import { workspaceOf } from "./rooms.ts";

/**
 * The parts below and above the features; every other folder of the server is a feature of its name. The dashboard stands above, as the
 * command line does.
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

/** Laws over the table: no row may allow an import that they forbid. */
export const globalRules: readonly { forbids: (room: string, import_: string) => boolean; why: string }[] = [
  { forbids: (room) => room === "server/domain", why: "domain imports nothing but itself" },
  ...["tron", "postgres", "sdk"].map((own) => ({
    forbids: (room: string, other: string) => workspaceOf(room) === own && workspaceOf(other) !== own,
    why: `${own} imports nothing of ours`,
  })),
  {
    forbids: (_, other) => ["testing", "e2e", "bench"].includes(workspaceOf(other)),
    why: "what ships imports nothing that is made for tests",
  },
  {
    forbids: (room, other) =>
      workspaceOf(room) === "server" && ["devchain", "demo", "checkout"].includes(workspaceOf(other)),
    why: "the service runs without a chain of ours, and hands the payer's scripts on unread",
  },
  {
    forbids: (room, other) => workspaceOf(room) === "server" && other.startsWith("postgres/embedded"),
    why: "the service never opens the launcher",
  },
  {
    forbids: (room, other) => workspaceOf(room) !== "signer" && other.startsWith("tron/keys"),
    why: "the signer alone loads private keys",
  },
  {
    forbids: (room, other) =>
      workspaceOf(room) === "signer" && !["signer", "tron", "postgres"].includes(workspaceOf(other)),
    why: "the signer stands on tron and postgres alone",
  },
  {
    forbids: (room, other) => workspaceOf(room) !== "signer" && workspaceOf(other) === "signer",
    why: "no other program loads the signer",
  },
  {
    forbids: (room, other) => workspaceOf(room) === "checkout" && workspaceOf(other) === "server",
    why: "the payer's browser knows no server",
  },
  {
    forbids: (room, other) => !ASSEMBLY.includes(room) && /^server\/(process\b.*|[^/]+\.ts)$/.test(other),
    why: "what a process is put together from is above every room: a room says itself what it needs",
  },
  {
    forbids: (room, other) => featureOf(room) !== undefined && other.startsWith("server/http"),
    why: "a feature speaks HTTP in routes.ts and schema.ts only",
  },
  {
    forbids: (room, other) => {
      const [own, theirs] = [featureOf(room), featureOf(other)];
      return own !== undefined && theirs !== undefined && own !== theirs && !isPublicFile(other);
    },
    why: "features meet through listed files, never in each other's store",
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
