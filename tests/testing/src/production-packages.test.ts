import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

type Manifest = {
  readonly name: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
};

const OURS = "@daric/";
const root = join(import.meta.dirname, "../../..");

function manifest(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
}

/** The folder of each workspace, by the name of its package. */
const folders = new Map(
  (manifest("").workspaces ?? []).map((workspace) => [manifest(workspace).name, workspace]),
);

const dependenciesOf = (workspace: string): string[] => Object.keys(manifest(workspace).dependencies ?? {});

/** External packages of a workspace and of the project's workspaces that it depends on. */
function packagesOf(workspace: string): string[] {
  return dependenciesOf(workspace).flatMap((name) =>
    name.startsWith(OURS) ? packagesOf(folders.get(name) ?? name) : [name],
  );
}

// npm installs the dependencies of all workspaces.
it("an install without dev dependencies contains only packages of the service", () => {
  const used = new Set(packagesOf("apps/daric"));
  const idle = (manifest("").workspaces ?? []).flatMap((workspace) =>
    dependenciesOf(workspace)
      .filter((name) => !name.startsWith(OURS) && !used.has(name))
      .map((name) => `${workspace}: ${name}`),
  );
  expect(idle).toEqual([]);
});
