// Of the same words in every language, show the first that the reader can read; English if none.
const mains = [...document.querySelectorAll("main")];
const speaks = (main, wanted) => main.lang.split("-")[0] === wanted.toLowerCase().split("-")[0];
const chosen = navigator.languages.map((wanted) => mains.find((main) => speaks(main, wanted))).find(Boolean) ?? mains[0];
for (const main of mains) main.hidden = main !== chosen;
document.documentElement.lang = chosen.lang;
chosen.querySelector("a").focus();
