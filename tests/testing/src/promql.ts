import { readFileSync } from "node:fs";

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

const PATH = new URL("../../../ops/deploy/grafana/daric.json", import.meta.url);

/** The query of each panel of ops/deploy/grafana/daric.json. */
export function readDashboard(): readonly { readonly title: string; readonly promql: string }[] {
  const { panels } = JSON.parse(readFileSync(PATH, "utf8")) as { panels: readonly Panel[] };
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, promql: expr })));
}

/** The metrics of a query, each with the labels that the query matches or keeps. */
export function metricsOf(promql: string): readonly { readonly metric: string; readonly labels: string[] }[] {
  const kept = [...promql.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(", "));
  return [...promql.matchAll(/\b((?:daric|process)_\w+|up\b)(?:\{([^}]*)\})?/g)].map(
    ([, metric = "", matches = ""]) => ({
      metric,
      labels: [...kept, ...[...matches.matchAll(/(\w+)(?:=|!=)/g)].map(([, label = ""]) => label)],
    }),
  );
}
