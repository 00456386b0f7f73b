import type { ContextOf } from "../runtime/context.ts";

/** What plays a test case is handed. */
export type ApiContext = ContextOf<{
  /** the first of them is the devnet's own chain */
  readonly chain: { readonly nodeUrls: readonly string[] };
}>;
