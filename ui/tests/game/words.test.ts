import { afterEach, describe, expect, it, vi } from "vitest";
import { sentences, setLanguage } from "../../src/i18n/index.svelte";
import type { TableView } from "../../src/bindings/TableView";
import { news } from "../../src/screens/game/news";
import { nameOf, resignWords, seatsInOrder } from "../../src/screens/game/names";
import { sayGhost, sayPoint } from "../../src/screens/game/reasons";
import { reason, sayTurn, seatResult, seatState, subtitle, undecided, verdict } from "../../src/screens/game/words";
import { move, rules } from "../fixtures/build";
import { tables } from "../fixtures/tables";

function speak(language: string) {
  vi.stubGlobal("document", { documentElement: { lang: "" } });
  vi.stubGlobal("navigator", { languages: [] });
  setLanguage(language);
}
afterEach(() => {
  speak("en");
  vi.unstubAllGlobals();
});

const at = (name: string): TableView => structuredClone(tables[name]!);
const states = (table: TableView) => table.seats.map((seat) => seatState(table, seat, false));

describe("the heading", () => {
  it.each([
    ["game-two", "15×15, no double three"],
    ["optional", "15×15, 2 rules changed"],
    ["keeper", "15×15"],
    ["three", "Three players, four in a row"],
    ["away", "Four players, four in a row"],
    ["result", "Game over, 34 moves"],
  ])("of %s is %j", (name, words) => expect(subtitle(at(name)).join(", ")).toBe(words));
});

describe("seats", () => {
  it.each([
    ["game-two", ["your turn", "is here"]],
    ["away", ["after Noor", "played K8", "away", "next"]],
    ["three", ["after CPU 2", "thinking", "next"]],
    ["overtime", ["has five", "one move"]],
    ["outage", ["no link", "not heard"]],
    ["swap2", ["is here", "you choose"]],
  ])("of %s are %j", (name, words) => expect(states(at(name))).toEqual(words));

  it("start with the own one, and go on in turn order", () => {
    expect(seatsInOrder(at("overtime")).map((seat) => seat.seat)).toEqual([1, 0]);
    expect(seatsInOrder({ ...at("away"), seats: at("away").seats.map((seat) => ({ ...seat, me: seat.seat === 2 })) }).map((s) => s.seat)).toEqual([2, 3, 0, 1]);
  });

  it("of several CPUs are numbered", () => {
    expect([1, 2].map((seat) => nameOf(at("three"), seat))).toEqual(["CPU 1", "CPU 2"]);
    expect(nameOf(at("draw"), 1)).toBe("CPU");
  });

  it("show no colour until one is chosen", () => {
    expect(undecided(at("swap2"))).toBe(true);
    const chosen = { ...move(0, 1, "white", "A1"), at: null, choice: "white" };
    expect(undecided({ ...at("swap2"), moves: [...at("swap2").moves, chosen] })).toBe(false);
    expect(undecided(at("game-two"))).toBe(false);
  });
});

describe("the line above the foot", () => {
  const ghost = { at: "K10", colour: "black" as const, sent: false, takes: [["I8", "J9"]], leaves: [], lost: [] };

  it("says what a stone would do", () => {
    expect(sayGhost(at("game-two"), ghost)).toEqual({ lead: "K10 takes 2 white stones", sub: "I8 and J9" });
    expect(sayGhost(at("game-two"), { ...ghost, at: "A1", takes: [] })).toEqual({ lead: "A1, free", sub: "" });
    expect(sayGhost(at("game-two"), { ...ghost, sent: true }).lead).toBe("K10 is on its way");
    expect(sayGhost(at("outage"), { ...ghost, sent: true }).lead).toBe("K10 goes out when the link is back");
    expect(sayPoint(at("optional"), "G5").lead).toBe("G5 would lose 2 stones");
    expect(sayPoint(at("game-two"), "F6")).toEqual({ lead: "Double three: not here", sub: "F6. Three: G6 and H6. Three: F7 and F8." });
    expect(sayPoint(at("game-two"), "H8").lead).toBe("H8, black");
  });

  it("says whose turn it is", () => {
    const how = { confirm: false, touch: false, slide: false };
    expect(sayTurn(at("game-two"), how)).toEqual({ lead: "Your turn", sub: "Click a point to place" });
    expect(sayTurn(at("game-two"), { ...how, confirm: true }).sub).toBe("Tap a point to aim");
    expect(sayTurn(at("away"), how)).toEqual({ lead: "", sub: "Aiko’s turn" });
    expect(sayTurn(at("three"), how).sub).toBe("CPU 1 is thinking");
  });
});

