/** What is looked at now, and the how-manieth part of it. */
export type PartProgress = { readonly what: string; readonly part: number; readonly parts: number };

/** Is told of each part before it is looked at. */
export type PartListener = (progress: PartProgress) => void;

/** What is found in each of these parts, looked at one after the other. */
export type PartWalk = <Part, Found>(
  what: string,
  parts: readonly Part[],
  find: (part: Part) => Promise<readonly Found[]>,
) => Promise<Found[]>;

/** A walk of which `listen` is told. */
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
