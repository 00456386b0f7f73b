import type { Queryable } from "@daric/postgres/sql";
import { ApiError } from "../domain/errors.ts";
import type { LogoContext } from "./context.ts";
import { fetchLogo, takePicture } from "./fetch-logo.ts";
import { insertLogo } from "./logo-store.ts";
import type { MerchantTerms } from "./merchant-terms.ts";

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
