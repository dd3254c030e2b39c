//! What somebody has played so far, told kindly: beside their own earlier self, and no losses are counted.

use std::collections::BTreeSet;

use crate::api::home::StatisticsView;

/// Games of one's own that are compared: the newest, and as many before them.
const RECENT_GAMES: usize = 20;
const WEEK_S: u64 = 7 * DAY_S;
const DAY_S: u64 = 24 * 60 * 60;

/// One finished game of this device's own person: when it ended, in seconds since 1970, and whether they won.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    pub(crate) ended_s: u64,
    pub(crate) won: bool,
}

/// `games`: the newest first. `offset_min`: minutes by which the wall clock here is ahead of UTC, since days are the
/// person's own.
pub(crate) fn statistics(games: &[Played], now_s: u64, offset_min: i32) -> StatisticsView {
    let wins = |games: &[Played]| count(games.iter().filter(|game| game.won));
    let recent = &games[..games.len().min(RECENT_GAMES)];
    let before = &games[recent.len()..games.len().min(2 * RECENT_GAMES)];
    let age = |game: &&Played| now_s.saturating_sub(game.ended_s);
    let day =
        |seconds: u64| (i64::try_from(seconds).unwrap_or(0) + i64::from(offset_min) * 60).div_euclid(DAY_S as i64);
    let days: BTreeSet<i64> = games.iter().map(|game| day(game.ended_s)).collect();
    let (streak, longest) = streaks(&days, day(now_s));
    StatisticsView {
        games: count(games.iter()),
        wins: wins(games),
        week: count(games.iter().filter(|game| age(game) < WEEK_S)),
        week_before: count(games.iter().filter(|game| (WEEK_S..2 * WEEK_S).contains(&age(game)))),
        recent: count(recent.iter()),
        recent_wins: wins(recent),
        // Fewer say nothing beside as many now.
        earlier_wins: (before.len() == recent.len() && !before.is_empty()).then(|| wins(before)),
        days: streak,
        days_longest: longest,
    }
}

fn count<T>(games: impl Iterator<Item = T>) -> u32 {
    u32::try_from(games.count()).unwrap_or(u32::MAX)
}

/// Days in a row with a game: those up to today, or up to yesterday while today is not over, and the most there were.
fn streaks(days: &BTreeSet<i64>, today: i64) -> (u32, u32) {
    let back_from = |last: i64| (0..).take_while(|ago| days.contains(&(last - ago))).count() as u32;
    let now = if days.contains(&today) { back_from(today) } else { back_from(today - 1) };
    let is_last = |day: &&i64| !days.contains(&(**day + 1));
    (now, days.iter().filter(is_last).map(|&day| back_from(day)).max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noon of a day, counted from 1970.
    const fn noon(day: u64) -> u64 {
        day * DAY_S + DAY_S / 2
    }

    fn on(days: &[u64]) -> Vec<Played> {
        days.iter().map(|&day| Played { ended_s: noon(day), won: day % 2 == 0 }).collect()
    }

    #[test]
    fn days_in_a_row_last_until_a_whole_day_is_missed() {
        let told = |days: &[u64], today: u64| {
            let view = statistics(&on(days), noon(today), 0);
            (view.days, view.days_longest)
        };
        assert_eq!(told(&[], 100), (0, 0));
        assert_eq!(told(&[100, 100, 99, 98], 100), (3, 3), "two games on one day are one day");
        assert_eq!(told(&[99, 98], 100), (2, 2), "today is not over");
        assert_eq!(told(&[98, 97], 100), (0, 2));
        assert_eq!(told(&[100, 98, 97, 96, 95], 100), (1, 4));
    }

    #[test]
    fn days_are_those_of_the_place() {
        let games =
            [Played { ended_s: noon(100) + 13 * 60 * 60, won: false }, Played { ended_s: noon(100), won: false }];
        assert_eq!(statistics(&games, noon(101), 0).days, 2, "one in the morning is the next day");
        assert_eq!(statistics(&games, noon(101), -180).days, 1, "and the same evening three hours to the west");
    }

    #[test]
    fn one_is_set_beside_the_own_earlier_self() {
        let newest = (0..20).map(|n| Played { ended_s: noon(1_000 - n), won: n < 9 });
        let older = (20..40).map(|n| Played { ended_s: noon(1_000 - n), won: n < 25 });
        let games: Vec<Played> = newest.chain(older).collect();
        let view = statistics(&games, noon(1_000), 0);
        assert_eq!((view.games, view.wins, view.recent, view.recent_wins), (40, 14, 20, 9));
        assert_eq!((view.earlier_wins, view.week, view.week_before), (Some(5), 7, 7));
        assert_eq!(statistics(&games[..30], noon(1_000), 0).earlier_wins, None, "ten say nothing beside twenty");
    }

    #[test]
    fn a_clock_that_went_back_breaks_nothing() {
        let view = statistics(&on(&[500]), noon(3), -720);
        assert_eq!((view.games, view.days, view.week), (1, 0, 1));
    }
}
