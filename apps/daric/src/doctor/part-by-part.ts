/** The current part and its number. */
export type PartProgress = { readonly what: string; readonly part: number; readonly parts: number };

/** Called before each part. */
export type PartListener = (progress: PartProgress) => void;

/** Collects the findings of these parts, one after the other. */
export type PartWalk = <Part, Found>(
  what: string,
  parts: readonly Part[],
  find: (part: Part) => Promise<readonly Found[]>,
) => Promise<Found[]>;

/** A walk that reports to `listen`. */
export function partByPart(listen: PartListener): PartWalk {
  return async <Part, Found>(
    what: string,
    parts: readonly Part[],
    find: (part: Part) => Promise<readonly Found[]>,
  ) => {
    const found: Found[] = [];
    for (const [index, part] of parts.entries()) {
      listen({ what, part: index + 1, parts: parts.length });
      found.push(...(await find(part)));
    }
    return found;
  };
}
