/** Keeps one entry of the history while a modal is open, so that the back button ends the modal and not the visit. */
export type BackButton = { open(): void; close(): void };

/** `onBack` ends the open modal. */
export function keepBackButton(onBack: () => void): BackButton {
  let isOpen = false;
  /** our own way back is under way */
  let isReturning = false;
  let length = 0;
  // The state of a shop's router stays in the entry, so that its own listener finds the page that it shows.
  const push = () => {
    history.pushState({ ...history.state, daric: true }, "");
    length = history.length;
  };
  addEventListener("popstate", () => {
    const isOwn = isReturning;
    isReturning = false;
    if (!isOpen) return;
    if (isOwn) push();
    else onBack();
  });
  return {
    open() {
      isOpen = true;
      if (!isReturning) push();
    },
    close() {
      isOpen = false;
      if (isReturning || !history.state?.daric) return;
      isReturning = true;
      // A payment link leads on inside the frame, which adds entries of its own.
      history.go(length - history.length - 1);
    },
  };
}
