// What is said about those who come and go, ask and answer.
import { describe, expect, it, vi } from "vitest";
import { fixture } from "../fixtures";
import { offer, seat, table } from "../fixtures/build";
import { agreeWords, askMore, askWords, pending, question, termsWords, undoWords, waitsWords, yesWords } from "../../src/screens/game/asks";
import { haltSub, haltTitle } from "../../src/screens/game/halt";
import { awaySeat, keeperWords } from "../../src/screens/game/names";
import { Live } from "../../src/screens/game/live.svelte";
import { isEased, news } from "../../src/screens/game/news";
import { newNotices, Notices, noticeWords } from "../../src/screens/game/notices.svelte";
import { seatState, sayTurn, subtitle } from "../../src/screens/game/words";
import { qr } from "../../src/screens/parts/qr";
import { Deaf, DEAF_MS } from "../../src/state/deaf";
import type { NoticeKind } from "../../src/bindings/NoticeKind";
import type { TableView } from "../../src/bindings/TableView";

vi.stubGlobal("navigator", { languages: ["en"] });

const at = (name: string): TableView => fixture(name).table!;

describe("somebody who says goodbye", () => {
  const words = (name: string) => seatState(at(name), at(name).seats[1]!, false);

  it("has left, and is neither silent nor cut off", () => {
    expect([words("silent"), words("just-left"), words("has-left")]).toEqual(["no answer", "has left", "has left"]);
    expect(keeperWords(at("keeper"), at("keeper").waiting as never)).toBe("Mei’s device is gone");
    expect(keeperWords(at("just-left"), at("just-left").waiting as never)).toBe("Mei has left");
  });

  it("is told of once, and then what comes of it", () => {
    const [before, bye, gone] = [at("game-two"), at("just-left"), at("has-left")];
    expect(news(before, { ...bye, waiting: null }).assertive).toEqual(["Mei has left, and keeps the seat."]);
    expect(news(bye, gone).assertive).toEqual(["The CPU plays in 42 seconds."]);
    expect(news(before, gone).assertive.join(" ")).toBe("Mei has left, and keeps the seat. The CPU plays in 42 seconds.");
  });
});

describe("taking back", () => {
  const may = (name: string, more: Partial<TableView["may"]>) => undoWords({ ...at(name), may: { ...at(name).may, ...more } });

  it("says what it does, and who has a say in it", () => {
    expect(may("game-two", { undo_at_once: true })).toBe("Your last stone, at once");
    expect(may("game-two", {})).toBe("Your last stone, if the others agree");
    expect(undoWords(at("undo-waits"))).toBe("Mei would have to agree, and is away");
  });

  it("says that a game that is over goes on", () => {
    expect(may("undo-over", { undo_at_once: true })).toBe("Your last stone, and the game goes on");
    expect(undoWords(at("undo-over"))).toBe("Your last stone, if the others agree; the game then goes on");
  });
});

