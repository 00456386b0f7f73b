import type { ComponentProps } from "react";

type Kind = "primary" | "plain" | "quiet" | "danger";
type Props = ComponentProps<"button"> & { readonly kind?: Kind; readonly isBusy?: boolean };

/** A button. While it is busy it keeps its focus and its width, and does nothing. */
export function Button({ kind = "plain", isBusy = false, className = "", onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind} ${className}`}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}
