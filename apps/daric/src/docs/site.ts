import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/**
 * Made by `npm run build` from docs/ and the routes; the same path from the sources and from the build.
 */
const BUILT = new URL("../../dist/site.json.gz", import.meta.url);

/** A file of the site: its media type, and its text. A PNG is in base64. */
export type SiteFile = { readonly type: string; readonly text: string };
/** Every file of the site by its path, the OpenAPI documents among them. */
type Site = ReadonlyMap<string, SiteFile>;

const PACKAGE = new URL("../../package.json", import.meta.url);

let loaded: Site | undefined;

/** Reads the built site, once per process, when a page is first asked for: most processes serve none, and it takes 9 MB. */
export function loadSite(): Site {
  loaded ??= new Map(
    Object.entries(JSON.parse(gunzipSync(readFileSync(BUILT)).toString()) as Record<string, SiteFile>),
  );
  return loaded;
}

/** @throws Error if the site was not built, so that a service without its documentation does not start. */
export function requireSite(): void {
  if (!existsSync(BUILT)) throw new Error("The documentation is not built: run `npm run build`.");
}

export function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string }).version;
}