describe("a question", () => {
  const view = at("ask-undo");

  it.each([
    ["undo", { at: "J9" }, "Mei asks to take back J9", "Allow"],
    ["undo", {}, "Mei asks to take back the choice", "Allow"],
    ["draw", {}, "Mei offers a draw", "Agree"],
    ["options", {}, "Mei asks for other rules", "Agree"],
    ["resign", {}, "Mei wants to resign for both of you", "Resign"],
  ] as const)("%s %j is %j", (what, more, words, yes) => {
    const asked = offer(1, what, more);
    expect([askWords(view, asked), yesWords(asked)]).toEqual([words, yes]);
  });

  it("says what else would go", () => {
    expect(askMore(view, offer(1, "undo", { at: "J9", takes_back: 1 }))).toBe("");
    expect(askMore(view, offer(1, "undo", { at: "J9", takes_back: 3 }))).toBe("3 moves would go");
  });

  it("is nothing to onlookers", () => {
    const seen = { ...at("watch"), offers: [offer(1, "draw", { to_answer: false, waits_for: [0] })] };
    expect([question(seen), pending(seen)]).toEqual([null, null]);
    expect(news(at("watch"), seen).polite).toEqual([]);
    expect(subtitle(seen)[0]).toBe("You are watching");
    expect(subtitle(view)).not.toContain("You are watching");
  });

  it("can be played on under, while there is a game", () => {
    const words = (phase: TableView["phase"]) => agreeWords({ ...view, phase }, [view.seats[1]!]);
    expect(words("playing")).toBe("Mei has to agree. Until then you can play on.");
    for (const phase of ["over", "lobby"] as const) expect(words(phase)).toBe("Mei has to agree.");
    expect(agreeWords(view, [])).toBe("");
  });

  it("is put one at a time, the oldest first", () => {
    const [older, newer] = [offer(1, "draw", { id: "1" }), offer(2, "undo", { id: "2" })];
    expect(question({ ...view, offers: [older, newer] })?.id).toBe("1");
    expect(question({ ...view, offers: [{ ...older, to_answer: false }, newer] })?.id).toBe("2");
    expect(question(at("ask-mine"))).toBeNull();
  });

  it("of one's own says who is waited for", () => {
    const waits = pending(at("ask-mine"))!;
    expect([askWords(at("ask-mine"), waits), waitsWords(at("ask-mine"), waits)]).toEqual([
      "You offered a draw",
      "Waiting for Mei",
    ]);
  });

  it("about other rules names what would change", () => {
    const { terms } = at("ask-options").offers[0]!;
    expect(termsWords(at("ask-options"), terms!)).toEqual([
      "Board: 19×19",
      "Overtime: Break the line",
      "Time for a move: 60 s",
      "When somebody is away: 30 s",
    ]);
    const none = { ...terms!, changes: [], settings: at("ask-options").settings };
    expect(termsWords(at("ask-options"), none)).toEqual(["Nothing changes"]);
    const other = { ...terms!, rules: { ...terms!.rules, preset: "gomoku" }, other_preset: true, settings: none.settings };
    expect(termsWords(at("ask-options"), other)).toEqual(["Gomoku"]);
  });

  it("is told at once to whom it is put, and in a pause to others", () => {
    expect(news({ ...view, offers: [] }, view).assertive).toEqual(["Mei asks to take back J9."]);
    const others = { ...view, offers: [offer(1, "draw", { to_answer: false, waits_for: [0] })] };
    expect(news({ ...view, offers: [] }, others).polite).toEqual(["Mei offers a draw. Waiting for Lina."]);
    expect(news(view, view)).toEqual({ polite: [], assertive: [] });
  });
});

describe("buttons that come by themselves", () => {
  const heard = (down: number, detail: number, click = down) => {
    let now = 0;
    const deaf = new Deaf(() => now);
    now = down;
    deaf.down();
    now = click;
    return deaf.heeds({ detail });
  };

  it("are deaf at first", () => {
    expect(heard(0, 1)).toBe(false);
    expect(heard(DEAF_MS - 1, 1)).toBe(false);
    expect(heard(DEAF_MS, 1)).toBe(true);
  });

  it("are deaf to touches that began before", () => expect(heard(DEAF_MS - 1, 1, DEAF_MS + 500)).toBe(false));

  it("hear the keyboard by when it clicks", () => {
    expect(heard(0, 0, DEAF_MS - 1)).toBe(false);
    expect(heard(0, 0, DEAF_MS)).toBe(true);
  });
});

describe("a seat whose device is gone", () => {
  const away = (grace_left_ms: number | null) => ({ state: "away" as const, grace_left_ms });
  const of = (...grace: (number | null)[]): TableView =>
    table({
      seats: [seat(0, "black", "Lina", { me: true }), ...grace.map((ms, i) => seat(i + 1, "white", "Mei", away(ms)))],
      turn: { seat: 0, colour: "black", must: "place", mine: true, thinking: false },
    });

  it("is shown for the one to move, else for whichever is taken over first", () => {
    expect(awaySeat(of())).toBeNull();
    expect(awaySeat(of(50_000, 9_000, null))?.seat).toBe(2);
    expect(awaySeat({ ...of(50_000, 9_000), turn: { ...of().turn!, seat: 1, mine: false } })?.seat).toBe(1);
    expect(awaySeat({ ...of(50_000), phase: "over" })).toBeNull();
  });

  it("is not waited for where its player has resigned and the game goes on", () => {
    const view = of(null, 9_000);
    const resigned = { ...view, seats: view.seats.map((at) => (at.seat === 2 ? { ...at, resigned: true } : at)) };
    expect(awaySeat(resigned)?.seat).toBe(1);
  });

  it("is the CPU's for everybody to see", () => {
    const view = at("taken");
    expect(seatState(view, view.seats[2]!, false)).toBe("CPU plays");
    expect(seatState({ ...view, cut_off: true }, view.seats[2]!, false)).toBe("CPU plays");
    expect(seatState({ ...view, cut_off: true }, view.seats[1]!, false)).toBe("not heard");
  });

  it("lets everybody know that the clock stands still meanwhile", () => {
    const how = { confirm: true, touch: true, slide: false };
    expect(sayTurn(at("clock-four"), how).sub).toBe("Aiko’s turn. The clock stands still.");
    const own = { ...at("clock"), clock: { ...at("clock").clock!, running: false } };
    expect(sayTurn(own, how)).toEqual({ lead: "Your turn", sub: "The clock stands still" });
    expect(sayTurn(at("clock"), how).sub).toBe("Tap a point to aim");
  });

  it("lets somebody who is cut off know that they may go on", () => {
    const how = { confirm: true, touch: true, slide: false };
    expect(sayTurn(at("cut-alone"), how).sub).toBe("You are cut off. You may go on alone.");
    expect(sayTurn(at("halted"), how)).toEqual({ lead: "", sub: "" });
  });
});

