import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { imageRecipe } from "../../ops/release/image.ts";
import { releaseNotes } from "../../ops/release/notes.ts";
import { zipped } from "../../ops/release/zip.ts";

const ROOT = join(import.meta.dirname, "../..");
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const { version } = JSON.parse(textOf("package.json"));

type Step = { readonly uses?: string; readonly run?: string; readonly with?: Record<string, unknown> };
type Job = {
  readonly needs?: string | string[];
  readonly environment?: string;
  readonly permissions?: Record<string, string>;
  readonly "timeout-minutes"?: number;
  readonly steps: Step[];
};
type Workflow = {
  readonly on: Record<string, unknown>;
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, Job>;
};

const names = readdirSync(join(ROOT, ".github/workflows"));

describe.each(names)("the workflow %s", (name) => {
  const text = textOf(`.github/workflows/${name}`);
  const workflow: Workflow = parse(text);
  const jobs = Object.values(workflow.jobs);

  it("names each action by its commit, with the version beside it", () => {
    const uses = text.match(/\buses: .*/g) ?? [];
    expect(uses).toHaveLength(jobs.flatMap(({ steps }) => steps.filter((step) => step.uses)).length);
    for (const line of uses) expect(line).toMatch(/^uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may read the repository and no more, unless a job says so, and ends", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    for (const job of jobs) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });
});

describe("the workflow of a release", () => {
  const text = textOf(".github/workflows/release.yml");
  const { on, jobs }: Workflow = parse(text);
  const scriptOf = (name: string) => jobs[name]?.steps.map(({ run = "" }) => run).join("\n");

  it("begins with a tag alone, and publishes what one job made and signed", () => {
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(scriptOf("build")).toContain('npm run release -- --key "$key"');
    for (const name of ["npm", "pypi", "image"]) {
      expect(jobs[name]?.needs).toBe("build");
      expect(scriptOf(name)).toContain("sha256sum -c SHA256SUMS");
    }
    expect(jobs.publish?.needs).toEqual(["npm", "pypi", "image"]);
  });

  it("gives each job the one right that it needs", () => {
    const rights = Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]);
    expect(Object.fromEntries(rights)).toEqual({
      build: undefined,
      npm: { "id-token": "write" },
      pypi: { "id-token": "write" },
      image: { packages: "write" },
      publish: { contents: "write" },
    });
  });

  it("publishes to npm with provenance, and to PyPI as a trusted publisher, without a password", () => {
    expect(scriptOf("npm")).toContain("npm publish --provenance --access public");
    const publisher = jobs.pypi?.steps.find(({ uses }) => uses?.startsWith("pypa/"));
    expect(Object.keys(publisher?.with ?? {})).toEqual(["packages-dir", "skip-existing"]);
  });

  it("needs only the secrets and environments that the steps of a release name", () => {
    const readme = textOf("ops/release/README.md");
    const secrets = new Set([...text.matchAll(/secrets\.(\w+)/g)].map(([, secret = ""]) => secret));
    expect([...secrets].toSorted()).toEqual(["GITHUB_TOKEN", "NPM_TOKEN", "RELEASE_KEY"]);
    const environments = Object.values(jobs).flatMap(({ environment }) => environment ?? []);
    for (const name of ["NPM_TOKEN", "RELEASE_KEY", ...environments]) expect(readme).toContain(`\`${name}\``);
  });
});

describe("the notes of a release", () => {
  it("say what an operator must do, then the section of the version", () => {
    const notes = releaseNotes(textOf("CHANGELOG.md"), version);
    const headings = notes.match(/^#+ .*$/gm) ?? [];
    expect(headings.slice(0, 3)).toEqual([
      `# Daric ${version}`,
      "### What an operator must do",
      "### What an operator must know",
    ]);
    expect(notes).toContain("daric migrate --plan");
  });

  it("end where the next version begins, and are refused without a section for operators", () => {
    const section = (its: string) =>
      `## ${its} (2027-01-01)\n\n### What an operator must know\n\n- ${its}\n\n`;
    const changelog = `# Changelog\n\n${section("0.2.0")}${section("0.1.0")}`;
    expect(releaseNotes(changelog, "0.2.0")).toMatch(/- 0\.2\.0\n$/);
    expect(() => releaseNotes(changelog, "0.3.0")).toThrow("no section of 0.3.0");
    expect(() => releaseNotes("## 0.4.0 (2027-01-01)\n\nNothing.\n", "0.4.0")).toThrow("operator");
  });
});

it("each client says the version of the release", () => {
  const places = [
    ["clients/python/pyproject.toml", `version = "${version}"`],
    ["clients/python/src/daric/_core.py", `VERSION = "${version}"`],
    ["clients/go/client.go", `const Version = "${version}"`],
    ["clients/php/src/Settings.php", `VERSION = '${version}';`],
    ["plugins/woocommerce/daric.php", ` * Version: ${version}\n`],
  ] as const;
  for (const [path, line] of places) expect(textOf(path)).toContain(line);
});

it("the recipe of the image installs the packages beside it, and leaves secrets of the folder out", () => {
  const dockerfile = textOf("Dockerfile");
  const recipe = imageRecipe(dockerfile);
  expect(validate(recipe)).toEqual([]);
  expect(recipe.match(/^(?:FROM|COPY) (?!.*--from).*$/gm)?.slice(0, 2)).toEqual([
    "FROM scratch AS packages",
    "COPY *.tgz package.json package-lock.json /packages/",
  ]);
  expect(recipe).not.toContain("COPY . .");
  const ofInstallation = (text: string) => text.slice(text.indexOf("AS installation"));
  expect(ofInstallation(recipe)).toBe(ofInstallation(dockerfile));
});

it("a zip has the same bytes in any order of its files and any time zone", () => {
  const entries = ["b/a.go", "a", "b.go"].map((path) => ({ path, bytes: Buffer.from(`file ${path}`) }));
  const time = new Date("2026-12-01T23:59:59Z");
  const bytes = zipped(entries, time);
  expect(zipped(entries.toReversed(), time)).toEqual(bytes);
  const paths = [...bytes.toString("latin1").matchAll(/file (\S+?)PK/g)].map(([, path]) => path);
  expect(paths).toEqual(["a", "b.go", "b/a.go"]);
  // 23:59:58 of 1 December 2026, as the format writes it.
  expect(bytes.readUInt16LE(10)).toBe((23 << 11) | (59 << 5) | 29);
  expect(bytes.readUInt16LE(12)).toBe((46 << 9) | (12 << 5) | 1);
});
