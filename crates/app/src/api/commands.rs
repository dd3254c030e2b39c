//! The one list of commands: names, arguments, replies. The dispatch and the TypeScript map are made from it.

/// | command | arguments | reply |
/// |---|---|---|
/// | `home` | – | `HomeView` (and from then on `AppEvent::Home`) |
/// | `set_settings` | `{settings: Settings}` | – |
/// | `setup` | `{request: SetupRequest}` | `SetupView` |
/// | `open_table` | `{request: SetupRequest}` | `String` (table id) |
/// | `join_table` | `{table}` | `String` (sits at the first open seat, or returns to the own one) |
/// | `resume_table` | `{table}` | `String` |
/// | `table` | `{table}` | `TableView` |
/// | `leave_table` | `{table}` | – (keeps the seat) |
/// | `stand` | `{table}` | – (gives the seat up) |
/// | `sit` | `{table, seat}` | – |
/// | `start` | `{table}` | – (also asks for the rematch) |
/// | `place` | `{table, at, take?: string[][]}` | – |
/// | `choose` | `{table, choice: "black" \| "white" \| "add"}` | – |
/// | `resign` | `{table}` | – |
/// | `forget_table` | `{table}` | – (drops an interrupted game from the list, keeps its file) |
/// | `history` | – | `FinishedView[]` |
pub const DOC: () = ();
