//! The archive of finished games, and its index kept in step with it.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use table::{DeviceId, TableId};

use crate::disk::{make_folder, move_aside, open_file, set_aside, write_whole};
use crate::game::Finished;
use crate::index::{Entry, Extent, Index};
use crate::lines::{Appender, Format, State, Sum, scan};
use crate::store::{Fault, Memory, Sled};
use crate::{OpenError, Warning, error::unwritable};

/// Longest line of a game, in bytes: thousands of moves.
pub const GAME_BYTES_MAX: usize = 1024 * 1024;
/// Games put into the index at a time.
const BATCH_GAMES: usize = 256;

pub(crate) const FORMAT: Format =
    Format { title: "capture-five archive", version: 1, payload_bytes_max: GAME_BYTES_MAX, placed: false };

#[derive(Debug)]
pub(crate) struct Archive {
    path: PathBuf,
    end: Appender,
    count: Count,
    index: Index,
}

impl Archive {
    /// Mends the file, and makes the index fit it. The index never keeps the archive from being opened.
    pub fn open(folder: &Path, warnings: &mut Vec<Warning>) -> Result<Archive, OpenError> {
        let path = folder.join("archive").join("games.c5a");
        make_folder(&folder.join("archive")).map_err(unwritable(&path))?;
        let Some((sums, length)) = mend(&path, warnings).map_err(unwritable(&path))? else {
            return Err(OpenError::Newer(path));
        };
        let file = OpenOptions::new().read(true).write(true).open(&path).map_err(unwritable(&path))?;
        let mut count = Count::default();
        sums.iter().for_each(|sum| count.add(sum));
        let mut archive = Archive { path, end: Appender::new(file, length), count, index: Index::new(Memory::new()) };
        archive.open_index(&folder.join("index"), sums, warnings);
        Ok(archive)
    }

    /// A game that was taken up again after its end, by an undo or where logs parted, takes the place of what it was. Who
    /// sat down or stood up since then changes nothing.
    pub fn add(&mut self, game: &Finished) -> io::Result<()> {
        let name = (game.table, game.number);
        let kept = self.read(|index| index.place(name)).flatten();
        let kept = kept.and_then(|place| Finished::from_line(&self.read(|index| index.game(place))?));
        if kept.is_some_and(|kept| kept.is_same_course(game)) {
            return Ok(());
        }
        let line = game.to_line();
        self.append(&line)?;
        let added = self.index.add(self.count.games - 1, &[Entry { name: Some(name), line }], self.count.extent());
        if let Err(fault) = added {
            self.go_on_without(&fault);
        }
        Ok(())
    }

    pub fn len(&self) -> usize {
        let superseded = self.index.superseded().unwrap_or(0);
        usize::try_from(self.count.games.saturating_sub(superseded)).unwrap_or(usize::MAX)
    }

    /// Newest first. Games of a later version are left out.
    pub fn games(&mut self, skip: usize, limit: usize) -> Vec<Finished> {
        let places = (0..self.count.games).rev();
        let games = places.filter_map(|place| {
            let game = Finished::from_line(&self.read(|index| index.game(place))?)?;
            let newest = self.read(|index| index.place((game.table, game.number))).flatten();
            newest.is_none_or(|newest| newest == place).then_some(game)
        });
        games.skip(skip).take(limit).collect()
    }

    /// One game, as it ended last.
    pub fn game(&mut self, table: TableId, number: u32) -> Option<Finished> {
        let place = self.read(|index| index.place((table, number))).flatten()?;
        Finished::from_line(&self.read(|index| index.game(place))?)
    }

    pub fn remember(&mut self, table: TableId, addresses: &[(DeviceId, Vec<SocketAddr>)]) {
        if let Err(fault) = self.index.remember(table, addresses) {
            self.go_on_without(&fault);
        }
    }

    pub fn remembered(&mut self, table: TableId) -> Vec<(DeviceId, Vec<SocketAddr>)> {
        self.read(|index| index.remembered(table)).unwrap_or_default()
    }

    pub fn forget(&mut self, table: TableId) {
        if let Err(fault) = self.index.forget(table) {
            self.go_on_without(&fault);
        }
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let (bytes, sum) = FORMAT.line(0, line)?;
        self.end.append(&bytes)?;
        self.count.add(&sum);
        Ok(())
    }

    /// From the index; if it fails, from one made anew in memory.
    fn read<T>(&mut self, read: impl Fn(&Index) -> Result<T, Fault>) -> Option<T> {
        read(&self.index)
            .or_else(|fault| {
                self.go_on_without(&fault);
                read(&self.index)
            })
            .ok()
    }

    /// The index failed: until the end of the process there is one in memory, and the next start makes it anew.
    fn go_on_without(&mut self, fault: &Fault) {
        tracing::warn!(%fault, "the index of finished games is kept in memory from now on");
        let _ = self.index.distrust();
        self.use_memory();
    }

    fn use_memory(&mut self) {
        let mut index = Index::new(Memory::new());
        if let Err(fault) = self.put_in(&mut index, 0) {
            tracing::error!(%fault, "the archive cannot be read");
        }
        self.index = index;
    }

