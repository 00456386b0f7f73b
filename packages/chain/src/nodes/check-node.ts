import { NodeError } from "../blocks/node-error.ts";
import { AnswerError } from "../blocks/read-json.ts";
import { type Finding, type FoundNeed, nodeNeeds } from "./node-needs.ts";
import type { NodeProbe } from "./node-probe.ts";
import { chainSettings } from "./settings.ts";

const { nodeUrls, apiKey } = chainSettings;
/** A gateway may answer with a whole page, which its beginning identifies. */
const MAX_DETAIL_CHARS = 160;

/** Checks every need in sequence, for hosted gateways. One cause is one finding, with the needs not checked because of it. */
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

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}

/** `error` is set if the node gave no usable answer. */
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

function isSilence(error: unknown): boolean {
  return error instanceof NodeError && (error.fault === "unreachable" || error.fault === "timeout");
}

function unansweredNeed(error: unknown): CheckedNeed {
  if (error instanceof NodeError || error instanceof AnswerError) {
    return { verdict: "missing", detail: error.message, error };
  }
  throw error;
}
