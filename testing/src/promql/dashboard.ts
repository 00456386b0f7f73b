import { readFileSync } from "node:fs";

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

const PATH = new URL("../../../deploy/grafana/daric.json", import.meta.url);

/** The query of each panel of deploy/grafana/daric.json. */
export function readDashboard(): readonly { readonly title: string; readonly expr: string }[] {
  const { panels } = JSON.parse(readFileSync(PATH, "utf8")) as { panels: readonly Panel[] };
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
}
