import { useEffect, useState } from "react";

const SECOND_MS = 1_000;
const MINUTE_S = 60;

/** The minutes and seconds until a time. `onOver` is called once it is over. */
export function Countdown({ until, onOver }: { readonly until: string; readonly onOver: () => void }) {
  const leftAt = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / SECOND_MS));
  const [left, setLeft] = useState(leftAt);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = leftAt();
      setLeft(now);
      if (now === 0) onOver();
    }, SECOND_MS);
    return () => clearInterval(timer);
  });
  const seconds = String(left % MINUTE_S).padStart(2, "0");
  return (
    <span className="money" role="timer">
      {Math.floor(left / MINUTE_S)}:{seconds}
    </span>
  );
}
