import { ApiError } from "@daric/domain/errors";
import type { FieldRule } from "@daric/domain/field-rule";
import { type FetchedFile, getFile } from "@daric/egress/get-file";
import { EgressFailure } from "@daric/egress/guarded-dial";
import type { Queryable } from "@daric/postgres/sql";
import type { LogoContext } from "./context.ts";
import { insertLogo } from "./logo-store.ts";
import type { MerchantTerms } from "./merchant-terms.ts";
import { MAX_PICTURE_BYTES, mediaTypes, type Picture, readPicture } from "./picture.ts";

/** A logo as a URL to fetch once, an empty text to remove it, or the picture itself. */
export type LogoInput = { readonly logoUrl?: string | undefined; readonly logoFile?: Buffer | undefined };
type LogoTerms = Pick<MerchantTerms, "logoUrl" | "logoId">;

/**
 * Stores the given picture and returns the resulting terms. Called after all other input was validated.
 * @throws VALIDATION_ERROR when both are given, or when {@link fetchLogo} refuses the picture.
 */
export async function takeLogo(
  context: LogoContext & { readonly db: Queryable },
  { logoUrl, logoFile }: LogoInput,
): Promise<LogoTerms | undefined> {
  if (logoUrl === undefined && logoFile === undefined) return undefined;
  if (logoUrl === "" && logoFile === undefined) return { logoUrl: null, logoId: null };
  if (logoUrl !== undefined && logoFile !== undefined) {
    const details = [{ path: "logoFile", message: "must not be given beside logoUrl" }];
    throw new ApiError("VALIDATION_ERROR", { details });
  }
  const picture = logoFile ? takePicture("logoFile", logoFile) : await fetchLogo(context, logoUrl ?? "");
  await insertLogo(context.db, picture);
  return { logoUrl: logoUrl ?? null, logoId: picture.id };
}

const TIMEOUT_MS = 10_000;

/**
 * Fetches a logo once. Pages show the stored bytes, so the logo's host neither sees payers nor can change the page.
 * @throws VALIDATION_ERROR of `logoUrl` with the broken rule.
 */
async function fetchLogo(context: LogoContext, url: string): Promise<Picture> {
  const request = {
    url,
    headers: { accept: mediaTypes.join(", ") },
    maxBytes: MAX_PICTURE_BYTES,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  const file = await getFile(context.config.egress, request, context.access).catch((error: unknown) => {
    if (!(error instanceof EgressFailure)) throw error;
    throw refusal("logoUrl", faultOfFailure(error));
  });
  const fault = faultOfAnswer(file);
  if (fault !== undefined) throw refusal("logoUrl", fault);
  return takePicture("logoUrl", file.content);
}

/** Returns the picture in these bytes. @throws VALIDATION_ERROR of this field with the broken rule. */
function takePicture(field: "logoUrl" | "logoFile", content: Buffer): Picture {
  const picture = readPicture(content);
  if ("fault" in picture) throw refusal(field, picture.fault, picture.rule);
  return picture;
}

function faultOfFailure({ code }: EgressFailure): string {
  switch (code) {
    case "blocked_address":
      return "must be at a public address: WEBHOOK_ALLOW_TARGETS can allow its host, and --logo-file needs none";
    case "response_too_large":
      return `must have at most ${MAX_PICTURE_BYTES / 1024} kB`;
    default:
      return `could not be fetched (${code}) within ${TIMEOUT_MS / 1_000} s`;
  }
}

function faultOfAnswer({ statusCode, headers }: FetchedFile): string | undefined {
  if (statusCode >= 300 && statusCode < 400)
    return `answered ${statusCode}, a redirect, and none is followed: give the address of the picture itself`;
  if (statusCode !== 200) return `answered ${statusCode} and no picture`;
  const mediaType = (headers["content-type"]?.split(";")[0] ?? "").trim().toLowerCase();
  if (mediaTypes.some((type) => type === mediaType)) return undefined;
  return `must be sent as ${mediaTypes.join(", ")}, not as "${mediaType.replace(/[^\w/+.-]/g, "?").slice(0, 50)}"`;
}

function refusal(path: string, message: string, rule?: FieldRule): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: [{ path, message, rule }] });
}
