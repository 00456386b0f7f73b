/** Answers that were asked for before the program came. They pass from one script of the document to the other. */
type Early = { daricEarly?: Map<string, Promise<Response>> };
const shared = globalThis as Early;

/** Later they are out of date: a page that was not opened at once reads for itself. */
const MAX_AGE_MS = 10_000;

const keyOf = (url: string, merchantId: string | undefined) => `${merchantId} ${url}`;

/** Asks for an answer, and keeps it for the program. */
export function askEarly(url: string, merchantId: string | undefined): Promise<Response> {
  const headers = { accept: "application/json", ...(merchantId && { "x-daric-merchant": merchantId }) };
  const answer = fetch(url, { headers, credentials: "same-origin" });
  // The program hears of a failure when it takes the answer.
  answer.catch(() => undefined);
  shared.daricEarly ??= new Map();
  shared.daricEarly.set(keyOf(url, merchantId), answer);
  return answer;
}

/** The answer that was asked for, once; undefined if there is none, or none that is new. */
export function takeEarly(url: string, merchantId: string | undefined): Promise<Response> | undefined {
  const key = keyOf(url, merchantId);
  const answer = shared.daricEarly?.get(key);
  shared.daricEarly?.delete(key);
  return performance.now() < MAX_AGE_MS ? answer : undefined;
}
