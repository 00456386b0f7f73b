import type { NetworkName } from "../chain/networks.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import { findPin } from "./store.ts";

type ReadinessContext = Pick<
  ContextOf<{ readonly chain: { readonly network: NetworkName } }>,
  "db" | "config"
>;

/** Whether it is known who may sign blocks, without which nothing is final. */
export function witnessCheck({ db, config }: ReadinessContext): ReadinessCheck {
  return {
    name: "witnesses",
    check: async () => {
      const pin = await findPin(db, config.chain.network);
      if (pin !== undefined)
        return { ok: true, detail: `${pin.active} active, pinned as ${pin.fingerprint}` };
      return {
        ok: false,
        detail:
          "not known: nothing is confirmed until every node has said who they are (listwitnesses, getaccount); " +
          "`daric witnesses pin` asks them and shows what they say",
      };
    },
  };
}
