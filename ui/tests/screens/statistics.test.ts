import { describe, expect, it } from "vitest";
import type { StatisticsView } from "../../src/bindings/StatisticsView";
import { statisticsWords } from "../../src/screens/parts/statistics";

const none: StatisticsView = { games: 0, wins: 0, week: 0, week_before: 0, recent: 0, recent_wins: 0, earlier_wins: null, days: 0, days_longest: 0 };

describe("statistics", () => {
  it("tell nothing where there is nothing kind to tell", () => {
    expect(statisticsWords(none)).toEqual([]);
    expect(statisticsWords({ ...none, games: 9, recent: 9, week_before: 9, days: 1, days_longest: 1 })).toEqual([]);
  });

  it("set what went better beside what was before, and pass over what went worse", () => {
    const better = statisticsWords({ ...none, week: 6, week_before: 4, recent: 20, recent_wins: 11, earlier_wins: 8, days: 3, days_longest: 9 });
    expect(better).toEqual([
      "3 days in a row with a game.",
      "Your longest run is 9 days.",
      "6 games in the last seven days. 2 more than in the seven days before.",
      "11 of your newest 20 games won. 3 more than in the 20 before.",
    ]);
    const worse = statisticsWords({ ...none, week: 1, week_before: 4, recent: 20, recent_wins: 5, earlier_wins: 8 });
    expect(worse).toEqual(["1 game in the last seven days.", "5 of your newest 20 games won."]);
  });
});
