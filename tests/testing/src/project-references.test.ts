import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workspaceFolders, workspaces } from "../../../lint/workspaces.ts";

const root = join(import.meta.dirname, "../../..");
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

it("a workspace's project references are its dependencies on ours", () => {
  // Scripts of browsers are served, and not compiled against.
  const isServed = (folder: string) => folder.startsWith("web/");
  const wrong = workspaces.filter((workspace) => {
    if (isServed(workspace) || !existsSync(join(root, workspace, "tsconfig.json"))) return false;
    const { references = [] }: { references?: { path: string }[] } = readJson(`${workspace}/tsconfig.json`);
    const { dependencies = {}, devDependencies = {} } = readJson(`${workspace}/package.json`);
    const declared = Object.keys(workspace.startsWith("tests/") ? devDependencies : dependencies);
    const ours = declared.flatMap((name) => workspaceFolders.get(name) ?? []);
    const named = references.map((reference) => join(workspace, reference.path));
    return (
      ours
        .filter((folder) => !isServed(folder))
        .sort()
        .join() !== named.sort().join()
    );
  });
  expect(wrong).toEqual([]);
});
