import { z } from "zod";

/** A time in a body or query. */
export const moment = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with an offset" })
  .transform((value) => new Date(value));
