//! The app's command line.

use std::path::PathBuf;

use clap::Parser;

/// Five in a row for people in one room: devices on the same network find each other and play.
#[derive(Debug, Parser)]
#[command(name = "capture-five", version, after_help = "Seats without a window, scripts and more: c5 --help")]
pub struct Arguments {
    /// Where everything is kept; one app at a time. Without it, the system's folder for this program
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The UDP port for links to other devices. Without it, 40515 where that is free, else any
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_read() {
        let parse = |line: &str| Arguments::try_parse_from(line.split(' '));
        let given = parse("capture-five --data here --port 7").expect("both are known");
        assert_eq!((given.data, given.port), (Some("here".into()), Some(7)));
        let none = parse("capture-five").expect("nothing is needed");
        assert_eq!((none.data, none.port), (None, None));
        assert!(parse("capture-five --port 70000").is_err());
        assert!(parse("capture-five --dta here").is_err());
    }
}