describe("a notice", () => {
  it.each([
    ["back", 1, "Mei is back"],
    ["taken", 1, "The CPU plays for Mei, until Mei is back"],
    ["keeper", 1, "Mei’s device keeps the table now"],
    ["keeper", 0, "This device keeps the table now"],
    ["rewound", null, "Back to where you were last together"],
    ["undone", null, "Taken back"],
    ["agreed", null, "Agreed: other rules from the next game on"],
    ["toss", 1, "Mei starts, by lot"],
    ["toss", 0, "You start, by lot"],
    ["lapsed", 0, "What you asked for has lapsed"],
    ["lapsed", 1, "What Mei asked for has lapsed"],
    ["clock", 0, "Your time ran out, and the CPU moved for you"],
  ] as [NoticeKind, number | null, string][])("%s of seat %j is %j", (what, number, words) => {
    expect(noticeWords(at("game-two"), { n: 1, what, seat: number, asked: null, phrase: null })).toBe(words);
  });

  it.each([
    ["undo", "Mei says no: nothing is taken back"],
    ["draw", "Mei says no to a draw"],
    ["options", "Mei says no to other rules"],
    ["resign", "Mei plays on: the game is not given up"],
    [null, "Mei says no"],
  ] as const)("of a no to %j is %j", (asked, words) => {
    expect(noticeWords(at("game-two"), { n: 1, what: "refused", seat: 1, asked, phrase: null })).toBe(words);
    expect(noticeWords(at("game-two"), { n: 1, what: "refused", seat: null, asked, phrase: null })).toBe("That can’t be granted now");
  });

  it("is over with the game in which it was told", () => {
    const notices = new Notices();
    const [playing, over] = [at("game-two"), at("result")];
    const back = { n: 1, what: "back" as const, seat: 1, asked: null, phrase: null };
    notices.hear(playing, { ...playing, notices: [back] });
    expect(notices.words).toBe("Mei is back");
    notices.hear({ ...playing, notices: [back] }, { ...over, notices: [back] });
    expect(notices.words).toBe("");
    notices.end();
  });

  it("of the lot is told to whoever comes from the lobby, until the first stone lies", () => {
    const notices = new Notices();
    notices.arrive({ ...at("toss"), moves: at("game-two").moves });
    expect(notices.words).toBe("");
    notices.arrive(at("toss"));
    expect(notices.words).toBe("You start, by lot");
    notices.end();
  });

  it("is over when it is no longer so", () => {
    const notices = new Notices();
    const is = (state: "human" | "away" | "taken") => (view: TableView["seats"][number]) =>
      view.seat === 1 ? { ...view, state } : view;
    const with_ = (state: "human" | "away" | "taken", ...whats: NoticeKind[]): TableView => ({
      ...at("game-two"),
      seats: at("game-two").seats.map(is(state)),
      notices: whats.map((what, i) => ({ n: i + 1, what, seat: 1, asked: null, phrase: null })),
    });
    const days = [with_("away"), with_("taken", "taken"), with_("human", "taken", "back"), with_("away", "taken", "back")];
    const said = days.slice(1).map((after, i) => {
      notices.hear(days[i]!, after);
      return notices.words;
    });
    expect(said).toEqual(["The CPU plays for Mei, until Mei is back", "Mei is back", ""]);
    notices.end();
  });

  it("is told once", () => {
    const with_ = (...numbers: number[]) => ({
      ...at("game-two"),
      notices: numbers.map((n) => ({ n, what: "undone" as const, seat: null, asked: null, phrase: null })),
    });
    expect(newNotices(with_(), with_(1)).map(({ n }) => n)).toEqual([1]);
    expect(newNotices(with_(1, 2), with_(2, 3, 4)).map(({ n }) => n)).toEqual([3, 4]);
    expect(newNotices(with_(2), with_(2))).toEqual([]);
    expect(news(with_(1), with_(1, 2)).polite).toEqual(["Taken back."]);
  });
});