/** Two against two; `partner`: what sits opposite the own seat. */
function teams(partner: "human" | "cpu" | "taken"): TableView {
  const table = at("away");
  const colours = ["black", "white", "black", "white"] as const;
  return {
    ...table,
    rules: rules({ seats: "4", teams: "true" }, { teams: true }),
    seats: table.seats.map((seat, i) => ({ ...seat, colour: colours[i]!, state: i === 2 ? partner : "human" })),
  };
}

describe("the question before resigning", () => {
  it("says that a team gives the game up where no partner has to agree", () => {
    expect(resignWords(at("game-two"))).toBe("Mei wins it.");
    expect(resignWords(at("away"))).toBe("Your seat counts as lost, and the CPU plays on in it.");
    expect(resignWords(teams("human"))).toBe("Your seat counts as lost, and the CPU plays on in it.");
    expect(resignWords(teams("cpu"))).toBe("Your team gives the game up. Jonas and Noor win it.");
    expect(resignWords(teams("taken"))).toBe("Your team gives the game up. Jonas and Noor win it.");
    speak("ja");
    expect(resignWords(teams("cpu"))).toBe("あなたの組の負けになり、Jonas と Noor の勝ちです。");
  });
});

describe("a result", () => {
  it.each([
    ["result", "Mei wins", "Exactly five in a row, F6 to J10."],
    ["result-four", "Aiko and Noor win", "Noor captured eight stones. Exactly four in a row, F8 to I8."],
    ["draw", "A draw", "The board is full."],
    ["resigned", "You win", "Mei resigned."],
  ])("of %s: %j %j", (name, who, why) => {
    const table = at(name);
    expect(verdict(table, table.result!)).toBe(who);
    expect(reason(table, table.result!)).toBe(why);
  });

  it("cites the rule about longer lines", () => {
    const table = { ...at("result"), rules: rules({ overline: "wins" }) };
    const six = { ...table.result!, overline: "wins", line: ["F6", "G7", "H8", "I9", "J10", "K11"] };
    expect(reason(table, six)).toBe("Six in a row, F6 to K11. Longer lines count.");
    expect(reason(table, { ...six, line: six.line.slice(0, 5) })).toBe("Five in a row, F6 to J10.");
  });

  it("of a seat that had resigned is nobody's", () => {
    const table = at("result-four");
    const result = { ...table.result!, winners: [], colours: ["blue" as const], by: ["line"] };
    expect(verdict(table, result)).toBe("Blue wins");
    expect(reason(table, result)).toContain("nobody scores");
  });

  it("by resignation names who gave up, whether or not the seat says so", () => {
    const two = at("resigned");
    const silent = { ...two, seats: two.seats.map((seat) => ({ ...seat, resigned: false })) };
    expect(reason(silent, silent.result!)).toBe("Mei resigned.");
    expect(silent.seats.map((seat) => seatResult(silent, seat, silent.result!))).toEqual(["wins", "resigned"]);
    const mine = { ...silent, seats: silent.seats.map((seat) => ({ ...seat, me: seat.seat === 1 })) };
    expect(reason(mine, mine.result!)).toBe("You resigned.");
    speak("zh-TW");
    expect(reason(mine, mine.result!)).toBe("你認輸了。");
    speak("ja");
    expect(reason(silent, silent.result!)).toBe("Mei が投了しました。");
  });

  it("by resignation of a team names the people in it", () => {
    const result = { ...at("resigned").result!, winners: [0, 2], colours: ["black" as const] };
    const table = teams("human");
    expect(reason(table, result)).toBe("Jonas and Noor resigned.");
    const cpu = { ...table, seats: table.seats.map((seat) => (seat.seat === 3 ? { ...seat, state: "cpu" as const, name: "" } : seat)) };
    expect(reason(cpu, result)).toBe("Jonas resigned.");
    expect(seatResult(cpu, cpu.seats[3]!, result)).not.toBe("resigned");
  });

  it("is told on each seat", () => {
    const table = at("result-four");
    const words = table.seats.map((seat) => seatResult(table, seat, table.result!));
    expect(words).toEqual(["ready again", "is here", "four in a row", "eight captured"]);
  });
});

