import { mkdir, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { buildSite } from "./site/site.ts";

/** The documentation as the service serves it: a part of the build. */
const OUTPUT = new URL("../dist/site.json.gz", import.meta.url);

await mkdir(new URL(".", OUTPUT), { recursive: true });
await writeFile(OUTPUT, gzipSync(JSON.stringify(await buildSite()), { level: 9 }));
