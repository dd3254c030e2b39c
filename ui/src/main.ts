import { mount } from "svelte";
import Shell from "./App.svelte";
import { connect } from "./backend";
import { setLanguage } from "./i18n/index.svelte";
import { App } from "./state/app.svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/board.css";
import "./styles/screens.css";
import "./styles/play.css";
import "./styles/forced.css";

setLanguage("");
const app = new App(await connect());
mount(Shell, { target: document.getElementById("app")!, props: { app } });
await app.start();
