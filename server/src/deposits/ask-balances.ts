import type { TronNode } from "../chain/chain-reader.ts";
import { inTime } from "./ask-in-time.ts";
import type { WatcherContext } from "./context.ts";
import type { Purse } from "./movement-store.ts";
import type { Scanner } from "./scanner.ts";

/** Asked side by side: hosted nodes count the calls of a second. */
const ASKED_AT_ONCE = 5;
/** After this long no more purses are asked about in this step. */
const ENOUGH_MS = 2_000;

/** Balances of the first purses, each as of a solid block from `from` to `to`; most often these are one. */
export type SolidBalances = { readonly from: number; readonly to: number; readonly units: readonly bigint[] };

/** What one node says of as many purses as it came to in time; undefined when no node says anything. */
export function askBalances(
  { clock }: Pick<WatcherContext, "clock">,
  { client, network }: Pick<Scanner, "client" | "network">,
  purses: readonly Purse[],
): Promise<SolidBalances | undefined> {
  const startedMs = clock.monotonicMs();
  const hasTime = () => clock.monotonicMs() - startedMs < ENOUGH_MS;
  const asking = client.ask(async (node: TronNode): Promise<SolidBalances> => {
    const before = await node.getSolidBlock();
    const units: bigint[] = [];
    while (units.length < purses.length && (units.length === 0 || hasTime())) {
      const some = purses.slice(units.length, units.length + ASKED_AT_ONCE);
      const tokenOf = ({ currency }: Purse) => (currency === "USDT" ? network.usdtContract : undefined);
      units.push(
        ...(await Promise.all(some.map((purse) => node.getSolidBalance(purse.address, tokenOf(purse))))),
      );
    }
    const after = await node.getSolidBlock();
    const heights = [before.number, after.number];
    return { from: Math.min(...heights), to: Math.max(...heights), units };
  });
  return inTime(asking);
}
