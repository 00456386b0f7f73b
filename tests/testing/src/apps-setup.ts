import { afterEach } from "vitest";
import { requireDocumentedAnswers, watchApps } from "./checked-answers.ts";

watchApps();
afterEach(requireDocumentedAnswers);
