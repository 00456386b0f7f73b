import { ownTimeZone } from "../../format/time.ts";

/** What the document asks for before the program has come. */
export const FIGURES = "GET /dashboard/v1/home";

export function figuresInput() {
  return { query: { timeZone: ownTimeZone() } };
}
