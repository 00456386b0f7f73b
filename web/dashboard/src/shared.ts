/**
 * The modules of most pages. The bundler puts it before every file, so these modules and all that they need become one file of the first load.
 * On a slow line a request costs more than these bytes.
 */
import "react-dom/client";
import "./api/use-call.ts";
import "./format/payment-filters.ts";
import "./session/passkeys.ts";
import "./session/session-store.ts";
import "./ui/button.tsx";
import "./ui/confirm.tsx";
import "./ui/copy.tsx";
import "./ui/dialog.tsx";
import "./ui/exports.tsx";
import "./ui/field.tsx";
import "./ui/form.tsx";
import "./ui/language-select.tsx";
import "./ui/list-page.tsx";
import "./ui/page.tsx";
import "./ui/payment-row.tsx";
import "./ui/show.tsx";
import "./ui/table.tsx";
import "./ui/transaction.tsx";
import "./words/words.ts";
