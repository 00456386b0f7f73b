import type { NetworkSettings } from "@daric/chain/nodes/networks";
import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import type { Clock } from "@daric/runtime/clock";
import { z } from "zod";
import { offeredLanguages } from "../messages/languages.ts";
import { checkoutPage } from "../page/page.ts";
import { loadAssets, pageResponse } from "../page/response.ts";
import { networkLabel } from "../page/view.ts";
import { projectCheckout } from "../projection.ts";
import { sampleCharge, sampleRecord, sampleStates } from "./sample.ts";

type Context = {
  readonly clock: Pick<Clock, "now">;
  readonly config: {
    readonly chain: NetworkSettings;
    readonly deposits: { readonly requiredConfirmations: number };
  };
};

const DEFAULT_COLOUR = "#0b5fff";

/**
 * Values of a form that is being filled in. A faulty one is replaced by its default, so that the preview never
 * breaks.
 */
const draft = z.object({
  state: z.enum(sampleStates).catch("awaiting"),
  name: z.string().max(120).catch(""),
  accentColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .catch(DEFAULT_COLOUR),
  logoUrl: z.string().catch(""),
});

/**
 * GET /dashboard/preview: the checkout page with a sample order and a branding that is not saved yet. Only a frame in
 * one of our own pages may load it, so that no link can show foreign text under our address. It reads no table.
 */
export function previewRoute(app: ApiApp, { clock, config }: Context): void {
  const assets = loadAssets();
  const [language] = offeredLanguages([]);
  const { requiredConfirmations } = config.deposits;
  const network = networkLabel(config.chain);
  app.get("/dashboard/preview", { schema: { hide: true, querystring: draft } }, async (request, reply) => {
    const {
      "sec-fetch-site": site,
      "sec-fetch-dest": destination,
      "accept-encoding": accepted,
    } = request.headers;
    if (site !== "same-origin" || destination !== "iframe") throw new ApiError("NOT_FOUND");
    const { state, name, accentColor, logoUrl } = request.query;
    const logoId = /\/checkout\/logos\/([\w-]+)$/.exec(logoUrl)?.[1] ?? null;
    const merchant = {
      ...{ name, accentColor, logoId },
      ...{ supportEmail: null, supportUrl: null, languages: null, embedOrigins: [] },
    };
    const now = clock.now();
    const charge = sampleCharge(state, now);
    const record = sampleRecord(state, merchant, now);
    const page = checkoutPage(
      {
        charge,
        record,
        projection: projectCheckout(charge, record, { requiredConfirmations, publicBaseUrl: undefined }),
        version: "",
        network,
        language,
        languages: [language],
        pageUrl: null,
        isPhone: false,
      },
      assets,
    );
    const shown = { ...page, markup: withoutScripts(page.markup) };
    const { headers, body } = pageResponse(shown, language, String(accepted ?? ""));
    const policy = page.contentSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
    return reply.headers({ ...headers, "content-security-policy": policy }).send(body);
  });
}

/** Removes scripts and their fallbacks, because a sample has nothing to poll and no shop to return to. */
function withoutScripts(markup: string): string {
  return markup.replace(/<script\b.*?<\/script>|<noscript>.*?<\/noscript>/gs, "");
}
