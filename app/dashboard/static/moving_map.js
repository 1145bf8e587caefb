// A map that moves, drawn by MapLibre GL: its canvas, its buttons and keys, and which of its data are missing.

import { element } from "./elements.js";
import { addImage, coloursOf } from "./map_images.js";

const NEAREST = 18.5;
const FARTHEST = 1;
const STEP = 1 / 5;
const CREDIT = "© OpenStreetMap contributors";
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
const BUTTONS = [
  ["+", "Zoom in", "+"],
  ["\u2212", "Zoom out", "-"],
  ["\u2190", "Move west", "ArrowLeft"],
  ["\u2192", "Move east", "ArrowRight"],
  ["\u2191", "Move north", "ArrowUp"],
  ["\u2193", "Move south", "ArrowDown"],
  ["Show all", null, "Home"],
];
const HINT = "Drag the map, or click it: then the wheel and the keys + and \u2212 zoom, and arrows move it.";

export class MovingMap {
  #box;
  #styleOf;
  #settled = () => {};
  #failures = new Map();

  // Puts the map in place of `picture`. `box` is [west, south, east, north] of all that it shows; `styleOf` gives the
  // sources and layers of its style in the colours of the page. Throws an Error where the browser cannot draw it.
  constructor(picture, name, label, box, styleOf) {
    this.#box = box;
    this.#styleOf = styleOf;
    this.name = name;
    this.place = element("div", { class: "map moving", "data-state": "loading" });
    this.status = element("p", { class: "muted", role: "status" });
    this.again = element("button", { type: "button", hidden: "" }, "Load again");
    this.whole = element("div", { "data-by-script": "" }, this.place, this.#buttons());
    this.whole.append(element("p", { class: "muted hint" }, HINT), this.status, this.again);
    picture.before(this.whole);
    picture.setAttribute("hidden", "");
    try {
      this.gl = this.#start(label);
    } catch (error) {
      this.whole.remove();
      picture.removeAttribute("hidden");
      throw new Error("this browser draws no maps with WebGL", { cause: error });
    }
    this.#listen();
  }

  // Calls `act` whenever the map stands still and all that it needs was asked for.
  onSettled(act) {
    this.#settled = act;
  }

  // West, south, east, north of what is in view.
  get view() {
    return this.gl.getBounds().toArray().flat();
  }

  isInView([lon, lat]) {
    const [west, south, east, north] = this.view;
    return west <= lon && lon <= east && south <= lat && lat <= north;
  }

  // Why data are missing, a sentence for each part of the map.
  get failures() {
    return [...this.#failures.values()];
  }

  // Moves by so many widths and heights.
  push(right, down) {
    const { clientWidth, clientHeight } = this.place;
    this.gl.panBy([right * clientWidth, down * clientHeight], { duration: 0 });
  }

  zoomBy(levels) {
    this.gl.zoomTo(this.gl.getZoom() + levels, { duration: 0 });
  }

  showAll() {
    this.gl.fitBounds(this.#box, { duration: 0, maxZoom: NEAREST });
  }

  #start(label) {
    maplibregl.setWorkerUrl("/static/maplibre/worker.js");
    const map = new maplibregl.Map({
      container: this.place,
      style: this.#style(),
      bounds: this.#box,
      fitBoundsOptions: { maxZoom: NEAREST },
      minZoom: FARTHEST,
      maxZoom: NEAREST,
      attributionControl: { compact: false, customAttribution: CREDIT },
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      keyboard: false,
      renderWorldCopies: false,
      fadeDuration: 0,
    });
    map.touchZoomRotate.disableRotation();
    map.addControl(new maplibregl.ScaleControl({ maxWidth: 160 }), "bottom-left");
    const canvas = map.getCanvas();
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", `${label} Arrow keys move it, plus and minus zoom, Home shows all.`);
    return map;
  }

  #style() {
    const colours = coloursOf(document.body);
    const land = { id: "land", type: "background", paint: { "background-color": colours.land } };
    const { sources, layers } = this.#styleOf(colours);
    return { version: 8, sources, layers: [land, ...layers] };
  }

  #buttons() {
    const made = BUTTONS.map(([sign, label, key]) => {
      const button = element("button", { type: "button", ...(label && { "aria-label": label, title: label }) }, sign);
      button.addEventListener("click", () => KEYS[key](this));
      return button;
    });
    return element("div", { class: "map-buttons", role: "group", "aria-label": `Move the map: ${this.name}` }, ...made);
  }

