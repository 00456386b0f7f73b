import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DCLinter } from "dclint";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "../..");
const DIGEST = /@sha256:[0-9a-f]{64}$/;
const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
const file = DockerfileParser.parse(dockerfile);

type Service = {
  readonly image: string;
  readonly command?: string[];
  readonly environment?: Record<string, string>;
  readonly networks: string[];
  readonly ports?: string[];
  readonly secrets?: string[];
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly deploy?: { replicas: number };
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly profiles?: string[];
  readonly restart?: string;
};
const compose = parse(readFileSync(join(ROOT, "compose.yaml"), "utf8"), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
};
const services = Object.entries(compose.services);
/** The services that run the project's own image. */
const own = services.filter(([, { image }]) => image.startsWith("daric:"));

describe("the Dockerfile", () => {
  it("has no fault that a linter finds", () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it("names each base by its digest", () => {
    const bases = file.getFROMs().map((from) => from.getImage());
    expect(bases.length).toBeGreaterThan(0);
    for (const base of bases) expect(base).toMatch(DIGEST);
  });

  it("runs the service as a user without rights, with a health check and without a shell around it", () => {
    const last = file.getInstructions().slice(file.getInstructions().lastIndexOf(file.getFROMs().at(-1)!));
    const argumentsOf = (keyword: string) =>
      last.findLast((instruction) => instruction.getKeyword() === keyword)?.getRawArgumentsContent() ?? "";
    expect(argumentsOf("USER")).toBe("65532:65532");
    expect(argumentsOf("HEALTHCHECK")).toContain("/healthz");
    expect(JSON.parse(argumentsOf("ENTRYPOINT"))[0]).toBe("/usr/local/bin/node");
  });

  it("leaves secrets and earlier builds out of the image", () => {
    const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
    for (const pattern of [".git", "secrets", "**/*.env", "**/node_modules", "**/dist"])
      expect(ignored).toContain(pattern);
  });
});

/** The findings of a linter in a file of Compose. */
function faultsOf(path: string): unknown[] {
  const isMuted = ["service-keys-order", "services-alphabetical-order", "top-level-properties-order"];
  // Caddy may listen on all addresses; its ports are quoted, in another style than the linter's.
  const muted = [...isMuted, "no-unbound-port-interfaces", "require-quotes-in-ports"];
  const rules = Object.fromEntries(muted.map((rule) => [rule, 0 as const]));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  return linter.lintFiles([join(ROOT, path)], false)[0]?.messages ?? [];
}

describe("compose.yaml", () => {
  it("keeps to the schema of Compose and the rules of a linter", () => {
    expect(faultsOf("compose.yaml")).toEqual([]);
  });

  it("names foreign images by their digest, and the project's own by this version", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(own.length).toBeGreaterThan(0);
    for (const [, { image }] of services) if (!image.startsWith("daric:")) expect(image).toMatch(DIGEST);
    for (const [, { image }] of own) expect(image).toBe(`daric:${version}`);
  });

  it("runs each role, two watchers, the migration and the signer, each with a read-only file system", () => {
    const commands = own.map(([, { command }]) => command?.slice(0, 3).join(" "));
    for (const role of ["api", "watcher", "webhooks", "settlement"])
      expect(commands).toContain(`serve --role ${role}`);
    expect(commands).toContain("migrate");
    expect(compose.services.watcher?.deploy?.replicas).toBe(2);
    expect(compose.services.signer?.networks).toEqual(["signer"]);
    for (const [, service] of own) expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });

  it("opens only Caddy's ports, and the signer's network reaches only PostgreSQL", () => {
    expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(["caddy"]);
    const beside = services.filter(([, { networks }]) => networks.includes("signer")).map(([name]) => name);
    expect(beside.toSorted()).toEqual(["postgres", "signer"]);
    expect(compose.networks).toMatchObject({ signer: { internal: true }, database: { internal: true } });
  });

  it("gives each container the files of the secrets that its settings name, and no other", () => {
    for (const [name, { environment = {}, secrets = [], command = [] }] of own) {
      const named = [...Object.values(environment), ...command].flatMap(
        (value) => /^\/run\/secrets\/(\w+)$/.exec(String(value))?.[1] ?? [],
      );
      expect(new Set(secrets), name).toEqual(new Set(named));
      for (const secret of secrets) expect(compose.secrets[secret]?.file).toBe(`./secrets/${secret}`);
    }
  });

  it("has a service for each command of an operator: with every secret of the service, the owner's rights and a way to the nodes", () => {
    const { admin } = compose.services;
    const serviceVariables = own.flatMap(([name, { environment = {} }]) =>
      name === "signer" ? [] : Object.entries(environment),
    );
    for (const [setting, value] of serviceVariables)
      if (setting.endsWith("_FILE")) expect(admin?.environment).toHaveProperty(setting, value);
    expect(admin).toMatchObject({ networks: ["database", "outside"], profiles: ["admin"] });
  });

  it("gives every service but the signer the further settings of a file, such as those of alerts", () => {
    for (const [name, service] of own)
      expect(service.env_file, name).toEqual(name === "signer" ? [] : [{ path: ".env", required: false }]);
  });

  it("mounts files that exist", () => {
    expect(readdirSync(join(ROOT, "ops/deploy/compose"))).toEqual(["create-signer.sh", "secrets.sh"]);
    expect(readdirSync(join(ROOT, "ops/deploy/caddy"))).toEqual(["Caddyfile"]);
  });
});

describe("compose-small.yaml over compose.yaml", () => {
  const path = "ops/deploy/compose-small.yaml";
  const small = parse(readFileSync(join(ROOT, path), "utf8")) as {
    services: Record<string, Partial<Service> & { mem_limit?: string }>;
  };
  const changed = Object.entries(small.services);
  /** The services of `docker compose up`, which starts none of a profile. */
  const running = services.filter(
    ([name, { profiles, restart }]) =>
      profiles === undefined && small.services[name]?.profiles === undefined && restart !== "no",
  );

  it("keeps to the schema of Compose and changes only services that there are", () => {
    expect(faultsOf(path)).toEqual([]);
    for (const [name] of changed) expect(compose.services).toHaveProperty(name);
  });

  it("runs one process with every role, with the secrets, the settings and the networks of the roles that it replaces", () => {
    expect(running.map(([name]) => name).toSorted()).toEqual(["api", "caddy", "postgres", "signer"]);
    expect(small.services.api?.command).toEqual(["serve", "--role", "all"]);
    const { api } = compose.services;
    const networks = new Set([...(api?.networks ?? []), ...(small.services.api?.networks ?? [])]);
    for (const [name, { profiles }] of changed) {
      if (profiles === undefined) continue;
      const replaced = compose.services[name];
      for (const network of replaced?.networks ?? []) expect(networks).toContain(network);
      for (const secret of replaced?.secrets ?? []) expect(api?.secrets).toContain(secret);
      expect(api?.environment).toMatchObject(replaced?.environment ?? {});
    }
  });

  it("leaves the machine 128 of its 1024 MB", () => {
    const limits = running.map(([name]) => Number.parseInt(small.services[name]?.mem_limit ?? "", 10));
    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(1024 - 128);
  });
});
