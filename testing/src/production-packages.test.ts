import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

type Manifest = {
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
};

const OURS = "@daric/";
const root = join(import.meta.dirname, "../..");

function manifest(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
}

const dependenciesOf = (workspace: string): string[] => Object.keys(manifest(workspace).dependencies ?? {});

/** The packages of others that a workspace declares, and those of ours that it needs. */
function packagesOf(workspace: string): string[] {
  return dependenciesOf(workspace).flatMap((name) =>
    name.startsWith(OURS) ? packagesOf(name.slice(OURS.length)) : [name],
  );
}

// npm installs what any workspace has as a dependency, whoever runs it.
it("an install without dev dependencies brings no package that the service does not use", () => {
  const used = new Set(packagesOf("server"));
  const idle = (manifest("").workspaces ?? []).flatMap((workspace) =>
    dependenciesOf(workspace)
      .filter((name) => !name.startsWith(OURS) && !used.has(name))
      .map((name) => `${workspace}: ${name}`),
  );
  expect(idle).toEqual([]);
});
