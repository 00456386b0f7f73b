import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { type PackedFile, packFile, packHard, sendPacked } from "@daric/http/packed-file";
import { htmlCacheControl } from "@daric/runtime/html";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type BuiltFile, loadDashboard } from "./assets.ts";

/** Our own scripts, styles and pictures, and our own pages in frames: no other host, and no script in a text. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const PERMISSIONS =
  "accelerometer=(), autoplay=(), camera=(), display-capture=(), fullscreen=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()";

const LARGE_BYTES = 100_000;
const CACHE_FOR_EVER = "public, max-age=31536000, immutable";

/** The addresses of pages, each with the file of its code below `screens/`: all send the same document, whose script draws the page. */
export const pages: Readonly<Record<string, string>> = {
  "/": "home/home",
  "/sign-in": "sign-in/sign-in",
  "/link": "sign-in/link",
  "/payments": "payments/payments",
  "/payments/:id": "payments/payment",
  "/inbox": "inbox/inbox",
  "/ask-for-payment": "payments/ask-for-payment",
  "/payment-links": "payment-links/payment-links",
  "/payment-links/new": "payment-links/create-payment-link",
  "/payment-links/:id": "payment-links/payment-link",
  "/payment-links/:id/poster": "payment-links/poster",
  "/keys": "developers/keys",
  "/webhooks": "developers/webhooks",
  "/deliveries": "developers/deliveries",
  "/deliveries/:id": "developers/delivery",
  "/refunds": "refunds/refunds",
  "/refunds/:id": "refunds/refund",
  "/settlement": "settlement/settlement",
  "/settlements/:id": "settlement/one-settlement",
  "/branding": "branding/branding",
  "/settings": "account/settings",
  "/people": "account/people",
  "/notifications": "notifications/notifications",
  "/audit": "account/audit",
  "/security": "account/security",
  "/operator": "operator/overview",
  "/operator/merchants": "operator/merchants",
  "/operator/accounts": "operator/accounts",
};

/** Below `/dashboard/` these are for programs: what is not there is an error, and no page. */
const NO_PAGE = /^(?:v1|assets|preview)(?:\/|$)/;
const unknownParams = z.object({ "*": z.string() });
const assetParams = z.object({ file: z.string() });

/** GET /dashboard and its pages, and the files that they load. At any other address the program says that there is no such page. */
export function dashboardPages(app: ApiApp): void {
  const { files, documentOf } = loadDashboard();
  const hidden = { schema: { hide: true } };
  for (const [path, screen] of Object.entries(pages)) {
    const page = packFile("text/html; charset=utf-8", documentOf(screen));
    app.get(path === "/" ? "/dashboard" : `/dashboard${path}`, hidden, async (request, reply) =>
      sendDocument(request, reply, page),
    );
  }
  const unknown = packFile("text/html; charset=utf-8", documentOf("sign-in/sign-in"));
  app.get("/dashboard/*", { schema: { hide: true, params: unknownParams } }, async (request, reply) => {
    if (NO_PAGE.test(request.params["*"])) throw new ApiError("NOT_FOUND");
    return sendDocument(request, reply.code(404), unknown);
  });
  app.get("/dashboard/", hidden, async (_request, reply) => reply.redirect("/dashboard", 308));
  assetRoute(app, files);
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, page: PackedFile) {
  reply.headers({
    "cache-control": htmlCacheControl("no-cache"),
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": PERMISSIONS,
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
  });
  return sendPacked(request, reply, page);
}

/** A file is named by its content, so a browser keeps it for ever. It is packed on its first use, and a large one packed hard for later ones. */
function assetRoute(app: ApiApp, files: ReadonlyMap<string, BuiltFile>): void {
  const packed = new Map<string, PackedFile>();
  app.get(
    "/dashboard/assets/:file",
    { schema: { hide: true, params: assetParams } },
    async (request, reply) => {
      const { file: name } = request.params;
      const built = files.get(name);
      if (built === undefined) throw new ApiError("NOT_FOUND");
      const file = packed.get(name) ?? packFile(built.type, built.text);
      // Without memory for it the file stays as it is.
      if (!packed.has(name) && file.plain.length > LARGE_BYTES)
        packHard(file).then(
          (smaller) => packed.set(name, smaller),
          () => undefined,
        );
      packed.set(name, file);
      reply.header("cache-control", CACHE_FOR_EVER);
      return sendPacked(request, reply, file);
    },
  );
}
