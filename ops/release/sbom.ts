import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npm, releasedPackages, writeJson, writeLock } from "./packages.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A part of the release, or what it is made of: a component of CycloneDX. */
type Component = {
  readonly "bom-ref": string;
  readonly type: "library" | "container";
  readonly name: string;
  readonly version?: string;
  readonly purl: string;
};

type Sbom = {
  readonly metadata: { timestamp: string; readonly component: { name: string; readonly "bom-ref": string } };
  readonly components: Component[];
  readonly dependencies: { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

/**
 * Writes the SBOM of a whole release, in CycloneDX. It has the npm packages as npm lists them, the other clients and the base images. Its time is the commit's and it has no serial number, so that equal sources give equal files.
 */
export async function writeSbom(folder: string, committedAt: string): Promise<void> {
  const { serialNumber: _, ...sbom } = await npmSbom(folder);
  const root = sbom.metadata.component["bom-ref"];
  sbom.metadata.timestamp = committedAt;
  sbom.metadata.component.name = "daric";
  const { python, needs } = await pythonClient();
  const own = [python, await goClient(), await phpClient(), await shopPlugin(), ...(await baseImages())];
  sbom.components.push(...own, ...needs);
  const refs = (components: readonly Component[]) => components.map((component) => component["bom-ref"]);
  const dependencies = sbom.dependencies.map((row) =>
    row.ref === root ? { ...row, dependsOn: [...row.dependsOn, ...refs(own)] } : row,
  );
  const leaves = [...own.filter((component) => component !== python), ...needs];
  dependencies.push({ ref: python["bom-ref"], dependsOn: refs(needs) });
  dependencies.push(...refs(leaves).map((ref) => ({ ref, dependsOn: [] })));
  await writeJson(folder, "sbom.cdx.json", { ...sbom, dependencies });
}

/** npm's list of the packages in `folder` with all that they need, by a lock of all of them. */
async function npmSbom(folder: string): Promise<Sbom & { readonly serialNumber: string }> {
  const place = await mkdtemp(join(tmpdir(), "daric-sbom-"));
  try {
    await writeLock(place, await releasedPackages(), `${folder}/`);
    const text = await npm(["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], place);
    // Our own tarballs have no address but the folder of the release, and only this machine has it.
    return JSON.parse(text.replace(/file:[^"]*\//g, "file:"));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** The Python client, and the packages that its `pyproject.toml` names: the installing program chooses their versions. */
async function pythonClient(): Promise<{ readonly python: Component; readonly needs: Component[] }> {
  const text = await sourceOf("clients/python/pyproject.toml");
  const [, version = ""] = /^version = "(.+)"$/m.exec(text) ?? [];
  const [, list = "[]"] = /^dependencies = (\[.*\])$/m.exec(text) ?? [];
  const names = (JSON.parse(list) as string[]).map((need) => /^[\w.-]+/.exec(need)?.[0] ?? need);
  return {
    python: component("daric", version, `pkg:pypi/daric@${version}`),
    needs: names.map((name) => component(name, undefined, `pkg:pypi/${name}`)),
  };
}

async function goClient(): Promise<Component> {
  const [, module = ""] = /^module (\S+)$/m.exec(await sourceOf("clients/go/go.mod")) ?? [];
  const version = `v${await versionOfRelease()}`;
  return component(module, version, `pkg:golang/${module}@${version}`);
}

async function phpClient(): Promise<Component> {
  const { name } = JSON.parse(await sourceOf("clients/php/composer.json"));
  const version = await versionOfRelease();
  return component(name, version, `pkg:composer/${name}@${version}`);
}

/** The plugin holds the PHP client in its `vendor/`, and needs nothing else that a package brings. */
async function shopPlugin(): Promise<Component> {
  const version = await versionOfRelease();
  return component("daric-woocommerce", version, `pkg:generic/daric-woocommerce@${version}`);
}

/** The images that the Dockerfile names, by their digests. */
async function baseImages(): Promise<Component[]> {
  const bases = (await sourceOf("Dockerfile")).matchAll(/^FROM (\S+?):([\w.-]+)@sha256:([0-9a-f]{64})/gm);
  const found = new Map(
    [...bases].map(([, name = "", tag, digest]): [string, Component] => {
      const repository = name.includes("/") ? name : `docker.io/library/${name}`;
      const purl = `pkg:oci/${name.split("/").at(-1)}@sha256%3A${digest}?repository_url=${repository}&tag=${tag}`;
      return [name, { "bom-ref": purl, type: "container", name, version: `sha256:${digest}`, purl }];
    }),
  );
  return [...found.values()];
}

function component(name: string, version: string | undefined, purl: string): Component {
  return { "bom-ref": purl, type: "library", name, ...(version !== undefined && { version }), purl };
}

async function versionOfRelease(): Promise<string> {
  return JSON.parse(await sourceOf("package.json")).version;
}

function sourceOf(path: string): Promise<string> {
  return readFile(join(ROOT, path), "utf8");
}
