import type { NetworkName } from "../chain/networks.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import { findSolidity } from "./find-solidity.ts";
import { findExtent, findPin } from "./store.ts";

type ReadinessContext = Pick<
  ContextOf<{ readonly chain: { readonly network: NetworkName } }>,
  "db" | "config"
>;

/** Some rotations: so long it takes to learn a new key, and to look for what is final where nothing waits. */
const MAX_UNPROVEN_BLOCKS = 100;

/** Whether it is known who may sign blocks, without which nothing is final. */
export function witnessCheck({ db, config }: ReadinessContext): ReadinessCheck {
  const { network } = config.chain;
  return {
    name: "witnesses",
    check: async () => {
      const pin = await findPin(db, network);
      if (pin === undefined)
        return {
          ok: false,
          detail:
            "the witnesses are not known yet: nothing is confirmed until every node has said who they are (listwitnesses, getaccount); " +
            "`daric witnesses pin` asks them and shows what they say",
        };
      const detail = `${pin.active} active, pinned as ${pin.fingerprint}`;
      const extent = await findExtent(db, network);
      if (extent === undefined) return { ok: true, detail };
      const { proven = 0, claimed = 0 } = await findSolidity(db, { network, head: extent.head });
      const solid = Math.max(proven, extent.solid);
      if (claimed - solid <= MAX_UNPROVEN_BLOCKS) return { ok: true, detail };
      return {
        ok: false,
        detail: `${detail}; blocks above ${solid} are signed by keys that are not known, and nothing in them is confirmed: run \`daric witnesses pin\``,
      };
    },
  };
}
