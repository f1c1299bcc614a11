// What the reader presses, chooses and drops.

const shortestPress = 80;

/** A contact that is closed as long as the button or its key is held. */
function contact(id, number, letter) {
  const button = element(id);
  const held = new Set();
  let since = 0;
  const hold = (by) => {
    if (held.size === 0) {
      device.program.touch(number, 1);
      since = performance.now();
    }
    held.add(by);
    button.classList.add("pressed");
  };
  const open = () => {
    if (held.size > 0) return;
    device.program.touch(number, 0);
    button.classList.remove("pressed");
  };
  const release = (by) => {
    if (!held.delete(by) || held.size > 0) return;
    // A contact that was closed for less time bounces, to the device; a tap may be as short.
    setTimeout(open, Math.max(0, shortestPress - (performance.now() - since)));
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    hold("pointer");
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, () => release("pointer"));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  // A screen reader clicks without a pointer or a key.
  let wasHeld = false;
  button.addEventListener("click", (event) => {
    if (event.detail !== 0 || wasHeld) return void (wasHeld = false);
    hold("click");
    release("click");
  });
  addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnButton = event.target === button && (event.key === " " || event.key === "Enter");
    if (isOnButton) wasHeld = true;
    if (isOnButton || (event.key.toLowerCase() === letter && !takesLetters(event.target))) hold(event.code);
  });
  addEventListener("keyup", (event) => release(event.code));
  addEventListener("blur", () => [...held].forEach(release));
}

/** A list chooses by letters, too. */
function takesLetters(target) {
  return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && !["checkbox", "range"].includes(target.type));
}

function toggle(id, act) {
  element(id).addEventListener("click", () => {
    const isOn = element(id).getAttribute("aria-pressed") !== "true";
    element(id).setAttribute("aria-pressed", String(isOn));
    act(isOn ? 1 : 0);
  });
}

/** Sets the controls to the settings, and listens to them. */
function connectControls() {
  for (const key of boardKeys) element(`key-${key}`).addEventListener("change", (event) => change(key, event.target.value));
  for (const key of ["colour", "phone"]) element(key).addEventListener("change", (event) => change(key, event.target.value));
  element("speed").addEventListener("input", (event) => change("speed", event.target.value));
  element("ride").addEventListener("change", (event) => {
    if (event.target.value !== "own") return change("ride", event.target.value);
    device.ride(ownRide);
    standStill(false);
  });
  element("again").addEventListener("click", () => {
    device.program.rideAgain();
    standStill(false);
  });
  element("arrive").addEventListener("click", () => {
    device.program.arrive();
    standStill(false);
  });
  toggle("pause", (isOn) => {
    device.program.setPaused(isOn);
    stopTurning(isOn === 1);
  });
  toggle("tunnel", (isOn) => device.program.setTunnel(isOn));
  element("near").addEventListener("click", () => {
    isNear = !isNear;
    device.program.setNear(isNear ? 1 : 0);
  });
  element("save").addEventListener("click", () => panel.save("lenker.png"));
  element("open").addEventListener("click", () => element("file").click());
  element("file").addEventListener("change", (event) => {
    openRide(event.target.files[0]);
    event.target.value = "";
  });
  for (const box of document.querySelectorAll("input[name=topic]"))
    box.addEventListener("change", () => {
      for (const line of element("log").children) line.hidden = !isChosen(line.dataset.topic);
    });
  contact("a", 0, "a");
  contact("b", 1, "b");
  connectSensors();
  connectExtras();
}

function showSettings() {
  for (const key of boardKeys) element(`key-${key}`).value = settings[key];
  for (const key of ["colour", "phone", "ride", "speed"]) element(key).value = settings[key];
}

/** Rides as the address says, or where the device cannot, as it usually does below a sentence that says so. */
function followAddress() {
  settings = readAddress();
  showSettings();
  if (apply()) return;
  const { textContent } = element("trouble");
  const { language } = settings;
  settings = { ...usual, language: languages.includes(language) ? language : languageOfReader() };
  showSettings();
  apply();
  complain(textContent);
}

function acceptDrops() {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    openRide(event.dataTransfer.files[0]);
  });
}

// MARK: Start

writeExtras();
speak(readAddress().language);
try {
  device = await Device.load("lenker.wasm");
} catch (error) {
  complain(text.failed + error.message);
  throw error;
}
followAddress();
connectControls();
acceptDrops();
addEventListener("hashchange", followAddress);
tell();
requestAnimationFrame(frame);
