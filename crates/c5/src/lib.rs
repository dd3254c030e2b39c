//! The command line of `INTERFACES.md`: seats without a window, for scripts, tests and small boards. It holds no rule,
//! protocol or storage of its own.

pub mod args;
mod auto;
mod bench;
mod brain;
pub mod changes;
mod clock;
mod come;
mod ending;
pub mod events;
mod explain;
mod failure;
mod find;
mod matches;
mod openings;
pub mod order;
mod output;
pub mod referee;
mod resume;
pub mod rules_command;
#[cfg(test)]
mod script;
mod sentences;
mod serve;
mod session;
mod standing;
mod stdin;
mod stop;
mod strength;
mod tables;
mod terms;
mod under_way;

use std::io::Write;
use std::time::Duration;

pub use failure::Failure;
pub use output::Output;

use app::{App, Config};
use args::{Args, Command, Common};
use stop::Stop;

/// What may still run when a command is done gets this long.
const AFTERMATH: Duration = Duration::from_secs(1);

/// Carries out a command line; what went wrong is for the caller to tell.
pub fn run(args: Args, output: &mut Output) -> Result<(), Failure> {
    let common = args.common;
    match args.command {
        Command::Referee => answer_requests(),
        Command::Host(host) => in_runtime(|stop| come::host(&common, host, stop, output)),
        Command::Join(join) => in_runtime(|stop| come::join(&common, join, stop, output)),
        Command::Watch(watch) => in_runtime(|stop| come::watch(&common, watch, stop, output)),
        Command::Resume(resume) => in_runtime(|stop| resume::run(&common, resume, stop, output)),
        Command::Tables(tables) => in_runtime(|stop| tables::run(&common, tables, stop, output)),
        Command::Serve(serve) => in_runtime(|stop| serve::run(&common, serve, stop, output)),
        Command::Rules(asked) => rules_command::run(&asked, output),
        Command::Brain(asked) => brain::run(&asked),
        Command::Match(asked) => matches::run(&asked, output),
        Command::Openings(asked) => openings::run(&asked, output),
        Command::Strength(asked) => strength::run(&asked, output),
        Command::Bench(bench) => bench::run(&bench, output),
    }
}

/// Runs a command that a signal ends politely. Signals are listened to before anything else is done.
fn in_runtime<F>(command: impl FnOnce(Stop) -> F) -> Result<(), Failure>
where
    F: Future<Output = Result<(), Failure>>,
{
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|why| Failure::new("internal", format!("no thread can be started ({why}): end other programs")))?;
    let done = runtime.block_on(async { command(Stop::new()?).await });
    runtime.shutdown_timeout(AFTERMATH);
    done
}

fn answer_requests() -> Result<(), Failure> {
    match referee::run(std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => Ok(()),
        // Whoever asked has gone.
        Err(why) if why.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(why) => Err(Failure::new("internal", format!("stdin or stdout failed ({why}): check where they lead"))),
    }
}

/// Starts the app on the data folder of the command line.
async fn start(common: &Common) -> Result<App, Failure> {
    let data = common.data.clone().or_else(app::data_folder).ok_or_else(|| {
        Failure::usage("data-unwritable", "this system names no folder for data: choose one with --data")
    })?;
    let app = App::start(Config { port: common.port, ..Config::new(data) }).await?;
    for line in app.mended() {
        // Whoever closed stderr wants no warnings.
        let _ = writeln!(std::io::stderr(), "c5: warning: {}", line.replace(['\n', '\r'], " "));
    }
    Ok(app)
}
