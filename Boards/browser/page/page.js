// The page: its controls, the time, and what it tells.

const element = (id) => document.getElementById(id);
const panel = new Panel(element("panel"));
const rides = { tour: element("ride-tour").textContent, short: element("ride-short").textContent };

/** What belongs to the page alone; all else in the address is a key of the board file. */
const own = {
  colour: ["blue", "white"],
  phone: ["komoot", "gadgetbridge"],
  ride: ["tour", "short"],
  speed: Array.from({ length: 40 }, (_, index) => String(index + 1)),
};
const usual = {
  panel: "ssd1306-128x64", rotation: "0", colour: "blue", language: "en", units: "metric",
  // What a phone can say beside its turns is shown, so that it can be tried.
  extra: "auto", notifications: "all", music: "on",
  phone: "komoot", ride: "tour", speed: "4",
};

/** Those of the panel; the page itself speaks fewer. */
const languages = Array.from(document.getElementById("key-language").options, (option) => option.value);

/** The keys of the board file that have a control. */
const boardKeys = Array.from(document.querySelectorAll("[id^=key-]"), (control) => control.id.slice(4));

let device;
let settings = {};
let ownRide = null;
let direction = 0;
let isNear = true;
/** How far the link to the phone is: `none`, `connected`, `encrypted`. */
let link = "none";
let isPairing = false;
let glassNumber = -1;
let spoken = "";

// MARK: The address

/** The settings of the address, and the usual ones for the rest. */
function readAddress() {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  for (const [key, values] of Object.entries(own)) if (!values.includes(given[key])) delete given[key];
  return { ...usual, language: languageOfReader(), ...given };
}

function languageOfReader() {
  return navigator.languages.map((name) => name.slice(0, 2)).find((code) => languages.includes(code)) ?? "en";
}

function writeAddress() {
  const said = Object.entries(settings).filter(([key, value]) => value !== usual[key]);
  history.replaceState(null, "", said.length ? `#${new URLSearchParams(said)}` : location.pathname + location.search);
}

/** The lines of the board file that the settings make; a phone that connects by itself needs what it connects to. */
function board() {
  const all = settings.phone === "gadgetbridge" ? { ...settings, advertise: "on" } : settings;
  return Object.entries(all).filter(([key]) => !Object.hasOwn(own, key)).map(([key, value]) => `${key} = ${value}\n`).join("");
}

// MARK: What is told

function complain(sentence) {
  element("trouble").textContent = sentence;
  element("trouble").hidden = !sentence;
}

