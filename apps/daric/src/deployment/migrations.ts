import { fileURLToPath } from "node:url";

export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL("../../migrations", import.meta.url));
