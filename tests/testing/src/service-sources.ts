import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** A source file of the service, by its path in the repository. */
type SourceFile = { readonly path: string; readonly text: string };

/** Every TypeScript file below `packages/` and of `apps/daric` whose path fits. */
export function serviceSources(pattern: RegExp): SourceFile[] {
  const folders = [
    ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`),
    "apps/daric/src",
  ];
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => path.endsWith(".ts") && pattern.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
