import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { goClient, phpClient } from "@daric/testing/foreign-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Two clones of this commit, in folders of different depth, make the release, under another umask and in another time zone. */
const ROOT = join(import.meta.dirname, "../..");
const MAKERS = [
  { clone: "one", umask: "022", TZ: "UTC" },
  { clone: "further/down/two", umask: "077", TZ: "Asia/Tokyo" },
] as const;
const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
const hasPython = spawnSync("python3", ["-c", "import ensurepip, venv"]).status === 0;
const { TEST_GO = "go" } = process.env;
const run = promisify(execFile);

let place: string;
const releaseOf = (clone: string) => join(place, clone, "release");
/** The file of a release. */
const fileOf = (name: string) => join(releaseOf("one"), name);

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "daric-release-"));
  const { stdout: commit } = await run("git", ["rev-parse", "HEAD"], { cwd: ROOT });
  for (const maker of MAKERS) {
    const source = join(place, maker.clone, "source");
    const script = `
      umask ${maker.umask}
      git clone --quiet ${ROOT} ${source} && git -C ${source} checkout --quiet --detach ${commit.trim()}
      cp -R ${ROOT}/node_modules ${source}
      cd ${source} && npm run --silent release -- --dry-run --out ${releaseOf(maker.clone)}`;
    await run("sh", ["-euc", script], { env: { ...process.env, TZ: maker.TZ }, maxBuffer: 2 ** 26 });
    await rm(source, { recursive: true });
  }
}, 1_500_000);

afterAll(() => rm(place, { recursive: true, force: true }));

async function sumsOf(clone: string): Promise<Record<string, string>> {
  const names = await readdir(releaseOf(clone));
  const sums = names.map(async (name) => {
    const bytes = await readFile(join(releaseOf(clone), name));
    return [name, createHash("sha256").update(bytes).digest("hex")] as const;
  });
  return Object.fromEntries(await Promise.all(sums));
}

it("equal commits give equal bytes, file by file", async () => {
  const sums = await sumsOf("one");
  expect(await sumsOf("further/down/two")).toEqual(sums);
  const names = [
    `daric-server-${version}.tgz`,
    `daric-sdk-${version}.tgz`,
    `daric-mcp-${version}.tgz`,
    `daric-devchain-${version}.tgz`,
    `daric-go-${version}.zip`,
    `daric-php-${version}.zip`,
    `daric-woocommerce-${version}.zip`,
    `daric-deploy-${version}.tar`,
    ...["Dockerfile", "NOTES.md", "SHA256SUMS", "manifest.json", "sbom.cdx.json"],
    ...(hasPython ? [`daric-${version}-py3-none-any.whl`, `daric-${version}.tar.gz`] : []),
  ];
  for (const name of names) expect(sums).toHaveProperty([name]);
});

it("no text of a release names the folder that it was made in", async () => {
  for (const name of await readdir(releaseOf("one")))
    if (/\.(json|md)$/.test(name)) expect(await readFile(fileOf(name), "utf8"), name).not.toContain(tmpdir());
});

it("the SBOM has a component for every package of the release, and each dependency is one", async () => {
  const sbom = JSON.parse(await readFile(fileOf("sbom.cdx.json"), "utf8"));
  const purls = sbom.components.map(({ purl }: { purl: string }) => purl);
  const tarballs = Object.keys(await sumsOf("one")).filter((name) => name.endsWith(".tgz"));
  const names = tarballs.map((name) => name.slice("daric-".length, -`-${version}.tgz`.length));
  for (const name of names) expect(purls).toContain(`pkg:npm/%40daric/${name}@${version}`);
  for (const purl of [
    `pkg:pypi/daric@${version}`,
    "pkg:pypi/httpx",
    `pkg:composer/daric/daric@${version}`,
    `pkg:generic/daric-woocommerce@${version}`,
  ])
    expect(purls).toContain(purl);
  expect(purls).toContain(`pkg:golang/daric@v${version}`);
  expect(purls.filter((purl: string) => purl.startsWith("pkg:oci/"))).toHaveLength(2);
  const refs = [sbom.metadata.component, ...sbom.components].map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  const rows: { ref: string; dependsOn: string[] }[] = sbom.dependencies;
  expect(refs).toEqual(expect.arrayContaining(rows.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])));
});

