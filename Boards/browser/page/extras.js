// What is around the ride: the sensors, and what happens on a phone.

/** In the order of their numbers; the radar has no figure. */
const sensors = ["strap", "wheel", "crank", "radar"];
/** What has become of a call, in the order of the numbers: none, ringing, taken, refused. */
const ringing = 1;

// MARK: Sensors

/** How fast wheel and crank turned before the pause. */
const before = new Map();

/** In a pause wheel and crank stand, unless the reader spins them. */
function stopTurning(isPaused) {
  for (const id of ["wheel", "crank"]) {
    const slider = element(`${id}-figure`);
    if (isPaused && !before.has(id)) {
      before.set(id, slider.value);
      spin(id, 0);
    } else if (!isPaused && before.has(id)) {
      if (slider.value === "0") spin(id, before.get(id));
      before.delete(id);
    }
  }
}

function spin(id, figure) {
  element(`${id}-figure`).value = figure;
  device.program.setFigure(sensors.indexOf(id), Number(figure));
}

function connectSensors() {
  for (const [number, id] of sensors.entries()) {
    const [box, slider] = [element(id), element(`${id}-figure`)];
    const follow = () => {
      device.program.setSensor(number, box.checked ? 1 : 0);
      if (slider) slider.disabled = !box.checked;
    };
    const measure = () => {
      device.program.setFigure(number, Number(slider.value));
      tellFigure(id);
    };
    box.addEventListener("change", follow);
    slider?.addEventListener("input", measure);
    // A browser may have kept what was chosen before.
    if (slider) measure();
    follow();
  }
  element("vehicle").addEventListener("click", () => device.program.vehicleComes());
}

function tellFigure(id) {
  const slider = element(`${id}-figure`);
  const words = `${slider.value} ${text.figures[id]}`;
  if (slider.ariaValueText !== words) slider.ariaValueText = words;
  setText(slider.nextElementSibling, words);
}

function tellSensors() {
  for (const [number, id] of sensors.entries()) {
    const { checked, parentElement } = element(id);
    const isLinked = device.program.isSensorLinked(number) !== 0;
    setText(parentElement.parentElement.querySelector(".state"), !checked ? text.sensorOff : isLinked ? text.connected : text.sensorNear);
    if (element(`${id}-figure`)) tellFigure(id);
  }
  element("vehicle").disabled = !element("radar").checked;
}

// MARK: Phones

/** The control of a phone's card. */
const extra = (phone, id) => element(`${phone}-${id}`);

/** Writes what both phones can do into the card of each. */
function writeExtras() {
  for (const card of document.querySelectorAll("section.extras")) {
    const { phone } = card.dataset;
    const part = element("extras").content.cloneNode(true);
    for (const one of part.querySelectorAll("[data-id]")) one.id = `${phone}-${one.dataset.id}`;
    for (const label of part.querySelectorAll("[data-for]")) label.htmlFor = `${phone}-${label.dataset.for}`;
    card.append(part);
  }
}

function connectExtras() {
  for (const phone of own.phone) {
    const act = (id, what) => extra(phone, id).addEventListener("click", what);
    act("choose", () => {
      element("phone").value = phone;
      change("phone", phone);
      // The button is gone.
      extra(phone, "ring").focus();
    });
    act("ring", () => {
      if (device.program.call() === ringing) device.program.hangUp();
      else device.ring(extra(phone, "caller").value);
    });
    act("notify", () => device.notify(extra(phone, "title").value, extra(phone, "message").value));
    act("play", () => device.program.play(device.song.length ? 0 : 1));
    act("next", () => device.program.playNext());
  }
}

/** The card of the phone that rides is the one that can be used. */
function chooseExtras() {
  for (const card of document.querySelectorAll("section.extras")) {
    const isChosen = card.dataset.phone === settings.phone;
    card.querySelector(".other").hidden = isChosen;
    for (const part of card.querySelectorAll("fieldset")) part.hidden = !isChosen;
  }
}

function tellExtras() {
  const { call, song } = { call: device.program.call(), song: device.song };
  for (const phone of own.phone) {
    const isChosen = phone === settings.phone;
    const isRinging = isChosen && call === ringing;
    const isPlaying = isChosen && song.length > 0;
    setText(extra(phone, "ring"), isRinging ? text.hangUp : text.ring);
    extra(phone, "ring").classList.toggle("first", isRinging);
    setText(extra(phone, "call-state"), isChosen ? text.calls[call] : "");
    setText(extra(phone, "play"), isPlaying ? text.stop : text.play);
    extra(phone, "next").disabled = !isPlaying;
    setText(extra(phone, "song"), isPlaying ? song.join(" – ") : "");
  }
}
