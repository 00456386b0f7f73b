import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { WatcherContext } from "./context.ts";
import { countBlocksWithoutInternals } from "./internals-store.ts";

/** On every public network some call in so many blocks sends TRX. */
const MANY_BLOCKS = 1_000;

type ReadinessContext = Pick<WatcherContext, "db" | "config">;

/** What a watcher tells of how payments are seen and agreed on. Never a reason not to serve. */
export function depositChecks(
  context: ReadinessContext,
  { shortOfQuorum }: { shortOfQuorum(): readonly string[] },
): ReadinessCheck[] {
  const { quorum } = context.config.deposits;
  const internals = {
    name: "internals",
    check: async () => ({ ok: true, detail: (await internalsFault(context)) ?? "no lack of them is known" }),
  };
  if (quorum === undefined) return [internals];
  return [
    internals,
    {
      name: "quorum",
      check: async () => {
        const short = shortOfQuorum();
        return { ok: true, detail: [`${quorum} nodes must agree`, ...short].join("; ") };
      },
    },
  ];
}

/** Says at the start that TRX sent by contracts is not seen, where that is so. */
export async function reportInternals(
  context: ReadinessContext & Pick<WatcherContext, "log">,
): Promise<void> {
  const fault = await internalsFault(context);
  if (fault !== undefined) context.log.warn({ reason: fault }, "TRX that contracts send is not seen");
}

async function internalsFault({ db, config }: ReadinessContext): Promise<string | undefined> {
  const blocks = await countBlocksWithoutInternals(db, config.chain.network);
  if (blocks < MANY_BLOCKS) return undefined;
  return (
    `no internal transaction in the last ${blocks} blocks with contract calls: the node does not save them, and TRX sent by ` +
    "contracts is not seen (java-tron: vm.saveInternalTx = true)"
  );
}
