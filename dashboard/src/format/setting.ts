const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
] as const;

/** Seconds as the service takes a duration: `60m` rather than `3600s`, in the largest unit that is whole. */
export function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

/** Hundredths of a per cent as per cent: `50` is `0.5`. */
export function basisPointsText(basisPoints: number): string {
  return String(basisPoints / 100);
}
