// Every screen and state that there is a prepared view for, and how to come to it.

/** The sizes that they are looked at in: width and height in pixels. */
export const SMALL = [320, 568];
export const PHONE = [360, 640];
export const TABLET = [768, 1024];
export const WIDE = [1280, 800];
/** Phones on their side. */
export const LYING = [640, 360];
export const LYING_LARGE = [844, 390];

/** Fixtures that are shown as they are. */
export const GAMES =
  "game-two ask-undo ask-draw ask-four ask-mine ask-options watch watch-four watch-over away-wait away-ranked taken own-taken silent opening long-two long-four long-result cut-alone clock hurry clock-four not-saved not-saved-asked halted left toss has-left just-left left-four next-game sent outage away keeper three overtime take nineteen swap2 swap2-away swap2-wait swap2-taken swap2-cut swap2-cut-alone swap2-halted swap2-not-saved swap2-asked result result-four draw resigned optional".split(" ");


const INVITE = ["[data-testid=by-invite]"];
const LESSON = ["[data-testid=topic-capture-five-capture]"];
const TYPED = (text) => [...INVITE, ["[data-testid=invite-input]", text], "[data-testid=invite-join]"];

/** Where to tap before the picture is taken, or what to type where. */
export const STEPS = {
  "aim": { fixture: "game-two", query: "&confirm=1", steps: ["[data-point=K10]"] },
  "told-fours": { fixture: "fours", query: "&confirm=1", steps: ["[data-point=I5]"] },
  "told-overline": { fixture: "fours", query: "&confirm=1", steps: ["[data-point=L10]"] },
  "told-ring": { fixture: "keep-out", query: "&confirm=1", steps: ["[data-point=I9]"] },
  "told-flank": { fixture: "keep-out", query: "&confirm=1", steps: ["[data-point=D3]"] },
  "warned": { fixture: "threats", query: "", steps: ["[data-testid=threats]"] },
  "warned-two": { fixture: "game-two", query: "", steps: ["[data-testid=threats]"] },
  "told": { fixture: "game-two", query: "&confirm=1", steps: ["[data-point=F6]"] },
  "aim-overtime": { fixture: "overtime", query: "&confirm=1", steps: ["[data-point=F7]"] },
  "aim-take": { fixture: "take", query: "&confirm=1", steps: ["[data-point=K8]"] },
  "aim-optional": { fixture: "optional", query: "&confirm=1", steps: ["[data-point=I10]", "[data-point=G10]"] },
  "aim-flank": { fixture: "optional", query: "&confirm=1", steps: ["[data-point=G5]"] },
  "rules": { fixture: "game-two", query: "", steps: ["[data-testid=rules]"] },
  "rules-four": { fixture: "away", query: "", steps: ["[data-testid=rules]"] },
  "undo": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-undo]"] },
  "invite": { fixture: "apart", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-invite]"] },
  "apart": { fixture: "apart", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-apart]"] },
  "branch": { fixture: "apart", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-apart]", "[data-testid^=branch-]", "[data-testid=next]"] },
  "terms": { fixture: "lobby-invite", query: "", steps: ["[data-testid=terms]"] },
  "lobby-invite": { fixture: "lobby-invite", query: "", steps: [] },
  "ask-lobby": { fixture: "ask-lobby", query: "", steps: [] },
  "ask-terms": { fixture: "ask-options", query: "", steps: ["[data-testid=question] [data-testid=rules]"] },
  "cpu-ranked": { fixture: "away-ranked", query: "", steps: ["[data-hears=true] [data-testid=cpu-now]"] },
  "home-full": { fixture: "home-full", query: "", steps: [] },
  "invite-wrong": { fixture: "home", query: "", steps: TYPED("7K4M-2Q9") },
  "invite-nobody": { fixture: "home", query: "", steps: TYPED("7K4M-2Q9T-XH3P") },
  "invite-looking": { fixture: "home", query: "", steps: TYPED("7K4M-2Q9T-XH3Q") },
  "home-invite": { fixture: "home", query: "", steps: INVITE },
  "setup-table": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=pin]"] },
  "pin": { fixture: "pin", query: "", steps: [] },
  "pin-wrong": { fixture: "pin-wrong", query: "", steps: [] },
  "aim-ask": { fixture: "ask-undo", query: "&confirm=1", steps: ["[data-point=K10]"] },
  "menu-watch": { fixture: "watch", query: "", steps: ["[data-testid=menu]"] },
  "menu-undo-waits": { fixture: "undo-waits", query: "", steps: ["[data-testid=menu]"] },
  "menu-over": { fixture: "undo-over", query: "", steps: ["[data-testid=menu]"] },
  "phrases": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-phrases]"] },
  "keys": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-keys]"] },
  "stand": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-stand]"] },
  "numbers": { fixture: "result", query: "&numbers=1", steps: [] },
  "numbers-four": { fixture: "away", query: "&numbers=1", steps: [] },
  "menu": { fixture: "game-two", query: "", steps: ["[data-testid=menu]"] },
  "resign": { fixture: "game-two", query: "", steps: ["[data-testid=menu]", "[data-testid=menu-resign]"] },
  "home": { fixture: "home", query: "", steps: [] },
  "home-many": { fixture: "many", query: "", steps: [] },
  "home-first": { fixture: "first-start", query: "", steps: [] },
  "home-nothing": { fixture: "nothing", query: "", steps: [] },
  "home-offline": { fixture: "offline", query: "", steps: [] },
  "home-forget": { fixture: "many", query: "", steps: [".continue .icon-btn"] },
  "setup": { fixture: "home", query: "&screen=setup", steps: [] },
  "setup-name": { fixture: "first-start", query: "&screen=setup", steps: ["[data-testid=open-table]"] },
  "setup-teams": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=seats-4]", "[data-testid=teams]"] },
  "setup-here": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=seats-3]", "[data-testid=seat-kind-1-here]", "[data-testid=seat-kind-2-cpu]", "[data-testid=favourite-ask]"] },
  "setup-swap": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=seats-4]", "[data-testid=teams]", "[data-testid=seat-kind-3-cpu]", "[data-testid=partner-3]"] },
  "lobby-squat": { fixture: "lobby-squat", query: "", steps: [] },
  "lobby-asked": { fixture: "lobby-asked", query: "", steps: ["[data-testid=ask-stand-2]"] },
  "setup-rules": { fixture: "home", query: "&screen=setup", steps: ["[data-testid=preset-pente-swap2]", "[data-testid=rules]"] },
  "lobby-rules": { fixture: "lobby", query: "", steps: ["[data-testid=rules]"] },
  "lobby-longest": { fixture: "lobby-longest", query: "", steps: [] },
  "lobby-longest-rules": { fixture: "lobby-longest", query: "", steps: ["[data-testid=rules]"] },
  "lobby": { fixture: "lobby", query: "", steps: [] },
  "lobby-guest": { fixture: "lobby-guest", query: "", steps: [] },
  "lobby-toss": { fixture: "lobby-toss", query: "", steps: [] },
  "lobby-left": { fixture: "lobby-left", query: "", steps: [] },
  "lobby-teams": { fixture: "lobby-teams", query: "", steps: [] },
  "joining": { fixture: "joining", query: "", steps: [] },
  "settings": { fixture: "home", query: "&screen=settings", steps: [] },
  "study": { fixture: "home", query: "&screen=history", steps: ["[data-testid$='/2'] .open", "[data-testid=move-14]", "[data-testid=analyse]", "[data-testid=threats]"] },
  "study-way": { fixture: "home", query: "&screen=history", steps: ["[data-testid$='/2'] .open", "[data-testid=move-14]", "[data-point=C3]", "[data-testid=to-game]"] },
  "study-many": { fixture: "home", query: "&screen=history", steps: ["[data-testid$='/1'] .open", "[data-testid=last]"] },
  "study-editor": { fixture: "home", query: "&screen=study", steps: ["[data-point=H8]", "[data-testid=tool-white]", "[data-point=I8]"] },
  "study-rules": { fixture: "home", query: "&screen=study", steps: ["[data-testid=editor-rules]"] },
  "learn": { fixture: "home", query: "&screen=learn", steps: [] },
  "learn-puzzles": { fixture: "home", query: "&screen=learn", steps: ["[data-testid=part-puzzles]"] },
  "learn-words": { fixture: "home", query: "&screen=learn", steps: ["[data-testid=part-words]"] },
  "learn-questions": { fixture: "home", query: "&screen=learn", steps: ["[data-testid=part-questions]", "[data-testid=question-win] summary"] },
  "lesson": { fixture: "home", query: "&screen=learn", steps: LESSON },
  "lesson-hint": { fixture: "home", query: "&screen=learn", steps: [...LESSON, "[data-testid=hint]", "[data-testid=hint]"] },
  "lesson-wrong": { fixture: "home", query: "&screen=learn", steps: [...LESSON, "[data-point=C3]"] },
  "lesson-right": { fixture: "home", query: "&screen=learn", steps: [...LESSON, "[data-point=F5]"] },
  "puzzle": { fixture: "home", query: "&screen=learn", steps: ["[data-testid=part-puzzles]", "[data-testid=today]"] },
  "history": { fixture: "home", query: "&screen=history", steps: [] },
};

export const NAMES = [...GAMES, ...Object.keys(STEPS)];
