import { type DictionaryMember, listMissing } from "../../tables/dictionary/dictionary.ts";
import type { Question } from "../../tables/questions/question.ts";

/** A question with what the dictionary of its file, as JSON text, calls missing, unless it says what counts as blank. */
export function takeMissing(question: Question, dictionary: string | null): Question {
  if (question.blankFrom !== "unsaid") return question;
  const member = dictionary === null ? null : (JSON.parse(dictionary) as DictionaryMember);
  const blankOf = listMissing(member, question.table);
  return { ...question, blankOf, blankFrom: blankOf.length > 0 ? "dictionary" : "nobody" };
}
