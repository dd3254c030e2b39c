// The rules of a table in words. Which sentences, and in which order, is the core's; here their texts are filled in.
import type { ArgView } from "../../bindings/ArgView";
import type { SectionView } from "../../bindings/SectionView";
import type { SentenceView } from "../../bindings/SentenceView";
import { text } from "../../i18n/index.svelte";

const filledIn = (arg: ArgView): string | number => (typeof arg === "object" ? (text(arg.word) ?? arg.word) : arg);

export function sentenceText({ key, args }: SentenceView): string {
  const words = Object.entries(args).map(([name, arg]) => [name, filledIn(arg)] as const);
  return text(key, Object.fromEntries(words)) ?? key;
}

/** The preset as it comes does not say all of this. */
export const isSpecial = (words: readonly SectionView[]): boolean =>
  words.some((section) => section.sentences.some((sentence) => sentence.special));
