import type { ContextOf } from "@daric/runtime/context";

export type ApiContext = ContextOf<{
  /** the first node is the devnet's own chain */
  readonly chain: { readonly nodeUrls: readonly string[] };
}>;

/** The context of the test panel, for the holder of a checkout token. */
export type PayerContext = ApiContext & {
  /** the key of the checksum in every checkout token */
  readonly checkoutKey: Buffer;
};
