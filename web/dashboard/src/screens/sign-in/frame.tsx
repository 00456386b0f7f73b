import { type ReactNode, useEffect } from "react";
import { LanguageSelect } from "../../ui/language-select.tsx";
import { words } from "../../words/words.ts";

/** The page before sign-in: one card. */
export function Frame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${words.common.product}`;
  }, [title]);
  return (
    <main className="alone">
      <p className="brand">{words.common.product}</p>
      <section className="card">
        <h1>{title}</h1>
        {children}
      </section>
      <LanguageSelect />
    </main>
  );
}