it("takes back what was said about somebody who is back", () => {
  const away = at("away-ranked");
  const back = { ...away, seats: away.seats.map((view) => ({ ...view, state: "human" as const })) };
  expect(isEased(away, back)).toBe(true);
  expect(isEased(back, away)).toBe(false);
  expect(isEased(away, away)).toBe(false);
  expect(isEased({ ...back, cut_off: true }, back)).toBe(true);
});

describe("what a screen reader finds", () => {
  const say = (polite: string[], assertive: string[] = []) => ({ polite, assertive });
  const of = (more: Partial<TableView["seats"][number]>): TableView => {
    const view = at("away-ranked");
    return { ...view, seats: view.seats.map((seat) => (seat.state === "away" ? { ...seat, ...more } : seat)) };
  };

  it.each([
    ["the CPU plays there", { state: "taken" as const, grace_left_ms: null }],
    ["the seat is waited for without end", { grace_left_ms: null }],
    ["somebody is back", { state: "human" as const, grace_left_ms: null }],
  ])("is no countdown any longer once %s", (_, more) => {
    const live = new Live();
    live.hear(of({ state: "human" }), of({ grace_left_ms: 60_000 }), say(["Your turn"], ["The CPU plays in 60 seconds"]));
    live.hear(of({ grace_left_ms: 60_000 }), of({ grace_left_ms: 50_000 }), say([]));
    expect([live.polite, live.assertive]).toEqual(["Your turn.", "The CPU plays in 60 seconds."]);
    live.hear(of({ grace_left_ms: 50_000 }), of(more), say([]));
    expect([live.polite, live.assertive]).toEqual(["", ""]);
  });

  it("is what is aimed at, until it is sent or let go", () => {
    const live = new Live();
    live.aim("I9, free.");
    live.aim("J9, free.");
    expect(live.polite).toBe("J9, free.");
    live.aim("");
    expect(live.polite).toBe("");
    live.aim("I9, free.");
    live.hear(at("game-two"), at("game-two"), say(["Mei plays A1"]));
    live.aim("");
    expect(live.polite).toBe("Mei plays A1.");
  });

  it("is why something was refused, until something else is done", () => {
    const live = new Live();
    live.refuse("Not your turn");
    expect(live.assertive).toBe("Not your turn");
    live.refuse("");
    expect(live.assertive).toBe("");
  });
});

it("names the move and both versions where two programs disagree", () => {
  const halt = at("halted").halt!;
  expect(haltTitle(halt)).toBe("These two versions disagree at move 17");
  expect(haltSub(halt)).toBe("Here 0.2.0, with Mei 0.1.4. The game stands still, and is kept.");
  const bare = { ...halt, at_move: null, name: "", theirs: "" };
  expect(haltTitle(bare)).toBe("These two versions disagree about the rules");
  expect(haltSub(bare)).toContain("with the other device an unknown version");
  expect(news({ ...at("halted"), halt: null }, at("halted")).assertive).toHaveLength(1);
});

it("says whether a ranked game still counts", () => {
  expect(subtitle({ ...at("game-two"), counts: true })[0]).toBe("ranked");
  expect(subtitle({ ...at("game-two"), counts: false })[0]).toBe("no longer counts");
  expect(subtitle(at("game-two"))).not.toContain("ranked");
});

describe("an invite", () => {
  it("has a picture with its three corners and a blank edge", () => {
    const { side, path } = qr("capturefive:x");
    const dark = new Set([...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => `${x} ${y}`));
    const corner = (x: number, y: number) => [0, 6].every((d) => dark.has(`${x + d} ${y}`) && dark.has(`${x} ${y + d}`));
    expect(side - 8).toBeGreaterThanOrEqual(21);
    expect([corner(4, 4), corner(side - 11, 4), corner(4, side - 11), corner(side - 11, side - 11)]).toEqual([true, true, true, false]);
    expect([...dark].some((at) => at.split(" ").some((n) => Number(n) < 4 || Number(n) >= side - 4))).toBe(false);
  });
});