    fn open_index(&mut self, path: &Path, sums: Vec<Sum>, warnings: &mut Vec<Warning>) {
        let first = Sled::open(path).map(Index::new).and_then(|index| self.fit(index, &sums));
        let Err(fault) = first else { return };
        if matches!(fault, Fault::Unusable(_)) {
            tracing::warn!(%fault, "the index of finished games is kept in memory");
            return self.use_memory();
        }
        let second = move_aside(path, "damaged").map_err(|error| Fault::Unusable(error.to_string()));
        let second = second.and_then(|aside| {
            tracing::warn!(%fault, aside = %aside.display(), "the index was damaged; it is made anew");
            warnings.push(Warning::IndexRebuilt { aside });
            Sled::open(path).map(Index::new).and_then(|index| self.fit(index, &sums))
        });
        if let Err(fault) = second {
            tracing::warn!(%fault, "the index of finished games is kept in memory");
            self.use_memory();
        }
    }

    /// Takes an index that fits the archive, or is made to.
    fn fit(&mut self, mut index: Index, sums: &[Sum]) -> Result<(), Fault> {
        let extent = index.extent()?;
        let held = extent.and_then(|extent| Some((extent, sums.get(..usize::try_from(extent.games).ok()?)?)));
        let from = match held {
            Some((extent, sums)) if Count::of(sums).extent() == extent => extent.games,
            Some(_) | None => {
                self.rescue(&index)?;
                index.clear()?;
                0
            }
        };
        self.put_in(&mut index, from)?;
        self.index = index;
        Ok(())
    }

    /// Games that the index has and the archive has lost go back into the archive.
    fn rescue(&mut self, index: &Index) -> Result<(), Fault> {
        let lines = index.games()?;
        if lines.is_empty() {
            return Ok(());
        }
        let mut names = BTreeSet::new();
        self.lines(|line| names.extend(Finished::name_in(line))).map_err(unusable)?;
        for line in lines {
            if Finished::name_in(&line).is_some_and(|name| names.insert(name)) {
                self.append(&line).map_err(unusable)?;
            }
        }
        Ok(())
    }

    /// Puts the archive's games from number `from` on into the index.
    fn put_in(&self, index: &mut Index, from: u64) -> Result<(), Fault> {
        if from == self.count.games {
            return Ok(());
        }
        let mut count = Count::default();
        let mut batch: Vec<Entry> = Vec::new();
        let mut put = Ok(());
        let file = File::open(&self.path).map_err(unusable)?;
        scan(&FORMAT, BufReader::new(file), |line| {
            count.add(&line.sum);
            if count.games > from && put.is_ok() {
                batch.push(Entry { name: Finished::name_in(line.payload), line: line.payload.to_vec() });
            }
            if batch.len() == BATCH_GAMES {
                put = index.add(count.games - batch.len() as u64, &batch, count.extent());
                batch.clear();
            }
        })
        .map_err(unusable)?;
        put?;
        index.add(count.games - batch.len() as u64, &batch, count.extent())
    }

    fn lines(&self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        scan(&FORMAT, BufReader::new(File::open(&self.path)?), |line| each(line.payload))?;
        Ok(())
    }
}

fn unusable(error: io::Error) -> Fault {
    Fault::Unusable(error.to_string())
}

/// Checksums of the good lines, and the length of the file, which then holds just these. `None` if it is of a later version.
fn mend(path: &Path, warnings: &mut Vec<Warning>) -> io::Result<Option<(Vec<Sum>, u64)>> {
    let mut sums = Vec::new();
    let found = match open_file(path) {
        Ok(file) => Some(scan(&FORMAT, BufReader::new(file), |line| sums.push(line.sum))?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    match found.map(|found| (found.state, found.good_bytes)) {
        Some((State::Newer, _)) => return Ok(None),
        // The appender cuts what is behind the good bytes.
        Some((State::Whole | State::Torn, good_bytes)) if good_bytes > 0 => return Ok(Some((sums, good_bytes))),
        Some((State::Whole | State::Torn, _)) | None => write_whole(path, FORMAT.header().as_bytes())?,
        Some((State::Damaged, _)) => {
            let mut content = FORMAT.header().into_bytes();
            let mut failed = Ok(());
            scan(&FORMAT, BufReader::new(File::open(path)?), |line| match FORMAT.line(0, line.payload) {
                Ok((line, _)) => content.extend(line),
                Err(error) => failed = Err(error),
            })?;
            failed?;
            let aside = set_aside(path, || write_whole(path, &content))?;
            warnings.push(Warning::FileDamaged { aside });
        }
    }
    Ok(Some((sums, fs::metadata(path)?.len())))
}

/// Counts lines, with a hash over their checksums.
#[derive(Clone, Debug, Default)]
struct Count {
    games: u64,
    sums: blake3::Hasher,
}

impl Count {
    fn of(sums: &[Sum]) -> Count {
        let mut count = Count::default();
        sums.iter().for_each(|sum| count.add(sum));
        count
    }

    fn add(&mut self, sum: &Sum) {
        self.games += 1;
        self.sums.update(sum);
    }

    fn extent(&self) -> Extent {
        let digest = self.sums.finalize().as_bytes()[..16].try_into().unwrap_or_default();
        Extent { games: self.games, digest }
    }
}
