//! `ui/src/bindings` is what these types say, and `ui/tests/fixtures/words.json` what the core says of some tables.
//! `UPDATE=1 cargo test -p app --test bindings` rewrites both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use app::api::{
    ApiError, AppEvent, branch::*, commands, commands::Choice, commands::Wish, error::ErrorCode, home::*, learn::*,
    setup::*, study::*, table::*,
};
use rules::Preset;
use ts_rs::{Config, TS};

fn collect<T: TS + 'static>(files: &mut BTreeMap<PathBuf, String>) {
    let config = Config::new();
    let path = T::output_path().expect("an exported type has a path");
    files.insert(path, T::export_to_string(&config).expect("renders"));
}

macro_rules! all {
    ($files:ident: $($type:ty),* $(,)?) => { $( collect::<$type>(&mut $files); )* };
}

#[test]
fn bindings_are_up_to_date() {
    let mut files = BTreeMap::new();
    all!(files: ApiError, ErrorCode, AppEvent, HomeView, Warning, Settings, InterruptedView, NearbyView, NearbyState, NearbyTable,
        FinishedView, StatisticsView, FavouriteView, SetupRequest, SeatPlan, SetupView, PresetView, OptionView, TableView, Phase, RulesView, SeatView,
        SeatState, BoardView, StoneView, ForbiddenView, ShapeView, PreviewView, WayView, AfterView, StopView,
        ThreatView, DangerView, LineView, TurnView, MustView, MoveView, By,
        ResultView, ResultKind, WaitingView, Choice,
        ClockView, OfferView, OfferKind, TermsView, TableSettings, MayView, HaltView, NoticeView, NoticeKind,
        InviteView, PinView, BranchView, ReplayView, Wish,
        SectionView, SentenceView, ArgView,
        PositionRequest, SetUpBoard, SetUpStone, PositionView, PositionTurn, PlayerView, GoneView, SideThreatsView,
        WinThreatView, MakesView, Makes, TakesView, SuggestionView, JudgedView, ChanceView, StudyNews, GameRecord,
        LearnView, CourseView, TopicView, PuzzleLine, LessonView, PuzzleView, TodayView, Worth, TriedView);
    files.insert(PathBuf::from("Commands.ts"), commands::typescript());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/bindings");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(&folder).expect("folder");
        for (path, text) in &files {
            std::fs::write(folder.join(path), text).expect("write");
        }
    }
    for (path, text) in &files {
        let kept = std::fs::read_to_string(folder.join(path)).unwrap_or_default();
        assert_eq!(&kept, text, "{} is out of date: UPDATE=1 cargo test -p app --test bindings", path.display());
    }
}

/// A name, the preset, and what is set.
type Table = (&'static str, Preset, &'static [(&'static str, &'static str)]);

/// Tables whose rules the UI's pictures and tests show.
const TABLES: &[Table] = &[
    ("capture-five", Preset::CaptureFive, &[]),
    ("three", Preset::CaptureFive, &[("seats", "3")]),
    ("four", Preset::CaptureFive, &[("seats", "4")]),
    ("teams", Preset::CaptureFive, &[("seats", "4"), ("teams", "true")]),
    ("four-hurried", Preset::CaptureFive, &[("seats", "4"), ("overtime", "break"), ("move_limit_s", "30")]),
    ("double-three", Preset::CaptureFive, &[("forbidden", "double-three-both"), ("show_coordinates", "true")]),
    ("overtime", Preset::CaptureFive, &[("overtime", "break")]),
    ("optional", Preset::CaptureFive, &[("forced_capture", "false"), ("into_flank", "captured")]),
    ("pente", Preset::Pente, &[]),
    ("pente-swap2", Preset::PenteSwap2, &[]),
    ("gomoku", Preset::Gomoku, &[]),
    ("wuziqi", Preset::Wuziqi, &[]),
    ("renju", Preset::Wuziqi, &[("forbidden", "renju")]),
    ("custom", Preset::Custom, &[]),
    (
        "longest",
        Preset::Custom,
        &[
            ("forced_capture", "false"),
            ("capture_threes", "true"),
            ("into_flank", "captured"),
            ("overtime", "take"),
            ("forbidden", "double-three-first"),
            ("opening", "place-three"),
            ("move_limit_s", "60"),
            ("show_coordinates", "true"),
        ],
    ),
];

#[test]
fn the_words_in_the_fixtures_are_the_cores() {
    let mut samples = BTreeMap::new();
    for (name, preset, set) in TABLES {
        let mut options = preset.options();
        for (option, value) in *set {
            options.set(option, value).expect("a value");
        }
        samples.insert(*name, app::words_view(&options.check(*preset).expect("coherent")));
    }
    let text = serde_json::to_string(&samples).expect("JSON").replace("{\"heading\"", "\n{\"heading\"") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/tests/fixtures/words.json");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).expect("write");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{} is out of date: UPDATE=1 cargo test -p app --test bindings", path.display());
}
