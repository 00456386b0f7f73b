import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { addressSettings } from "./settings.ts";

/** What takes indexes and derives addresses is handed. */
export type SourceContext = Pick<
  ContextOf<{ readonly addresses: ConfigOf<typeof addressSettings, "api"> }>,
  "config" | "db" | "log"
>;
