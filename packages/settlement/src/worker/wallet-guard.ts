import { fetchAccount } from "@daric/chain/nodes/fetch-account";
import { digestPermissions } from "@daric/chain/nodes/wallet-permissions";
import type { SettlementContext, WalletGuard } from "../context.ts";
import { querySettled } from "../solid-reach.ts";
import { sweepReport } from "../sweeps/report-sweeps.ts";
import { findConfirmedKeys, isListed, type SweptTo, walletKey } from "../wallet-store.ts";

/** Keeps the paused wallets in memory: a new process finds them again with its first plan. */
export function createWalletGuard(context: SettlementContext): WalletGuard {
  const paused = new Map<string, SweptTo>();
  return {
    paused: () => [...paused.values()],
    pause: (sweeps) => {
      for (const { merchantId, recipient, destination } of sweeps) {
        const key = walletKey({ merchantId, recipient, destination });
        if (paused.has(key)) continue;
        paused.set(key, { merchantId, recipient, destination });
        sweepReport.walletChanged(context, { merchant_id: merchantId, recipient, address: destination });
      }
    },
    recheck: async (settling) => {
      for (const [key, sweep] of paused) {
        const { destination } = sweep;
        const confirmed = await findConfirmedKeys(context.db, sweep);
        const answers = await querySettled(context, settling, (node) => fetchAccount(node, destination));
        const isConfirmed = answers.agree(({ permissions }) =>
          confirmed.every((digest) => digest === digestPermissions(destination, permissions)),
        );
        if (isConfirmed || !(await isListed(context.db, sweep))) paused.delete(key);
      }
    },
  };
}
