/** A merchant's own data of a charge, text by name. Only that merchant sees it. */
export type Metadata = Readonly<Record<string, string>>;

/** Lengths are in characters (code points); `bytes` is the size of all metadata as compact JSON in UTF-8. */
export const metadataLimits = { keys: 20, keyLength: 40, valueLength: 500, bytes: 2_048 } as const;

export type MetadataFault = { readonly path: readonly string[]; readonly message: string };

/** The broken rules of keys and of the total size. The schema checks the number of keys and the length of values. */
export function metadataFaults(metadata: Metadata): MetadataFault[] {
  const { bytes } = metadataLimits;
  const names = Object.keys(metadata);
  const faults = names.flatMap((name) => keyFaults(name));
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > bytes)
    faults.push({ path: [], message: `must have at most ${bytes} bytes as JSON in UTF-8` });
  return faults;
}

function keyFaults(name: string): MetadataFault[] {
  const { keyLength } = metadataLimits;
  const length = [...name].length;
  if (length < 1 || length > keyLength)
    return [{ path: [name], message: `must have a key of 1 to ${keyLength} characters` }];
  if (/[\0\p{Surrogate}]/u.test(name))
    return [{ path: [name], message: "must not have NUL or half a surrogate pair in its key" }];
  return [];
}
