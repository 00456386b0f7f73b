import type { WatcherContext } from "../context.ts";
import type { StoredDeposit } from "./agree.ts";
import { type AnswerCache, forgetAnswers } from "./answer-cache.ts";
import { findKnownIds } from "./confirmed-store.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Reader } from "./verifier.ts";

/** With a quorum of one: the wait before a node that contradicts the first reading is called again. */
const THIRD_READING_MS = 30_000;

/**
 * With a quorum of one: whether the second reading differs from the database for the first time. One of the two readings is wrong,
 * so a third one follows, and the answer that came twice counts. The devnet needs no third reading.
 */
export async function isDoubtful(
  { clock, db }: Pick<WatcherContext, "clock" | "db">,
  { network }: Pick<Reader, "network">,
  { verified, answers }: { verified: VerifiedBlock; answers: AnswerCache },
): Promise<boolean> {
  if (network.name === "devnet") return false;
  const { blockId } = verified.block;
  const summary = await summarize(db, verified);
  // The entry stays until the answer is written, because other blocks may be written first.
  if (summary === answers.doubted.get(blockId)?.summary) return false;
  answers.doubted.delete(blockId);
  if (summary === "") return false;
  answers.doubted.set(blockId, { summary, retryMs: clock.monotonicMs() + THIRD_READING_MS });
  forgetAnswers(answers, (id) => id !== blockId);
  return true;
}

/** How the nodes differ from the database, in words; empty if they do not. */
async function summarize(
  db: WatcherContext["db"],
  { stored, quorum }: Pick<VerifiedBlock, "stored" | "quorum">,
): Promise<string> {
  const keyOf = ({ id, amount }: Pick<StoredDeposit, "id" | "amount">) => `${id}/${amount}`;
  const known = new Set(stored.map(keyOf));
  const reported = quorum?.agreed.observed.filter((deposit) => !known.has(keyOf(deposit))) ?? [];
  const confirmed = await findKnownIds(db, reported);
  const missing = reported.filter(({ id }) => !confirmed.has(id)).map(keyOf);
  const contradicted = (quorum?.contradicted ?? []).map((deposit) => `not ${keyOf(deposit)}`);
  return [...missing, ...contradicted].sort().join(" ");
}
