import { NodeError } from "../blocks/node-error.ts";
import { AnswerError } from "../blocks/read-json.ts";
import { type Finding, type FoundNeed, nodeNeeds } from "./node-needs.ts";
import type { NodeProbe } from "./node-probe.ts";
import { chainSettings } from "./settings.ts";

const { nodeUrls, apiKey } = chainSettings;
/** A gateway may answer a whole page; its beginning says what it is. */
const MAX_DETAIL_CHARS = 160;

/**
 * Asks a node for everything that the service needs of it, one call after another, as a hosted gateway likes it. Whatever
 * a node answers is a finding. A cause is one finding, which names the needs that were not checked because of it.
 */
export async function checkNode(probe: NodeProbe): Promise<Finding[]> {
  const findings: Finding[] = [];
  const uncheckedBy = new Map<unknown, { readonly finding: Finding; readonly needs: string[] }>();
  for (const { need, advice, find } of nodeNeeds) {
    const found: CheckedNeed = await find(probe).catch(unansweredNeed);
    const known = uncheckedBy.get(rootOf(found.error));
    if (known !== undefined) {
      known.needs.push(need);
      continue;
    }
    const finding = { need, ...describeNeed(found, advice) };
    findings.push(finding);
    if (found.error !== undefined) uncheckedBy.set(rootOf(found.error), { finding, needs: [] });
  }
  return findings.map((finding) => {
    const needs = [...uncheckedBy.values()].find((known) => known.finding === finding)?.needs ?? [];
    if (needs.length === 0) return finding;
    return { ...finding, detail: `${finding.detail}; not checked because of it: ${needs.join(", ")}` };
  });
}

/** The first cause: a node adds words of its own to the error of a call. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}

/** `error` is there where the node gave no answer to judge by. */
type CheckedNeed = FoundNeed & { readonly error?: unknown };

function describeNeed(
  { verdict, detail, error, advice }: CheckedNeed,
  adviceOfNeed: string,
): Omit<Finding, "need"> {
  const short = detail.length > MAX_DETAIL_CHARS ? `${detail.slice(0, MAX_DETAIL_CHARS)}…` : detail;
  if (verdict === "ok") return { verdict, detail: short, advice: null };
  return { verdict, detail: short, advice: isSilence(error) ? silenceAdvice : (advice ?? adviceOfNeed) };
}

const silenceAdvice = `start the node, or correct ${nodeUrls.env} or ${apiKey.env}`;

/** Whether the host answers none of our questions, whatever the need was. */
function isSilence(error: unknown): boolean {
  return error instanceof NodeError && (error.fault === "unreachable" || error.fault === "timeout");
}

function unansweredNeed(error: unknown): CheckedNeed {
  if (error instanceof NodeError || error instanceof AnswerError) {
    return { verdict: "missing", detail: error.message, error };
  }
  throw error;
}