  #listen() {
    this.gl.on("styleimagemissing", ({ id }) => addImage(this.gl, id, coloursOf(document.body)));
    this.gl.on("movestart", () => this.#wait());
    this.gl.on("idle", () => this.#tell());
    this.gl.on("error", (event) => this.#miss(event));
    this.gl.on("sourcedata", (event) => event.tile && this.#failures.delete(keyOf(event)));
    this.again.addEventListener("click", () => this.#loadAgain());
    this.place.addEventListener("keydown", (event) => this.#pressed(event));
    this.place.addEventListener("wheel", (event) => this.#turned(event), { capture: true });
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.gl.setStyle(this.#style(), { diff: false }));
  }

  #wait() {
    this.place.dataset.state = "loading";
  }

  #miss(event) {
    this.#failures.set(keyOf(event), reasonOf(event.error));
    this.gl.triggerRepaint(); // or it would never say that it stands still
  }

  #tell() {
    const needed = [...this.#failures.keys()].filter((key) => this.#isNeeded(key));
    for (const key of this.#failures.keys()) if (!needed.includes(key)) this.#failures.delete(key);
    this.again.hidden = !needed.length;
    this.#settled();
    this.place.dataset.box = this.view.map((degrees) => degrees.toFixed(10)).join(" ");
    this.place.dataset.state = needed.length ? "partial" : "ready";
  }

  // Whether the tile of that key is in view; what is no tile is always needed.
  #isNeeded(key) {
    const [, z, x, y] = (key.match(/ (\d+)\/(\d+)\/(\d+)$/) ?? []).map(Number);
    if (z === undefined) return true;
    const [west, south, east, north] = this.view;
    const { x: left, y: top } = maplibregl.MercatorCoordinate.fromLngLat([west, north]);
    const { x: right, y: bottom } = maplibregl.MercatorCoordinate.fromLngLat([east, south]);
    const isInside = (at, low, high) => at < high * 2 ** z && at + 1 > low * 2 ** z;
    return z === Math.floor(this.gl.getZoom()) && isInside(x, left, right) && isInside(y, top, bottom);
  }

  #loadAgain() {
    this.#wait();
    this.#failures.clear();
    for (const [name, source] of Object.entries(this.gl.getStyle().sources)) {
      if (source.tiles) this.gl.getSource(name).setTiles(source.tiles);
    }
  }

  #pressed(event) {
    const act = KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(this);
  }

  // A wheel turns the map that was clicked, and the page else.
  #turned(event) {
    if (!this.place.contains(document.activeElement) && !event.ctrlKey) event.stopPropagation();
  }
}

function keyOf({ sourceId, tile }) {
  const { z, x, y } = tile?.tileID?.canonical ?? {};
  return z === undefined ? `${sourceId ?? "map"}` : `${sourceId} ${z}/${x}/${y}`;
}

function reasonOf(error) {
  if (error.status) return `the server answers ${error.status}`;
  return error instanceof TypeError ? "the server does not answer" : error.message;
}

// A sentence about the parts of the map that are missing; empty where none is.
export function lacking(failures) {
  if (!failures.length) return "";
  const parts = failures.length === 1 ? "1 part of the map cannot" : `${failures.length} parts of the map cannot`;
  return ` ${parts} be loaded: ${failures[0]}.`;
}
