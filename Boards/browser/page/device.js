// The device: the firmware in WebAssembly, with a phone, a radio and a panel around it.

/** The functions of the seam, with texts instead of places in the program's memory. */
class Device {
  static async load(address) {
    const device = new Device();
    const imports = {
      page: {
        random: (place, count) => {
          const bytes = new Uint8Array(device.program.memory.buffer, place >>> 0, count >>> 0);
          // So many at once are allowed.
          for (let start = 0; start < bytes.length; start += 65536)
            crypto.getRandomValues(bytes.subarray(start, start + 65536));
        },
      },
    };
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), imports);
    device.program = instance.exports;
    return device;
  }

  #bytes(count) {
    const place = this.program.place(count) >>> 0;
    return new Uint8Array(this.program.memory.buffer, place, count);
  }

  #write(bytes) {
    this.#bytes(bytes.length).set(bytes);
    return bytes.length;
  }

  #read(count) {
    return new TextDecoder().decode(this.#bytes(count));
  }

  /** Switches it on with these lines of a board file; returns what is wrong with them, if anything is. */
  start(lines) {
    const count = this.program.start(this.#write(new TextEncoder().encode(lines)));
    return count > 0 ? this.#read(count) : null;
  }

  /** Begins the ride of a file; returns what is wrong with it and in which line, if anything is. */
  ride(bytes) {
    const answer = this.program.ride(this.#write(bytes));
    return answer > 0 ? { problem: answer & 15, line: answer >> 4 } : null;
  }

  /** Somebody of this name calls. */
  ring(caller) {
    this.program.ring(this.#write(new TextEncoder().encode(caller)));
  }

  notify(title, message) {
    this.program.notify(this.#write(new TextEncoder().encode(`${title}\n${message}`)));
  }

  /** Title and artist of what plays; nothing if nothing does. */
  get song() {
    return this.#read(this.program.song()).split("\n").filter(Boolean);
  }

  get shape() {
    const shape = this.program.shape();
    return { width: shape >> 16, height: (shape >> 8) & 255, quarters: shape & 3 };
  }

  get glass() {
    this.program.glass();
    return this.#bytes(2048);
  }

  /** The events since the last call, the topic and the object of each. */
  takeEvents() {
    return this.#read(this.program.events()).split("\n").filter(Boolean).map((line) => {
      const blank = line.indexOf(" ");
      return { topic: line.slice(0, blank), ...JSON.parse(line.slice(blank + 1)) };
    });
  }

  /** What was written on the picture, a line each; an arrow is the letter U+0001. */
  get words() {
    // The signs of the buttons and the broken link are private characters.
    const signs = { "\uE041": "A", "\uE042": "B", "\uE043": "⚠" };
    return this.#read(this.program.words()).replace(/[\uE041-\uE043]/g, (sign) => signs[sign]).split("\n").map((line) => line.trim()).filter(Boolean);
  }
}
