import { NodeError } from "./node-error.ts";
import { type Finding, type FoundNeed, nodeNeeds } from "./node-needs.ts";
import type { NodeProbe } from "./node-probe.ts";
import { AnswerError } from "./read-json.ts";

/**
 * Asks a node for everything that the service needs of it, one call after another, as a hosted gateway likes it. Whatever
 * a node answers is a finding.
 */
export async function checkNode(probe: NodeProbe): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { need, advice, find } of nodeNeeds) {
    const { verdict, detail } = await find(probe).catch(lackOf);
    findings.push({ need, verdict, detail, advice: adviceFor(verdict, advice) });
  }
  return findings;
}

function adviceFor(verdict: Finding["verdict"], advice: string): string | null {
  if (verdict === "ok") return null;
  return verdict === "unknown"
    ? `check again when contracts have run; if there are none even then: ${advice}`
    : advice;
}

function lackOf(error: unknown): FoundNeed {
  if (error instanceof NodeError || error instanceof AnswerError) {
    return { verdict: "missing", detail: error.message };
  }
  throw error;
}
