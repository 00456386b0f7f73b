import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";

/** A built file of the dashboard: its media type and its text. */
export type BuiltFile = { readonly type: string; readonly text: string };
/** The files of the newest build by name, and the document that loads them and the code of a page, a file of `screens/`. */
export type Dashboard = {
  readonly files: ReadonlyMap<string, BuiltFile>;
  readonly documentOf: (screen: string) => string;
};

/** The bundler's description of its outputs. */
type Manifest = {
  readonly outputs: Readonly<
    Record<string, { readonly entryPoint?: string; readonly imports: readonly Import[] }>
  >;
};
type Import = { readonly path: string; readonly kind: string };

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** The frame of a page behind sign-in, painted while the script is on its way. The script replaces it. */
const FRAME = `<div class="shell" aria-hidden="true"><div class="bar"></div><div class="side"></div><main><div class="loading"></div></main></div>`;

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/**
 * Reads the build of the dashboard workspace. Files of an older build, which the folder may still hold, are not in it.
 *
 * @throws Error if it was not built, so that a service without its pages does not start.
 */
export function loadDashboard(): Dashboard {
  const { resolve } = createRequire(import.meta.url);
  const manifest = resolve("@daric/dashboard/app/manifest.json");
  const read = (name: string) => readFileSync(join(dirname(manifest), name), "utf8");
  const outputsOf = (name: string) => (JSON.parse(read(name)) as Manifest).outputs;
  const outputs = { ...outputsOf("early.json"), ...outputsOf("manifest.json") };
  const files = Object.keys(outputs).map((path): [string, BuiltFile] => {
    const name = nameOf(path);
    return [name, { type: TYPES[extname(name)] ?? "application/octet-stream", text: read(name) }];
  });
  return { files: new Map(files), documentOf: (screen) => documentOf(outputs, screen) };
}

/** The file of each language's texts, which the first script looks up: `data-wordsptbr`. */
function wordsOf(entries: readonly (readonly [string, { readonly entryPoint?: string }])[]): string {
  return entries
    .flatMap(([path, { entryPoint = "" }]) => {
      const [, tag] = /\/words\/(?:en\/)?(en(?=\.ts$)|[a-z-]+(?=\.json$))/.exec(entryPoint) ?? [];
      return tag === undefined
        ? []
        : [`data-words${tag.replace("-", "")}="/dashboard/assets/${nameOf(path)}"`];
    })
    .join(" ");
}

/**
 * The document: the sheet, the first script, and what that script will ask for, to be fetched at once. On a slow line each step that is
 * saved is a fifth of a second.
 */
function documentOf(outputs: Manifest["outputs"], screen: string): string {
  const entries = Object.entries(outputs);
  const sheet = entries.find(([path]) => path.endsWith(".css"))?.[0] ?? "";
  const builtOf = (source: string) =>
    entries.find(([, { entryPoint }]) => entryPoint?.endsWith(`/src/${source}`)) ?? ["", { imports: [] }];
  const importsOf = ([, { imports }]: ReturnType<typeof builtOf>) =>
    imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path);
  const [main, page] = [builtOf("main.tsx"), builtOf(`screens/${screen}.tsx`)];
  const [script] = main;
  const early = [...new Set([...importsOf(main), page[0], ...importsOf(page)])]
    .filter((path) => path !== "" && path !== script)
    .map((path) => `<link rel="modulepreload" href="/dashboard/assets/${nameOf(path)}">`);
  const isInside = !screen.startsWith("sign-in/");
  const answers = isInside
    ? [`<link rel="preload" as="fetch" crossorigin href="/dashboard/v1/session">`]
    : [];
  const firstScript = `<script type="module" async fetchpriority="high" src="/dashboard/assets/${nameOf(builtOf("early.ts")[0])}"></script>`;
  return `<!doctype html>
<html lang="en" ${wordsOf(entries)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Daric</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/dashboard/assets/${nameOf(sheet)}">
${[...answers, firstScript, ...early].join("\n")}
<script type="module" src="/dashboard/assets/${nameOf(script)}"></script>
</head>
<body>
<div id="root">${isInside ? FRAME : ""}</div>
<noscript>The dashboard needs JavaScript.</noscript>
</body>
</html>
`;
}
