import { readFile } from "node:fs/promises";
import { formatted, writeGenerated } from "../../../lint/generated-file.ts";
import { contractSource } from "./contract-source.ts";

const document = await readFile(new URL("../openapi.json", import.meta.url), "utf8");
const source = formatted(contractSource(JSON.parse(document)), "contract.ts");
await writeGenerated("clients/typescript/src/contract.ts", source, process.argv);
