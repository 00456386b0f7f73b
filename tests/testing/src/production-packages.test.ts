import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workspaceFolders, workspaces } from "../../../lint/workspaces.ts";

const OURS = "@daric/";
const root = join(import.meta.dirname, "../../..");

function dependenciesOf(workspace: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
  return Object.keys(dependencies);
}

/** External packages of a workspace and of the project's workspaces that it depends on. */
function packagesOf(workspace: string): string[] {
  return dependenciesOf(workspace).flatMap((name) =>
    name.startsWith(OURS) ? packagesOf(workspaceFolders.get(name) ?? name) : [name],
  );
}

// npm installs the dependencies of all workspaces.
it("an install without dev dependencies contains only packages of the service and of the MCP server", () => {
  const used = new Set([...packagesOf("apps/daric"), ...packagesOf("clients/mcp")]);
  const idle = workspaces.flatMap((workspace) =>
    dependenciesOf(workspace)
      .filter((name) => !name.startsWith(OURS) && !used.has(name))
      .map((name) => `${workspace}: ${name}`),
  );
  expect(idle).toEqual([]);
});
