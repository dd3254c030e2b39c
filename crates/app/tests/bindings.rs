//! `ui/src/bindings` is what these types say. `UPDATE=1 cargo test -p app --test bindings` rewrites it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use app::api::{ApiError, AppEvent, commands, commands::Choice, error::ErrorCode, home::*, setup::*, table::*};
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
        FinishedView, SetupRequest, SeatPlan, SetupView, PresetView, OptionView, TableView, Phase, RulesView, SeatView,
        SeatState, BoardView, StoneView, ForbiddenView, PreviewView, LineView, TurnView, MustView, MoveView, By,
        ResultView, ResultKind, WaitingView, Choice,
        SectionView, SentenceView, ArgView);
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
