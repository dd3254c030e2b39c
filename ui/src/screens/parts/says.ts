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

/** How to win: said of every table. */
const GOAL = /^rules\.goal\.(line-|captures|no-captures)/;

/** What else has to be known before sitting down, if it is special: the weightiest first. Other sentences explain these. */
const WEIGHTY: readonly RegExp[] = [
  /^rules\.players\.teams$/,
  /^rules\.opening\.(centre-away|three|four)$/,
  /^rules\.overtime\.(break|take)$/,
  /^rules\.forbidden\.(three-first|three-both|renju)$/,
  /^rules\.captures\.(flank-captured|flank-forbidden)-(two|three)/,
  /^rules\.captures\.pair/,
  /^rules\.captures\.(forced|optional)$/,
  /^rules\.captures\.(mixed|one-colour)$/,
  /^rules\.time\.limit$/,
  /^rules\.players\.(two|three|four)$/,
  /^rules\.players\.colours-/,
  /^rules\.series\./,
];

/** How many sentences are read before sitting down. */
const BRIEF = 6;

/** What has to be known before sitting down: how to win, and the weightiest of what is special; how much more is. */
export function brief(words: readonly SectionView[]): { sentences: SentenceView[]; more: number } {
  const all = words.flatMap((section) => section.sentences);
  const goal = all.filter(({ key }) => GOAL.test(key));
  const weighty = WEIGHTY.flatMap((kind) => all.filter(({ key, special }) => special && kind.test(key)));
  const told = new Set([...goal, ...weighty].slice(0, BRIEF));
  return { sentences: all.filter((sentence) => told.has(sentence)), more: goal.length + weighty.length - told.size };
}
