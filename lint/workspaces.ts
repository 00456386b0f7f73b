import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const manifestIn = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/** The folders of all workspaces. */
export const workspaces: readonly string[] = manifestIn("").workspaces;

/** The folder of each workspace, by the name of its package. */
export const workspaceFolders: ReadonlyMap<string, string> = new Map(
  workspaces.map((folder) => [manifestIn(folder).name, folder]),
);

/** The workspace of a path; undefined for a file outside of them. */
export function workspaceOf(path: string): string | undefined {
  return workspaces.find((folder) => path.startsWith(`${folder}/`));
}