it("PHP and Go need no package, so that the SBOM lists none", async () => {
  expect(await readFile(join(ROOT, "clients/go/go.mod"), "utf8")).not.toContain("require");
  const { require } = JSON.parse(await readFile(join(ROOT, "clients/php/composer.json"), "utf8"));
  expect(Object.keys(require)).toEqual(["php", "ext-json"]);
});

it.skipIf(!hasPython)(
  "the wheel installs alone and says its version; the sdist holds its source",
  async () => {
    const environment = join(place, "python");
    const python = join(environment, "bin", "python");
    await run("python3", ["-m", "venv", environment]);
    const wheel = fileOf(`daric-${version}-py3-none-any.whl`);
    await run(python, ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel]);
    const source =
      "from importlib.metadata import version, requires; print(version('daric'), requires('daric'))";
    const { stdout } = await run(python, ["-c", source]);
    expect(stdout.trim()).toBe(`${version} ['httpx<1,>=0.27']`);
    const sdist = await run("tar", ["-tzf", fileOf(`daric-${version}.tar.gz`)]);
    for (const path of ["pyproject.toml", "PKG-INFO", "LICENSE", "src/daric/_client.py"])
      expect(sdist.stdout.split("\n")).toContain(`daric-${version}/${path}`);
  },
);

describe.skipIf(!hasPython)("a zip, read by another program,", () => {
  /** Unpacks by Python's zipfile, which compares the checksums, into a folder of its own; gives the folder. */
  async function unpacked(language: string): Promise<string> {
    const folder = join(place, language);
    await run("python3", ["-m", "zipfile", "-e", fileOf(`daric-${language}-${version}.zip`), folder]);
    return folder;
  }

  it.skipIf(!goClient.isHere)(
    "of Go has the layout of a module zip, and compiles in an empty project",
    async () => {
      const folder = await unpacked("go");
      const list = await run("python3", ["-m", "zipfile", "-l", fileOf(`daric-go-${version}.zip`)]);
      const paths = list.stdout.split("\n").slice(1, -1);
      for (const path of paths) expect(path).toMatch(new RegExp(`^daric@v${version}/[\\w./-]*\\w `));
      const shop = join(place, "shop-go");
      await mkdir(shop);
      await run("cp", ["-R", join(folder, `daric@v${version}`), join(shop, "daric")]);
      await writeFile(
        join(shop, "main.go"),
        'package main\nimport "daric"\nfunc main() { println(daric.Version) }\n',
      );
      const go = (...args: string[]) =>
        run(TEST_GO, args, { cwd: shop, env: { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off" } });
      await go("mod", "init", "example.com/shop");
      await go("mod", "edit", "-require", `daric@v${version}`, "-replace", "daric=./daric");
      expect((await go("run", ".")).stderr.trim()).toBe(version);
    },
  );

  it.skipIf(!phpClient.isHere)("of PHP names its version for Composer, loads, and has no tests", async () => {
    const folder = join(await unpacked("php"), `daric-php-${version}`);
    expect(JSON.parse(await readFile(join(folder, "composer.json"), "utf8"))).toMatchObject({
      name: "daric/daric",
      version,
    });
    expect((await readdir(folder)).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "composer.json",
      "recipes",
      "src",
    ]);
    const load = `
      spl_autoload_register(fn ($name) => require '${folder}/src/' . strtr(substr($name, 6), '\\\\', '/') . '.php');
      new Daric\\Daric('https://pay.example.com', 'daric_test_sk_a_b');
      echo Daric\\Settings::VERSION;`;
    expect((await run("php", ["-r", load])).stdout).toBe(version);
  });
});
