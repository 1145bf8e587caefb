// Turns the picture of where a data set's questions lie into a map that moves. Without this script the picture stays.

import { element, partsOf } from "./map_parts.js";
import { draw, isInside, reachOf, sizeOf, worldPixels } from "./map_canvas.js";
import { DEEPEST, Tiles, degreesOf, placeOf, tilesOf } from "./tiles.js";

const NEAREST = 18.5;
const FARTHEST = 1;
const STILL = 150;
const STEP = 1 / 5;
const MOST_LISTED = 50;
const CLICK = 6;
const KEYS = {
  ArrowLeft: (map) => map.push(-STEP, 0),
  ArrowRight: (map) => map.push(STEP, 0),
  ArrowUp: (map) => map.push(0, -STEP),
  ArrowDown: (map) => map.push(0, STEP),
  "+": (map) => map.zoomBy(1),
  "=": (map) => map.zoomBy(1),
  "-": (map) => map.zoomBy(-1),
  Home: (map) => map.showAll(),
};
class LiveMap {
  #figure;
  #tiles;
  #totals;
  #whole;
  #view;
  #outline;
  #shown = { marks: [], failures: [] };
  #picked = null;
  #pointers = new Map();
  #moved = 0;
  #timer = 0;
  #asked = 0;
  #parts;

  constructor(figure, tiles, ground, totals) {
    this.#figure = figure;
    this.#tiles = tiles;
    this.#totals = totals;
    this.#whole = boxOf(figure.dataset.box.split(" ").map(Number));
    this.#outline = ringsOf(ground.outline);
    this.#parts = partsOf(ground.snapshot, MOST_LISTED, (key) => KEYS[key](this));
  }

