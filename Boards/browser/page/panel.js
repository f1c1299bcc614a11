// The panel: what the glass shows, as pixels with gaps.

const colours = { blue: [126, 214, 255], white: [244, 247, 255] };
const background = [4, 7, 12];

/** A canvas that shows a glass; `shown` is what a person sees of it, a row each. */
class Panel {
  constructor(canvas) {
    this.canvas = canvas;
    this.colour = "blue";
    this.rows = [];
    this.contrast = 207;
    new ResizeObserver(() => this.draw()).observe(canvas.parentElement);
  }

  /** Takes over what the device's `glass` has left. */
  show(pages, { width, height, quarters }, contrast) {
    const isLit = (x, y) => (pages[(y >> 3) * 128 + x] >> (y & 7)) & 1;
    const [columns, lines] = quarters & 1 ? [height, width] : [width, height];
    // The device turns its picture clockwise on the way to the glass; whoever looks turns it back.
    const seen = [
      (x, y) => isLit(x, y),
      (x, y) => isLit(width - 1 - y, x),
      (x, y) => isLit(width - 1 - x, height - 1 - y),
      (x, y) => isLit(y, height - 1 - x),
    ][quarters];
    this.rows = Array.from({ length: lines }, (_, y) => Array.from({ length: columns }, (_, x) => seen(x, y)));
    this.contrast = contrast;
    this.draw();
  }

  get isDark() {
    return !this.rows.some((row) => row.includes(1));
  }

  draw() {
    const [height, width] = [this.rows.length, this.rows[0]?.length ?? 0];
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    // Whole pixels of the screen for each of the panel's, so that all are alike.
    const cell = Math.max(2, Math.floor((this.canvas.parentElement.clientWidth * scale) / (width + 2)));
    const gap = cell > 2 ? Math.max(1, Math.round(cell / 6)) : 0;
    // A frame of one pixel.
    [this.canvas.width, this.canvas.height] = [(width + 2) * cell, (height + 2) * cell];
    this.canvas.style.width = `${this.canvas.width / scale}px`;
    this.canvas.style.height = `${this.canvas.height / scale}px`;
    this.canvas.dataset.cell = cell;
    const context = this.canvas.getContext("2d");
    const light = 0.35 + (0.65 * this.contrast) / 255;
    context.fillStyle = `rgb(${background})`;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const lit = colours[this.colour].map((part) => Math.round(part * light));
    for (const [state, fill] of [[0, [9, 13, 20]], [1, lit]]) {
      context.fillStyle = `rgb(${fill})`;
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          if (this.rows[y][x] === state)
            context.fillRect((x + 1) * cell, (y + 1) * cell, cell - gap, cell - gap);
    }
  }

  /** Offers the picture as a file. */
  save(name) {
    this.canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    }, "image/png");
  }
}
