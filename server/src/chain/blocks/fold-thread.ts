import { answerQuestions } from "../../runtime/answer-questions.ts";
import { judgeAnswers, memoryOf } from "./told-answers.ts";

// What `block-folder.ts` starts as a thread.

answerQuestions(judgeAnswers, ({ answers }) => memoryOf(answers));
