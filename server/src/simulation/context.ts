import type { ContextOf } from "../runtime/context.ts";

/** What plays a test case is handed. */
export type ApiContext = ContextOf<{
  /** the first of them is the devnet's own chain */
  readonly chain: { readonly nodeUrls: readonly string[] };
}>;

/** What plays a test case for whoever has a checkout token is handed. */
export type PayerContext = ApiContext & {
  /** the key of the check in every checkout token */
  readonly checkoutKey: Buffer;
};