describe("the news", () => {
  it("tells another's move, what it took, and the own turn", () => {
    const before = { ...at("overtime"), turn: { ...at("overtime").turn!, mine: false } };
    const after = { ...at("overtime"), moves: [...before.moves, move(18, 0, "black", "J9", ["F5", "F6"])] };
    expect(news(before, after).polite).toEqual([
      "Mei plays J9.",
      "Mei takes 2: F5, F6. Mei has 2 of 10.",
      "Your turn.",
    ]);
  });

  it("tells the own captures, not the own move", () => {
    const after = { ...at("sent"), moves: [...at("sent").moves, move(23, 0, "black", "K10", ["I8", "J9"])] };
    expect(news(at("sent"), after).polite).toEqual(["You take 2: I8, J9. You have 4 of 10."]);
  });

  it("is loud about who goes away, overtime and the end", () => {
    const here = { ...at("away"), seats: at("away").seats.map((seat) => ({ ...seat, state: "human" as const })), waiting: null };
    expect(news(here, at("away")).assertive).toEqual(["Aiko is away. The CPU plays in 42 seconds."]);
    const back = { ...here, notices: [{ n: 1, what: "back" as const, seat: 2, asked: null, phrase: null }] };
    expect(news(at("away"), back).polite).toEqual(["Aiko is back."]);
    const five = { ...at("overtime"), board: { ...at("overtime").board, overtime: [] } };
    expect(news(five, at("overtime")).assertive).toEqual(["Overtime. Black has five, F8 to J8. Four points stop it: G6, H6, F7 and H10."]);
    expect(news({ ...at("result"), result: null }, at("result")).assertive).toEqual([
      "Mei wins. Exactly five in a row, F6 to J10.",
    ]);
    expect(news({ ...at("outage"), cut_off: false }, at("outage")).assertive).toHaveLength(1);
    expect(news({ ...at("keeper"), waiting: null }, at("keeper")).assertive).toEqual([
      "Mei’s device is gone.",
    ]);
  });

  it("has each language's own stops, once", () => {
    const told = () => news({ ...at("result"), result: null }, at("result")).assertive;
    const choice = { ...move(0, 1, "white", "A1"), at: null, choice: "white" };
    const chosen = { ...at("swap2"), moves: [...at("swap2").moves, choice] };
    const chose = () => news(at("swap2"), chosen).polite[0];
    speak("zh-TW");
    expect(told()).toEqual(["Mei 獲勝。F6 至 J10，剛好連成五子。"]);
    speak("ja");
    expect(told()).toEqual(["Mei の勝ち。F6～J10、ちょうど五つ並びました。"]);
    expect(chose()).toMatch(/は白を選択。$/);
    expect(sentences(["終わり。", "", "次"])).toBe("終わり。次。");
    speak("en");
    expect(chose()).toMatch(/took white\.$/);
    expect(sentences(["Over.", "", "Next"])).toBe("Over. Next.");
  });

  it("is silent where nothing changed", () => {
    for (const name of Object.keys(tables)) expect(news(at(name), at(name))).toEqual({ polite: [], assertive: [] });
  });
});

describe("a seat that was left", () => {
  const left = (name: string): TableView => {
    const table = at("result");
    return { ...table, seats: table.seats.map((seat) => (seat.seat === 1 ? { ...seat, state: "open" as const, name } : seat)) };
  };
  const resigned = { kind: "win" as const, winners: [0], colours: ["black" as const], by: ["resignation"], overline: "wins", line: [] };

  it("keeps the name of whoever gave it up in what is said of the game", () => {
    expect(nameOf(left("Mei"), 1)).toBe(nameOf(at("result"), 1));
    expect(reason(left("Mei"), resigned)).toBe(`${nameOf(left("Mei"), 1)} resigned.`);
  });

  it("leaves the result to them when somebody else sits down", () => {
    const now = at("result");
    const seats = now.seats.map((seat) => ({ ...seat, me: seat.seat === 1, left_by: seat.seat === 1 ? "Ben" : null, ready: false }));
    const table = { ...now, seats: seats.map((seat) => (seat.seat === 1 ? { ...seat, name: "Cid" } : seat)) };
    expect(reason(table, resigned)).toBe("Ben resigned.");
    expect(verdict(table, { ...resigned, winners: [1] })).toBe("Ben wins");
    expect(seatResult(table, table.seats[1]!, resigned)).toBe("");
  });

  it("is not the CPU's where nobody is known", () => {
    expect(nameOf(left(""), 1)).toBe("Free seat");
    expect(seatResult(left(""), { ...left("").seats[1]!, winner: false }, { ...resigned, by: ["agreement"] })).toBe("Free seat");
  });
});
