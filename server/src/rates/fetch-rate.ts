import { NodeError } from "../chain/blocks/node-error.ts";
import { parseJsonTexts } from "../chain/blocks/parse-json.ts";
import { AnswerError } from "../chain/blocks/read-json.ts";
import { type HttpText, openHttpText } from "../chain/nodes/http-json.ts";
import type { Clock } from "../runtime/clock.ts";
import { instantOf, type SourceAnswer } from "./answer.ts";
import type { FetchContext } from "./context.ts";
import { SourceRefusal, type Ticker } from "./read-ticker.ts";
import { addressOf, type Pair, type SourceName } from "./sources.ts";

/** For DNS, connection, waiting and reading together. */
const TIMEOUT_MS = 5_000;
/** The longest recorded answer has 1.2 kB. */
const MAX_BODY_BYTES = 64 * 1024;
/** Coinbase refuses requests without a user agent. */
const USER_AGENT = "daric";
/** How far a source's clock may be ahead of ours. */
const MAX_AHEAD_MS = 10_000;
const RATE_LIMIT_PATTERN = /too many requests|rate.?limit/i;

/** Opens a client of a source. It connects on its first call and follows no redirect. */
export function openSource({ config, rateAddresses }: FetchContext, name: SourceName): HttpText {
  const url = rateAddresses?.[name] ?? addressOf(name, config.chain.nodeUrls);
  return openHttpText({ url, userAgent: USER_AGENT, timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BODY_BYTES });
}

/**
 * Fetches one pair. Of the source's stated age and its cache's age the larger one counts. A stated time later than the
 * receipt counts as the receipt.
 *
 * @throws NodeError for every failure: of the network, of HTTP, or a body without a price of this pair.
 */
export async function fetchRate(
  http: HttpText,
  { pair, clock }: { pair: Pair; clock: Clock },
): Promise<SourceAnswer> {
  const { text, ageMs } = await http.getText(pair.path);
  const received = instantOf(clock);
  const ticker = readTicker(text, pair, http.label);
  const { price, statedMs = received.wallMs, cutOffMs = 0 } = ticker;
  if (statedMs - received.wallMs > MAX_AHEAD_MS) {
    const clockFault = "its time is ahead of this machine's clock: check this machine's clock (NTP)";
    throw new NodeError(clockFault, { fault: "ahead_of_clock", node: http.label });
  }
  const trueMs = Math.min(statedMs + cutOffMs, received.wallMs - ageMs);
  return { price, trueMs, isTimed: ticker.statedMs !== undefined, received };
}

function readTicker(text: string, pair: Pair, node: string): Ticker {
  try {
    return pair.read(parseJsonTexts(text));
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
