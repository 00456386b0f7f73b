import { z } from "zod";

/** The forms of the page: whatever a payer typed, or that the amount of now is wanted. */
export const pageForm = z.object({ txHash: z.string().catch(""), requote: z.string().optional() });

/** Of the page: the language that its address asks for. */
export const languageQuery = z.object({ lang: z.string().optional() });

/** The path of a file that the page loads, under the version of all of them. */
export const assetParams = z.object({ version: z.string(), file: z.string() });
