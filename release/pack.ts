import { writePackages } from "./packages.ts";

/** `npm run release:packages -- <folder>`: the packages of the built tree alone, as the Dockerfile wants them. */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder: npm run release:packages -- <folder>");
await writePackages(folder);
