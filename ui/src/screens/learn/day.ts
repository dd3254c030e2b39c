// Days of the person's own calendar: the day's puzzle changes at their midnight.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Days since the first of January 1970 where this moment's clock shows so many minutes behind UTC. */
export const dayOf = (now: number, behindUtcMin: number): number => Math.floor((now - behindUtcMin * MINUTE_MS) / DAY_MS);

export const today = (): number => dayOf(Date.now(), new Date().getTimezoneOffset());
