import type { ReactNode } from "react";

/** A screen reader says this text of an action. Its place is empty before, because only a change is announced. */
export function Said({ children }: { readonly children: ReactNode }) {
  return (
    <span role="status" className="visually-hidden">
      {children}
    </span>
  );
}