  get #canvas() {
    return this.#parts.canvas;
  }

  show() {
    const picture = this.#figure.querySelector("svg.map");
    picture.before(this.#parts.whole);
    picture.setAttribute("hidden", "");
    this.showAll();
    this.#listen();
  }

  // Moves by so many widths and heights.
  push(right, down) {
    const { width, height } = sizeOf(this.#canvas);
    this.#moveBy(right * width, down * height);
  }

  zoomBy(levels, [x, y] = this.#middle()) {
    const before = worldPixels(this.#view.zoom);
    const zoom = Math.min(NEAREST, Math.max(FARTHEST, this.#view.zoom + levels));
    const [right, down] = [x - this.#middle()[0], y - this.#middle()[1]];
    const kept = 1 / before - 1 / worldPixels(zoom);
    this.#lookAt({ x: this.#view.x + right * kept, y: this.#view.y + down * kept, zoom });
  }

  showAll() {
    const { width, height } = sizeOf(this.#canvas);
    const { west, north, east, south } = this.#whole;
    const pixels = Math.min(width / (east - west), height / (south - north));
    const zoom = Math.min(NEAREST, Math.max(FARTHEST, Math.log2(pixels / worldPixels(0))));
    this.#lookAt({ x: (west + east) / 2, y: (north + south) / 2, zoom });
  }

  async load() {
    const asked = ++this.#asked;
    const z = Math.min(DEEPEST, Math.max(0, Math.round(this.#view.zoom)));
    this.#canvas.dataset.state = "loading";
    const slow = setTimeout(() => this.#say("Loading …"), 4 * STILL);
    const shown = await this.#tiles.load(tilesOf(this.#box(), z));
    clearTimeout(slow);
    if (asked !== this.#asked) return;
    this.#shown = shown;
    this.#canvas.dataset.level = z;
    this.#tell();
    this.redraw();
  }

  redraw() {
    const canvas = this.#canvas;
    const { width, height } = sizeOf(canvas);
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    draw(canvas, this.#view, { marks: this.#shown.marks, outline: this.#outline, picked: this.#picked });
  }

  list() {
    if (this.#parts.list.open) this.#parts.rows.replaceChildren(...this.#listed().map((one) => this.#row(one)));
  }

  #middle() {
    const { width, height } = sizeOf(this.#canvas);
    return [width / 2, height / 2];
  }

  #moveBy(right, down) {
    const scale = worldPixels(this.#view.zoom);
    this.#lookAt({ ...this.#view, x: this.#view.x + right / scale, y: this.#view.y + down / scale });
  }

  #lookAt({ x, y, zoom }) {
    const within = (value) => Math.min(1, Math.max(0, value));
    this.#view = { x: within(x), y: within(y), zoom };
    this.#asked++;
    this.#canvas.dataset.state = "loading";
    this.redraw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), STILL);
  }

  // What of the world the canvas shows.
  #box() {
    const [right, down] = this.#middle().map((pixels) => pixels / worldPixels(this.#view.zoom));
    const { x, y } = this.#view;
    return { west: x - right, east: x + right, north: y - down, south: y + down };
  }

  #pixelsOf({ x, y }) {
    const scale = worldPixels(this.#view.zoom);
    const [right, down] = this.#middle();
    return [(x - this.#view.x) * scale + right, (y - this.#view.y) * scale + down];
  }

  #inView() {
    const { width, height } = sizeOf(this.#canvas);
    return this.#shown.marks.filter((mark) => isInside(this.#pixelsOf(mark), width, height));
  }

  #tell() {
    const found = this.#inView();
    const counted = (layer) => found.filter((one) => one.layer === layer).reduce((sum, one) => sum + one.count, 0);
    const questions = counted("questions");
    const answers = counted("answers");
    const failures = this.#shown.failures;
    const { west, south, east, north } = this.#box();
    const [low, high] = [degreesOf({ x: west, y: south }), degreesOf({ x: east, y: north })];
    Object.assign(this.#canvas.dataset, {
      questions,
      answers,
      marks: found.length,
      box: [low.lon, low.lat, high.lon, high.lat].join(" "),
      state: failures.length ? "partial" : "ready",
    });
    const ofAnswers = this.#totals.answers ? ` and ${said(answers)} of ${said(this.#totals.answers)} answers` : "";
    const gathered = questions + answers > found.length ? " What lies too near each other is one mark with its number." : "";
    const inView = `In view: ${said(questions)} of ${said(this.#totals.questions)} questions${ofAnswers}, as ${said(found.length)} marks.`;
    this.#say(inView + gathered + lacking(failures));
    this.#parts.again.hidden = !failures.length;
    this.list();
  }

  #say(words) {
    this.#parts.status.textContent = words;
  }

  // The marks in view, those nearest to the middle first.
  #listed() {
    const far = (mark) => Math.hypot(mark.x - this.#view.x, mark.y - this.#view.y);
    return this.#inView()
      .sort((one, other) => far(one) - far(other))
      .slice(0, MOST_LISTED);
  }

  #row(mark) {
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, kindOf(mark)),
      element("td", { class: "number" }, said(mark.count)),
      element("td", {}, mark.templates.replaceAll(" ", ", ") || "\u2013"),
      element("td", {}, this.#link(mark)),
    );
  }

  #link(mark) {
    const address = `${this.#figure.dataset.questionPage}/${encodeURIComponent(mark.question)}`;
    return element("a", { href: address }, element("code", {}, mark.question.slice(0, 8)));
  }

  #pick(pixels) {
    const far = (mark) => {
      const [x, y] = this.#pixelsOf(mark);
      return Math.hypot(x - pixels[0], y - pixels[1]) - reachOf(mark);
    };
    const near = this.#inView().filter((mark) => far(mark) < CLICK);
    this.#picked = near.sort((one, other) => far(one) - far(other))[0] ?? null;
    this.#parts.picked.replaceChildren(...(this.#picked ? this.#described(this.#picked) : []));
    this.redraw();
  }

  #described(mark) {
    const templates = mark.templates ? ` (${mark.templates.replaceAll(" ", ", ")})` : "";
    const of = mark.layer === "answers" ? "its question: " : mark.count > 1 ? "one of them: " : "";
    return [`Chosen: ${many(mark)}${templates}, ${of}`, this.#link(mark)];
  }

  #listen() {
    const canvas = this.#canvas;
    canvas.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act(this);
    });
    canvas.addEventListener("wheel", (event) => this.#turned(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, event);
      if (this.#pointers.size === 1) this.#moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => this.#dragged(event));
    canvas.addEventListener("pointerup", (event) => {
      if (this.#moved < CLICK && this.#pointers.size === 1) this.#pick([event.offsetX, event.offsetY]);
      this.#pointers.delete(event.pointerId);
    });
    canvas.addEventListener("pointercancel", (event) => this.#pointers.delete(event.pointerId));
    this.#parts.list.addEventListener("toggle", () => this.list());
    this.#parts.again.addEventListener("click", () => this.load());
    new ResizeObserver(() => this.#lookAt(this.#view)).observe(canvas);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  // A wheel turns the map that was clicked, and the page else.
  #turned(event) {
    if (document.activeElement !== this.#canvas && !event.ctrlKey) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY / 3;
    this.zoomBy(Math.min(1, Math.max(-1, -lines / 2)), [event.offsetX, event.offsetY]);
  }

  // One pointer moves the map; two also zoom by how far they are apart.
  #dragged(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const other = [...this.#pointers.values()].find((one) => one.pointerId !== event.pointerId);
    this.#pointers.set(event.pointerId, event);
    const [right, down] = [before.offsetX - event.offsetX, before.offsetY - event.offsetY];
    this.#moved += Math.hypot(right, down);
    this.#moveBy(other ? right / 2 : right, other ? down / 2 : down);
    if (other) {
      const apart = (one) => Math.max(1, Math.hypot(one.offsetX - other.offsetX, one.offsetY - other.offsetY));
      const between = [(event.offsetX + other.offsetX) / 2, (event.offsetY + other.offsetY) / 2];
      this.zoomBy(Math.log2(apart(event) / apart(before)), between);
    }
  }
}

function boxOf([west, south, east, north]) {
  const [low, high] = [placeOf(west, south), placeOf(east, north)];
  return { west: low.x, south: low.y, east: high.x, north: high.y };
}

// The rings of a GeoJSON area as places of the world.
function ringsOf(outline) {
  if (!outline) return [];
  const areas = outline.type === "Polygon" ? [outline.coordinates] : outline.coordinates;
  return areas.flat().map((ring) => ring.map(([lon, lat]) => placeOf(lon, lat)));
}

function lacking(failures) {
  if (!failures.length) return "";
  const parts = failures.length === 1 ? "1 part of the map cannot" : `${failures.length} parts of the map cannot`;
  return ` ${parts} be loaded: ${failures[0]}.`;
}

const said = (number) => number.toLocaleString("en").replaceAll(",", "\u202f");
const kindOf = (mark) => (mark.layer === "answers" ? "answer" : "question");
const many = (mark) => `${said(mark.count)} ${kindOf(mark)}${mark.count === 1 ? "" : "s"}`;

async function begin() {
  const figures = [...document.querySelectorAll("figure[data-tiles]")];
  if (!figures.length) return;
  const note = document.getElementById("map-note");
  try {
    const answer = await fetch(figures[0].dataset.map);
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    const { grounds } = await answer.json();
    const cells = grounds.flatMap((one) => one.cells);
    const sum = (name) => cells.reduce((total, cell) => total + cell[name], 0);
    const totals = { questions: sum("questions"), answers: sum("answers") };
    const tiles = new Tiles(figures[0].dataset.tiles);
    figures.forEach((figure, number) => new LiveMap(figure, tiles, grounds[number], totals).show());
  } catch (error) {
    note.textContent = `The map cannot be moved: ${error.message}. The picture shows the same, counted in a grid.`;
  }
}

begin();
