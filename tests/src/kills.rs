//! Devices that die while a game goes on, again and again: at a step of writing to the disk (`C5_DIE_AT_STEP`) or at
//! any moment, one or several at once. Each finds its seat again, and at the end nothing final is lost.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::figures::Figures;
use crate::room::{Plan, Room, is};

/// Deaths in one room at most.
const ROOM_KILLS: usize = 10;
/// The last step at which a process dies: some dozen records after its start, most of them entries.
const STEPS: u64 = 100;
/// A process that has not come to its step by then is killed as it stands.
const STEP_WAIT: Duration = Duration::from_secs(4);
const THINK: Duration = Duration::from_millis(40);

/// What happened in a room, or in all of them.
#[derive(Clone, Copy, Debug, Default)]
struct Deaths {
    at_steps: usize,
    at_moments: usize,
    final_acts: usize,
    in_branch: usize,
}

/// Kills so many times, in rooms of their own, so many of them at a time.
pub fn many(kills: usize, seed: u64, at_once: usize) -> Result<Figures> {
    let rooms = kills.div_ceil(ROOM_KILLS);
    let next = AtomicUsize::new(0);
    let play = || -> Result<Deaths> {
        let mut all = Deaths::default();
        loop {
            let room = next.fetch_add(1, Ordering::Relaxed);
            if room >= rooms {
                return Ok(all);
            }
            let here = ROOM_KILLS.min(kills - room * ROOM_KILLS);
            let seed = seed * 10_000 + room as u64;
            all.add(one_room(seed, here).with_context(|| format!("the room of seed {seed}"))?);
        }
    };
    let played: Vec<Result<Deaths>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once.min(rooms)).map(|_| scope.spawn(play)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a room does not panic")).collect()
    });
    let mut all = Deaths::default();
    for deaths in played {
        all.add(deaths?);
    }
    let mut figures = Figures::default();
    figures.count("rooms", rooms);
    figures.count("killed at a step of writing", all.at_steps);
    figures.count("killed at some moment", all.at_moments);
    figures.count("final acts in the log", all.final_acts);
    figures.count("final acts in branches", all.in_branch);
    Ok(figures)
}

impl Deaths {
    fn add(&mut self, other: Deaths) {
        self.at_steps += other.at_steps;
        self.at_moments += other.at_moments;
        self.final_acts += other.final_acts;
        self.in_branch += other.in_branch;
    }

    fn all(&self) -> usize {
        self.at_steps + self.at_moments
    }
}

fn one_room(seed: u64, kills: usize) -> Result<Deaths> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let seats = random.random_range(2..=3);
    let plan = Plan { think: THINK, seed, ..Plan::new(seats, "--grace never") };
    let mut room = Room::new(plan)?;
    let mut deaths = Deaths::default();
    while deaths.all() < kills {
        if room.devices.iter().any(|device| device.mortal && device.process.is_some()) {
            wait_for_a_death(&mut room, &mut deaths)?;
        } else {
            let moment = Duration::from_millis(random.random_range(0..1500));
            room.play(moment)?;
            let mut victims = room.running();
            victims.shuffle(&mut random);
            // One as often as not; else any number of them.
            let several = random.random_bool(0.5);
            victims.truncate(if several { random.random_range(1..=seats) } else { 1 });
            for victim in victims {
                room.kill(victim)?;
                deaths.at_moments += 1;
            }
        }
        room.play(Duration::from_millis(random.random_range(0..600)))?;
        let armed = deaths.all() < kills && random.random_bool(0.6);
        bring_back(&mut room, &mut random, armed, &mut deaths)?;
    }
    for device in room.running() {
        if room.devices[device].mortal {
            room.kill(device)?;
        }
    }
    bring_back(&mut room, &mut random, false, &mut deaths)?;
    room.settle()?;
    let kept = room.close()?;
    (deaths.final_acts, deaths.in_branch) = (kept.in_log, kept.in_branch);
    Ok(deaths)
}

/// Plays until a device with a fail point has died; those that have not come to it in time are killed.
fn wait_for_a_death(room: &mut Room, deaths: &mut Deaths) -> Result<()> {
    let since = Instant::now();
    let armed: Vec<usize> = room.running().into_iter().filter(|&device| room.devices[device].mortal).collect();
    let died = |room: &Room| armed.iter().any(|&device| room.devices[device].process.is_none());
    room.run("a death", |room| died(room) || since.elapsed() > STEP_WAIT)?;
    deaths.at_steps += armed.iter().filter(|&&device| room.devices[device].process.is_none()).count();
    for device in room.running() {
        if room.devices[device].mortal {
            room.kill(device)?;
            deaths.at_moments += 1;
        }
    }
    Ok(())
}

/// Starts what does not run, in any order, and sees that each has its seat; with fail points if `armed`. Whoever dies of
/// one before it has its seat is counted, and started again without.
fn bring_back(room: &mut Room, random: &mut ChaCha8Rng, armed: bool, deaths: &mut Deaths) -> Result<()> {
    let mut dead: Vec<usize> = (0..room.devices.len()).filter(|&d| room.devices[d].process.is_none()).collect();
    dead.shuffle(random);
    for device in dead {
        let step = ("C5_DIE_AT_STEP", random.random_range(1..=STEPS).to_string());
        let mut since = room.resume_with(device, if armed { std::slice::from_ref(&step) } else { &[] })?;
        let there = |room: &Room, since: Instant| room.since(device, since, is("table")).is_some();
        room.run("the table", |room| there(room, since) || room.devices[device].process.is_none())?;
        if !there(room, since) {
            deaths.at_steps += 1;
            since = room.resume_with(device, &[])?;
            room.run("the table", |room| there(room, since))?;
        }
        let table = room.told(device).filter(|told| told.at >= since).find(|told| told.event["event"] == "table");
        let seat = table.and_then(|told| told.event["seat"].as_u64());
        ensure!(seat == Some(device as u64), "device {device} has seat {seat:?}\n{}", room.story());
    }
    Ok(())
}
