import type { KeyWords, Learned } from "../witnesses/find-solidity.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/** So often all nodes are asked of a key that one of them has taught alone, because the others were silent. */
const ASK_AGAIN_MS = 600_000;

/** Whether it is time again. */
export function isToAskAgain({ clock }: Pick<WatcherContext, "clock">, { memory }: Scanner): boolean {
  const now = clock.monotonicMs();
  if (memory.keysAskedMs !== undefined && now - memory.keysAskedMs < ASK_AGAIN_MS) return false;
  memory.keysAskedMs = now;
  return true;
}

/** What a look at the signatures taught, and what the nodes said of it. */
type Lesson = Learned & { readonly words: KeyWords };

/** Says what was learned, and what was not although blocks show it: once, until there is more of it. */
export function reportKeys(context: WatcherContext, { memory }: Scanner, lesson: Lesson): void {
  const { learned, refused, words } = lesson;
  if (learned.length > 0) memory.keysReadMs = undefined;
  reportLearned(context, learned);
  const disputed = [...words.values()].filter((word) => word === "disputed" || word === "refuted").length;
  const before = memory.unlearned ?? { refused: 0, disputed: 0 };
  memory.unlearned = { refused, disputed };
  if (refused > before.refused) {
    context.metrics.alarms.inc({ alarm: "too_many_keys" });
    context.log.error(
      { keys: refused },
      "more witnesses sign with new keys than is believed of one node in 100 minutes: compare `daric witnesses pin` with somebody who runs nodes of their own, and configure a second node",
    );
  }
  if (disputed > before.disputed) {
    context.metrics.alarms.inc({ alarm: "disputed_key" });
    context.log.error(
      { keys: disputed },
      "the nodes show the same blocks signed by different keys, and none of these is learned: take the node that is wrong out of TRON_NODE_URLS",
    );
  }
}

/** Rare on a public network, and worth a look: who may sign decides what is final. */
function reportLearned(context: WatcherContext, learned: Learned["learned"]): void {
  for (const { witnessHex, signerHex, sinceBlock, isAlone = false } of learned) {
    context.metrics.learnedKeys.inc();
    context.log.warn(
      { witness: witnessHex, signer: signerHex, block_number: sinceBlock, on_one_word: isAlone },
      "a witness signs with a key that was not known: learned from blocks that known witnesses built on",
    );
  }
}
