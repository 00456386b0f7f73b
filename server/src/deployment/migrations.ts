import { fileURLToPath } from "node:url";

/** The migrations of this package; the same folder from the sources and from the build. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL("../../migrations", import.meta.url));