function hear(event) {
  if (event.event === "instruction") direction = directionOf(event);
  if (event.event === "pairing") isPairing = event.state === "confirm";
  if (event.event === "link") followLink(event.state);
  if (event.event === "frame") element("bus").dataset.frame = `${event.bytes} ${event.messages}`;
  const { topic, t, event: name, ...rest } = event;
  const line = document.createElement("p");
  line.dataset.topic = topic;
  line.hidden = !isChosen(topic);
  const fields = Object.entries(rest).map(([key, value]) => `${key} ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");
  for (const part of [t.toFixed(3), name, fields]) {
    const span = document.createElement("span");
    span.textContent = part;
    line.append(span);
  }
  return line;
}

function followLink(state) {
  if (state === "encrypted") link = "encrypted";
  else if (state === "ready") link = link === "encrypted" ? link : "connected";
  else link = state === "connected" ? state : "none";
  if (link === "none") isPairing = false;
}

function isChosen(topic) {
  return document.querySelector(`input[name="topic"][value="${topic}"]`)?.checked ?? true;
}

function tellEvents() {
  const events = device.takeEvents();
  if (!events.length) return;
  const log = element("log");
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 24;
  log.append(...events.slice(-300).map(hear));
  while (log.childElementCount > 300) log.firstElementChild.remove();
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

function tellState() {
  setText(element("phone-state"), !isNear ? text.away : link === "none" ? text.searching : text[link]);
  setText(element("near"), isNear ? text.lose : text.find);
  element("near").classList.toggle("first", !isNear);
  element("pairing").hidden = !isPairing;
  if (isPairing) setText(element("digits"), String(device.program.digits()).padStart(6, "0").replace(/^.../, "$& "));
  const [bytes, messages] = (element("bus").dataset.frame ?? "0 0").split(" ");
  const time = (bytes * 0.0225).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
  setText(element("bus"), text.bus(bytes, messages, time));
  element("progress").value = device.program.progress();
  element("again").classList.toggle("first", device.program.progress() === 1000);
  element("alert").hidden = device.program.isAlertHigh() === 0;
  tellSensors();
  tellExtras();
}

/** What changes is told by screen readers: so nothing is written that stands there already. */
function setText(place, words) {
  if (place.textContent !== words) place.textContent = words;
}

/** Lines with the halves of a word in one, and with the smaller digits behind a number's mark. */
function joined(lines) {
  return lines.join("\n").replaceAll("\n-\n", "").replace(/(?<=\d)\n(?=[.,]\d)/g, "").split("\n");
}

/** The lines of the panel as a sentence, with a word for the arrow that they do not have themselves. */
function readPanel(lines) {
  const arrow = directionWord(direction);
  const rest = joined(lines.filter((line) => line !== "\u0001"));
  // The finish, 3, has another name when it is reached; who is off the route, 30, always reads so.
  const names = [arrow, direction === 3 ? text.arrived : arrow].map((name) => name.toLowerCase());
  const isSaid = !lines.includes("\u0001") || direction === 30 || rest.some((line) => names.includes(line.toLowerCase()));
  return (isSaid ? rest : [`${arrow}${text.colon}`, ...rest]).join(" ");
}

function tellPanel() {
  if (device.program.glassNumber() === glassNumber) return;
  glassNumber = device.program.glassNumber();
  panel.show(device.glass, device.shape, device.program.contrast());
  const words = panel.isDark ? text.dark : readPanel(device.words);
  setText(element("words"), words);
  // Distances fall each second: only what is new apart from numbers is spoken.
  const news = words.replace(/[\d.,]+/g, "");
  if (news !== spoken) setText(element("spoken"), words);
  spoken = news;
}

function tell() {
  tellEvents();
  tellPanel();
  tellState();
}

// MARK: Time

let last = null;

function frame(now) {
  // A page that was hidden stands still.
  const passed = last === null ? 0 : Math.min(250, Math.floor(now - last));
  last = last === null ? now : last + Math.floor(now - last);
  try {
    if (passed > 0) device.program.pass(passed);
    tell();
  } catch (error) {
    complain(text.stopped + error.message);
    throw error;
  }
  requestAnimationFrame(frame);
}

// MARK: Settings

function change(key, value) {
  settings[key] = value;
  writeAddress();
  apply(key);
}

/** Does what a setting says; without a key, all of them. Returns whether the board can be so. */
function apply(key = null) {
  if (key === null || key === "language") speak(settings.language);
  if (key === null || key === "colour") panel.colour = settings.colour;
  if (key === null || key === "phone" || !Object.hasOwn(own, key)) {
    device.program.choosePhone(own.phone.indexOf(settings.phone));
    const mistake = device.start(board());
    complain(mistake === null ? "" : text.settings + mistake);
    if (mistake !== null) return false;
    isPairing = false;
    link = "none";
    const { width, height, quarters } = device.shape;
    element("case").classList.toggle("upright", quarters % 2 === 1 && width !== height);
    element("case").classList.toggle("square", width === height);
    element("case").classList.toggle("small", quarters % 2 === 0 && width < 100);
    glassNumber = -1;
  }
  if (key === null || key === "speed") {
    device.program.setSpeed(Number(settings.speed));
    element("speed-shown").textContent = `${settings.speed} ×`;
  }
  if (key === null || key === "ride") beginRide();
  if (key === null || key === "phone") chooseExtras();
  if (key === "phone") standStill(false);
  panel.draw();
  return true;
}

function beginRide() {
  device.ride(new TextEncoder().encode(rides[settings.ride]));
  standStill(false);
}

function standStill(isPaused) {
  for (const id of ["pause", "tunnel"]) element(id).setAttribute("aria-pressed", String(id === "pause" && isPaused));
  stopTurning(isPaused);
}

async function openRide(file) {
  if (!file) return;
  if (file.size > 4 << 20) return complain(text.tooLarge);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const problem = device.ride(bytes);
  complain(problem ? text.problems[problem.problem].replace("{line}", problem.line) : "");
  if (problem) return;
  ownRide = bytes;
  element("ride").querySelector("[value=own]").hidden = false;
  element("ride").value = "own";
  standStill(false);
}
