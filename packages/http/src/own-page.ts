import { ApiError } from "@daric/domain/errors";
import { isUrl } from "@daric/domain/url";
import type { FastifyRequest } from "fastify";

/** Whether a page of another site sent the request. Browsers send the Origin of a page with a write; a program sends none. */
export function isOfForeignPage(
  { headers, host }: FastifyRequest,
  publicBaseUrl: string | undefined,
): boolean {
  const { origin } = headers;
  if (origin === undefined) return false;
  const url = isUrl(origin) ? new URL(origin) : undefined;
  return !(
    url?.host === host ||
    (publicBaseUrl !== undefined && url?.origin === new URL(publicBaseUrl).origin)
  );
}

/** @throws CSRF_REFUSED for a page of another site. */
export function refuseForeignPage(request: FastifyRequest, publicBaseUrl: string | undefined): void {
  if (isOfForeignPage(request, publicBaseUrl)) throw new ApiError("CSRF_REFUSED");
}
