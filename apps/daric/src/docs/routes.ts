import type { NetworkName } from "@daric/chain/nodes/networks";
import type { Environment } from "@daric/domain/api-scope";
import type { ApiApp } from "@daric/http/api-app";
import { type PackedFile, packFile, sendPacked } from "@daric/http/packed-file";
import { htmlCacheControl } from "@daric/runtime/html";
import type { FastifyReply, FastifyRequest } from "fastify";
import { loadSite, readVersion, requireSite, type SiteFile } from "./site.ts";

/** The facts of the deployment on its first page. */
type Deployment = { readonly environment: Environment; readonly network: NetworkName };
type Send = (request: FastifyRequest, reply: FastifyReply, file: SiteFile) => FastifyReply;

/** Only our own styles and pictures: no script, no form, no frame, no other host. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Cacheable but revalidated each time, so that a new release is visible at once. */
const COMPARED = htmlCacheControl("public, no-cache");

/** GET /docs and below, each page also as Markdown, GET / as HTML or JSON, and GET /llms.txt. */
export function docsRoutes(app: ApiApp, deployment: Deployment): void {
  requireSite();
  const send = sender();
  const hidden = { schema: { hide: true } };
  const fileOf = (path: string) => loadSite().get(path) ?? { type: "text/plain; charset=utf-8", text: "" };
  const facts = { version: readVersion(), ...deployment };
  let home: SiteFile | undefined;
  const links = { docs: "/docs", openapi: "/openapi.json", status: "/readyz", llms: "/llms.txt" };
  app.get("/", hidden, async (request, reply) => {
    reply.header("vary", "accept, accept-encoding");
    if (wantsJson(request.headers.accept)) return reply.send({ name: "Daric", ...facts, links });
    home ??= filled(fileOf("/"), facts);
    return send(request, reply, home);
  });
  for (const path of ["/docs", "/docs.md", "/llms.txt"])
    app.get(path, hidden, async (request, reply) => send(request, reply, fileOf(path)));
  app.get<{ Params: { "*": string } }>("/docs/*", hidden, async (request, reply) => {
    const { "*": rest } = request.params;
    if (rest.endsWith("/") || rest === "") {
      const path = `/docs/${rest}`.replace(/(?<!\/)\/+$/, "");
      if (loadSite().has(path)) return reply.redirect(path, 308);
    }
    const file = loadSite().get(`/docs/${rest}`);
    return send(request, file ? reply : reply.code(404), file ?? fileOf("/docs/404"));
  });
}

/** Fills in the facts of the running service. */
function filled({ type, text }: SiteFile, facts: Readonly<Record<string, string>>): SiteFile {
  return { type, text: text.replace(/%(\w+)%/g, (_, name: string) => facts[name] ?? "") };
}

function wantsJson(accept = ""): boolean {
  return /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept);
}

/** Compresses a page on first use. */
function sender(): Send {
  const packed = new WeakMap<SiteFile, PackedFile>();
  return (request, reply, file) => {
    const made = packed.get(file) ?? packFile(file.type, contentOf(file));
    packed.set(file, made);
    reply.headers({ "cache-control": COMPARED, "content-security-policy": POLICY });
    return sendPacked(request, reply, made);
  };
}

function contentOf({ type, text }: SiteFile): string | Buffer {
  return type === "image/png" ? Buffer.from(text, "base64") : text;
}
