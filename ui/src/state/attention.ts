// What calls a person back: a tap that is felt, a notification while the page is hidden. Never without having been asked for.

/** Taps in milliseconds: one for the own turn; two short ones for a point that is forbidden. */
export const FELT = { turn: [40], forbidden: [18, 40, 18] } as const;

export const canVibrate = (): boolean => typeof navigator.vibrate === "function";

export function vibrate(pattern: readonly number[]) {
  if (canVibrate()) navigator.vibrate([...pattern]);
}

export const canNotify = (): boolean => typeof Notification !== "undefined";

/** Asks the system, after a person's tap; whether it allows it. */
export async function askToNotify(): Promise<boolean> {
  if (!canNotify()) return false;
  if (Notification.permission === "granted") return true;
  return (await Notification.requestPermission()) === "granted";
}

/** One notification a table: a newer one takes its place. Only while the page is hidden. */
export function notify(title: string, body: string, tag: string) {
  if (!document.hidden || !canNotify() || Notification.permission !== "granted") return;
  const note = new Notification(title, { body, tag });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}
