import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Copies the built `@daric/tron` into this package, where `npm pack` finds bundled dependencies: the tarball installs in
 * any folder. `--remove` takes the copy out again, because it hides the workspace.
 */
const HERE = join(import.meta.dirname, "..");
const COPY = join(HERE, "node_modules/@daric/tron");
const TRON = join(HERE, "../../packages/tron");

rmSync(join(HERE, "node_modules/@daric"), { recursive: true, force: true });
if (!process.argv.includes("--remove")) {
  cpSync(join(TRON, "package.json"), join(COPY, "package.json"));
  cpSync(join(TRON, "dist"), join(COPY, "dist"), { recursive: true });
}
