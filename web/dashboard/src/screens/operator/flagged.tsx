import type { ReactNode } from "react";
import { Badge } from "../../ui/show.tsx";

/** A value, which stands out where it needs a person. */
export function flagged(isBad: boolean, value: string): ReactNode {
  return isBad ? <Badge tone="bad">{value}</Badge> : value;
}
