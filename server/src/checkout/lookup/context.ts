import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import type { Network, NetworkName } from "../../chain/nodes/networks.ts";
import type { ContextOf } from "../../runtime/context.ts";

/** So much of a verified chain as a transaction is looked up on. */
export type LookupChain = {
  readonly client: { readonly nodes: readonly Pick<TronNode, "findRun">[] };
  readonly network: Pick<Network, "usdtContractHex">;
};

/** What a payer's transaction is looked up with. */
export type LookupContext = ContextOf<{ readonly chain: { readonly network: NetworkName } }> & {
  /** the chain, as soon as it is verified */
  readonly currentChain: () => LookupChain | undefined;
  /** of a payment */
  readonly requiredConfirmations: number;
};
