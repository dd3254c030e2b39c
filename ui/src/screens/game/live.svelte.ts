// What a screen reader is told, and how long it holds: whoever looks it up later shall not read what is so no longer.
import type { TableView } from "../../bindings/TableView";
import { sentences, t } from "../../i18n/index.svelte";
import { isEased, type News } from "./news";

/** The two live regions: what is told when there is a pause, and what at once. */
export class Live {
  polite = $state("");
  assertive = $state("");
  #aim = "";
  #refusal = "";
  /** What was last told of the game, or answered. */
  #last = "";

  /** A new view came, with what is to be said about it. */
  hear(before: TableView, after: TableView, { polite, assertive }: News) {
    if (isEased(before, after)) [this.polite, this.assertive] = ["", ""];
    if (polite.length > 0) this.polite = sentences(polite);
    if (assertive.length > 0) this.assertive = sentences(assertive);
    if (polite.length + assertive.length > 0) this.#last = sentences([...assertive, ...polite]);
  }

  /** Answers a question, also where the answer is the one before. */
  answer(words: string) {
    this.#last = words;
    this.#say(words);
  }

  /** What was told last, once more. */
  repeat() {
    this.#say(this.#last || t("repeat.none"));
  }

  /** A region whose words stay the same is not read again: a space that is not heard makes them others. */
  #say(words: string) {
    this.polite = this.polite === words ? `${words}\u00a0` : words;
  }

  /** What a tap would do, or why it does nothing; empty when nothing is aimed at any longer. */
  aim(words: string) {
    if (words !== "") this.polite = words;
    else if (this.polite === this.#aim) this.polite = "";
    this.#aim = words;
  }

  /** Why the last command was refused; empty when something else was done since. */
  refuse(words: string) {
    if (words !== "") this.assertive = words;
    else if (this.assertive === this.#refusal) this.assertive = "";
    this.#refusal = words;
  }
}
