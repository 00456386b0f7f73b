import { alerts } from "@daric/console/alerts/alerts";
import { writeGenerated } from "../../../lint/generated-file.ts";

const rules = alerts.map(
  ({ name, condition, for: wait, severity, summary, runbook }) => `      - alert: ${name}
        expr: ${condition.promql}
        for: ${wait}
        labels:
          severity: ${severity}
        annotations:
          summary: '${summary}'
          runbook_url: '{{ $externalLabels.daric_docs }}/docs/${runbook}'
`,
);

const file = `# Alerts for Prometheus: \`rule_files: [alerts.yml]\`. docs/alerts.md explains each; the service shows it at /docs/alerts.
# The external label daric_docs is the base URL of the service, such as https://pay.example.com.
# Written from packages/console/src/alerts/alerts.ts by \`npm run generate\`.
groups:
  - name: daric
    rules:
${rules.join("")}`;
await writeGenerated("ops/deploy/prometheus/alerts.yml", file, process.argv);
