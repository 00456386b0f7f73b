import { bookSettings } from "@daric/books/papers/settings";

/** Why the operator's font of papers cannot be used, as a sentence; undefined without one. It loads the reader of fonts only then. */
export async function findFontFault(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const { faultOfFont } = await import("@daric/books/papers/fonts");
  const fault = faultOfFont(path);
  return fault && `${bookSettings.fontFile.env} ${fault}`;
}
