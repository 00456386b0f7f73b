import { readFile } from "node:fs/promises";
import { writeGenerated } from "../../lint/generated-file.ts";
import { clientSources } from "./client-sources.ts";

const document = await readFile(new URL("../typescript/openapi.json", import.meta.url), "utf8");
for (const [path, source] of Object.entries(clientSources(JSON.parse(document))))
  await writeGenerated(path, source, process.argv);
