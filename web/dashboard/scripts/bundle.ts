import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** Bundles the pages and their first script, each with a file that says what was made of what. */
const dashboard = join(import.meta.dirname, "..");
const outdir = join(dashboard, "dist/app");

/** A catalogue is a module like any other. As JSON it would need a file of the bundler's helpers in the first load. */
const catalogues: Plugin = {
  name: "catalogues",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.json$/ }, async ({ path }) => ({
      contents: `export default ${await readFile(path, "utf8")}`,
      loader: "js",
    }));
  },
};

async function bundle(manifest: string, options: BuildOptions): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: join(dashboard, ".."),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir,
    metafile: true,
    logLevel: "warning",
    // A module is strict without a directive in each file.
    tsconfigRaw: {},
    ...options,
  });
  // The inputs name an injected file by its whole path, which differs between clones.
  await writeFile(join(outdir, manifest), JSON.stringify({ outputs: metafile?.outputs }));
}

await rm(outdir, { recursive: true, force: true });
await bundle("early.json", { entryPoints: ["dashboard/src/early.ts"] });
await bundle("manifest.json", {
  entryPoints: ["dashboard/src/main.tsx", "dashboard/src/dashboard.css"],
  inject: ["dashboard/src/shared.ts"],
  splitting: true,
  jsx: "automatic",
  legalComments: "linked",
  plugins: [catalogues],
});
