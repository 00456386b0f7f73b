import { urlOf } from "./api/call.ts";
import { askEarly } from "./api/early-answers.ts";
import type { Session } from "./api/sign-in-operations.ts";
import { FIGURES } from "./screens/home/figures-read.ts";
import { findChosen } from "./session/chosen-merchant.ts";
import { wishedTag } from "./words/language.ts";

/** Pages before sign-in have no session to ask for. */
const OUTSIDE = /^\/dashboard\/(?:sign-in|link)\b/;

/** Fetches the texts of the reader's language, whose file the document names by its tag. */
function fetchWords(): void {
  const href = document.documentElement.dataset[`words${wishedTag().replace("-", "").toLowerCase()}`];
  if (href === undefined) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}

/**
 * Runs while the program, which is large, is on its way. It asks for the texts and the session, and then for the figures of the home
 * page. The program takes these answers instead of asking for them again.
 */
async function ask(): Promise<void> {
  fetchWords();
  if (OUTSIDE.test(location.pathname)) return;
  const session = askEarly("/dashboard/v1/session", undefined);
  if (!/^\/dashboard\/?$/.test(location.pathname)) return;
  const response = await session;
  if (!response.ok) return;
  const { data } = (await response.clone().json()) as { data: Session };
  const merchantId = findChosen(data)?.merchant_id;
  if (merchantId === undefined) return;
  void askEarly(urlOf(FIGURES.replace("GET ", ""), {}, {}), merchantId);
}

ask().catch(() => undefined);
