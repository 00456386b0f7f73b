import { writePackages } from "./packages.ts";

/** `npm run release:packages -- <folder>`: the packages of the built tree alone, as the Dockerfile wants them. */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("name a folder for the packages: npm run release:packages -- <folder>\n");
  process.exitCode = 2;
} else await writePackages(folder);
