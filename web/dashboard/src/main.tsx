import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isRefusal } from "./api/refusal.ts";
import { router } from "./router.tsx";
import { currentTag, loadWords } from "./words/words.ts";

/** A refusal is an answer: asking again would not change it. */
const MAX_TRIES = 3;
const FRESH_MS = 5_000;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) =>
        failures < MAX_TRIES && !(isRefusal(error) && error.status >= 400 && error.status < 500),
    },
  },
});

await loadWords();
const place = document.getElementById("root");
if (place !== null) {
  const base = createRoot(place);
  /** Another key draws every page anew, in the words of the language that was chosen. */
  const draw = () =>
    base.render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <RouterProvider key={currentTag()} router={router} context={{ drawAgain: draw }} />
        </QueryClientProvider>
      </StrictMode>,
    );
  draw();
}
