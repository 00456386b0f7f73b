import { bookSettings } from "@daric/books/papers/settings";
import { ConfigError } from "@daric/runtime/setting";
import type { Config } from "./config.ts";
import { hasRole } from "./context.ts";

/** Why the operator's font of papers cannot be used, as a sentence; undefined without one. It loads the reader of fonts only then. */
export async function findFontFault(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const { faultOfFont } = await import("@daric/books/papers/fonts");
  const fault = faultOfFont(path);
  return fault && `${bookSettings.fontFile.env} ${fault}`;
}

/** @throws ConfigError when a process with the API cannot use the operator's font. */
export async function requireFont(config: Config): Promise<void> {
  const context = { config };
  if (!hasRole(context, "api")) return;
  const fault = await findFontFault(context.config.books.fontFile);
  if (fault !== undefined) throw new ConfigError(fault);
}
