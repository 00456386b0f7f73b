import { readFileSync, writeFileSync } from "node:fs";
import { catalogues } from "./catalogues.ts";
import { exportPo, importPo } from "./po.ts";

/** Exchanges the texts of a language with a translator, as one gettext file: `export LANGUAGE [FILE]`, `import FILE`. */
const [command, given = ""] = process.argv.slice(2);
const [, , , , file = `${given}.po`] = process.argv;

if (command === "export" && given !== "") {
  writeFileSync(file, exportPo(catalogues, given));
  process.stdout.write(`${file} has every text; give it to a translator\n`);
} else if (command === "import" && given !== "") {
  const { tag, changed, open } = importPo(catalogues, readFileSync(given, "utf8"));
  const list = changed.map((context) => `  ${context}\n`).join("");
  process.stdout.write(`${tag}: ${changed.length} texts changed, ${open.length} are open\n${list}`);
} else {
  process.stderr.write("npm run translations -- export LANGUAGE [FILE] | import FILE\n");
  process.exitCode = 1;
}
