import { readFileSync } from "node:fs";

/** An alert of deploy/prometheus/alerts.yml. */
export type AlertRule = {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: string;
  readonly summary: string;
  readonly runbook_url: string;
};

export const ALERTS_PATH = new URL("../../../deploy/prometheus/alerts.yml", import.meta.url);

/** Lines without content. */
const AROUND = /^(#.*|groups:| {2}- name: daric| {4}rules:| {8}(labels|annotations):)?$/;
const FIELD = /^ {6}(?:- | {2}(?: {2})?)(alert|expr|for|severity|summary|runbook_url): (?:'(.*)'|(.*))$/;
const FIELDS = ["alert", "expr", "for", "severity", "summary", "runbook_url"];

/**
 * Reads the alerts of a file in our fixed layout: one field a line, always all in the same order.
 * @throws SyntaxError at the first line with another layout.
 */
export function readAlertRules(): readonly AlertRule[] {
  const fields = readFileSync(ALERTS_PATH, "utf8")
    .split("\n")
    .filter((line) => !AROUND.test(line))
    .map(readField);
  return Array.from({ length: Math.ceil(fields.length / FIELDS.length) }, (_, index) => {
    const own = fields.slice(index * FIELDS.length, (index + 1) * FIELDS.length);
    const names = own.map(([name]) => name).join();
    if (names !== FIELDS.join()) throw new SyntaxError(`${names} is no whole alert`);
    return Object.fromEntries(own) as AlertRule;
  });
}

function readField(line: string): [name: string, value: string] {
  const [, name = "", quoted, plain = ""] = FIELD.exec(line) ?? [];
  if (name === "") throw new SyntaxError(`${line} is no field of an alert`);
  return [name, quoted ?? plain];
}
