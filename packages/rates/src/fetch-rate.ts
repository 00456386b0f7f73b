import { NodeError } from "@daric/chain/blocks/node-error";
import { AnswerError } from "@daric/chain/blocks/read-json";
import type { Clock } from "@daric/runtime/clock";
import { instantOf, type SourceAnswer } from "./answer.ts";
import { SourceRefusal, type Ticker } from "./read-ticker.ts";
import type { SourceHost } from "./source-host.ts";
import type { Pair } from "./sources.ts";

/** A source's clock may be ahead of ours by this much. */
const MAX_AHEAD_MS = 10_000;
const RATE_LIMIT_PATTERN = /too many|rate.?limit|blocked user/i;

/**
 * Fetches one pair. Of the source's stated age and its cache's age the larger one counts. A stated time later than the
 * receipt counts as the receipt. An exchange rate needs a stated time: it is the rate's own time stamp.
 *
 * @throws NodeError for every failure: of the network, of HTTP, or a body without a price of this pair.
 */
export async function fetchRate(
  host: SourceHost,
  { pair, clock }: { pair: Pair; clock: Clock },
): Promise<SourceAnswer> {
  const { text, ageMs } = await host.get(pair.path);
  const received = instantOf(clock);
  const ticker = readTicker(text, pair, host.label);
  const { price, statedMs = received.wallMs, cutOffMs = 0 } = ticker;
  if (statedMs - received.wallMs > MAX_AHEAD_MS) {
    const clockFault = "its time is ahead of this machine's clock: check this machine's clock (NTP)";
    throw new NodeError(clockFault, { fault: "ahead_of_clock", node: host.label });
  }
  const arrivedMs = received.wallMs - ageMs;
  const isTimed = ticker.statedMs !== undefined;
  if (!pair.isStamped) return { price, trueMs: Math.min(statedMs + cutOffMs, arrivedMs), isTimed, received };
  if (isTimed) return { price, trueMs: arrivedMs, isTimed, stampMs: statedMs, received };
  throw new NodeError("its exchange rate has no time stamp", {
    fault: "unexpected_answer",
    node: host.label,
  });
}

function readTicker(text: string, pair: Pair, node: string): Ticker {
  try {
    return pair.read(text);
  } catch (error) {
    if (error instanceof SourceRefusal) {
      const isLimiter = RATE_LIMIT_PATTERN.test(error.message);
      throw new NodeError(error.message, { fault: isLimiter ? "rate_limited" : "node_error", node });
    }
    if (error instanceof AnswerError)
      throw new NodeError(error.message, { fault: "unexpected_answer", node });
    throw new NodeError("answered no JSON", { fault: "not_json", node, cause: error });
  }
}
