// Turns the picture of an episode into a map that grows with the calls: a step that is chosen lights its own shapes up.

import { element } from "./elements.js";
import { MovingMap } from "./moving_map.js";

const ROOM = 9;
const LONGEST = 32;
const ALL = 0;
const MOVES = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
const step = ["get", "step"];
const role = (name) => ["==", ["get", "role"], name];
const isPoint = ["==", ["geometry-type"], "Point"];
const isNamed = ["in", ["get", "role"], ["literal", ["asked", "found", "user", "answer", "hit"]]];
const isArea = ["==", ["geometry-type"], "Polygon"];

class EpisodeMap {
  #map;
  #steps;
  #places;
  #said;

  constructor(figure) {
    const side = figure.dataset.side;
    const data = JSON.parse(figure.dataset.episode);
    const box = figure.dataset.box.split(" ").map(Number);
    this.#steps = [...document.querySelectorAll(`[id^="step-${side}-"]`)];
    this.#places = new Set(data.features.map((one) => one.properties.step));
    this.chosen = ALL;
    const name = `the episode ${side}`;
    this.#map = new MovingMap(figure.querySelector("svg.map"), name, "Map of the episode.", box, (colours) =>
      styleOf(data, colours, this.chosen),
    );
    this.#map.place.dataset.step = this.chosen;
    this.#said = this.#map.status;
    this.#addButtons();
    for (const one of this.#steps) this.#listen(one);
  }

  #addButtons() {
    const before = element("button", { type: "button", "aria-label": "Step before" }, "◀ step");
    const after = element("button", { type: "button", "aria-label": "Next step" }, "step ▶");
    before.addEventListener("click", () => this.#choose(this.chosen - 1, true));
    after.addEventListener("click", () => this.#choose(this.chosen + 1, true));
    this.#map.whole.querySelector(".map-buttons").prepend(before, after);
  }

  #listen(item) {
    const button = item.querySelector("button[data-show]");
    const number = Number(item.dataset.step);
    if (!button || !this.#places.has(number)) return;
    button.closest("[hidden]").hidden = false;
    button.addEventListener("click", () => {
      this.#choose(number, false);
      this.#map.whole.scrollIntoView({ block: "nearest" });
    });
    button.addEventListener("keydown", (event) => {
      if (!(event.key in MOVES)) return;
      event.preventDefault();
      this.#choose(this.chosen + MOVES[event.key], true)?.querySelector("button[data-show]")?.focus();
    });
  }

  // Shows the map as it was after that step, whose own shapes are lit up. Gives the step.
  #choose(number, scrolls) {
    if (number < 1 || number > this.#steps.length) return undefined;
    this.chosen = number;
    this.#map.place.dataset.step = number;
    for (const one of this.#steps) one.classList.toggle("chosen", Number(one.dataset.step) === number);
    const item = this.#steps[number - 1];
    if (scrolls) item.scrollIntoView({ block: "nearest" });
    for (const [id, { filter, paint }] of Object.entries(rulesOf(number))) {
      this.#map.gl.setFilter(id, filter);
      for (const [property, value] of Object.entries(paint)) this.#map.gl.setPaintProperty(id, property, value);
    }
    const has = this.#places.has(number) ? "" : " It names no place.";
    this.#said.textContent = `After step ${number} of ${this.#steps.length}.${has}`;
    return item;
  }
}

// What depends on the chosen step; before one is chosen all are lit up.
// Nothing of later steps is shown, and what is of earlier ones is pale.
function rulesOf(chosen) {
  const isAll = chosen === ALL;
  const upTo = isAll ? true : ["<=", step, chosen];
  const isLit = isAll ? true : ["==", step, chosen];
  const clear = ["case", isLit, 1, 0.35];
  const rule = (filter, paint) => ({ filter: ["all", upTo, ...filter], paint });
  return {
    "asked areas": rule([role("asked"), isArea], { "fill-opacity": ["case", isLit, 0.12, 0.04] }),
    views: rule([role("view"), isArea], { "fill-opacity": ["case", isLit, 0.16, 0.05] }),
    "edges of views": rule([role("view"), isArea], { "line-opacity": clear }),
    looks: rule([role("look"), isArea], { "line-opacity": clear }),
    moves: rule([role("move")], { "line-opacity": clear }),
    measured: rule([role("measured")], { "line-opacity": clear }),
    seen: rule([role("seen"), isPoint], { "circle-opacity": clear, "circle-stroke-opacity": clear }),
    centres: rule([role("centre"), isPoint], { "circle-opacity": clear, "circle-stroke-opacity": clear }),
    answers: rule([role("answer"), isPoint], {}),
    hits: rule([role("hit"), isPoint], {}),
    key: rule([role("key"), isPoint], {}),
    user: rule([role("user"), isPoint], {}),
    "found areas": rule([role("found"), isArea], { "fill-opacity": ["case", isLit, 0.25, 0.08] }),
    "asked lines": rule([role("asked"), ["!", isPoint]], { "line-opacity": clear }),
    "found lines": rule([role("found"), ["!", isPoint]], { "line-opacity": clear }),
    "asked points": rule([role("asked"), isPoint], { "circle-opacity": clear, "circle-stroke-opacity": clear }),
    "found points": rule([role("found"), isPoint], { "circle-opacity": clear, "circle-stroke-opacity": clear }),
    names: { filter: ["all", isAll ? isNamed : isLit, isPoint, ["!=", ["get", "name"], ""]], paint: {} },
  };
}

function styleOf(data, colours, chosen) {
  const rules = rulesOf(chosen);
  const of = (id, type, paint, more = {}) => ({
    id,
    type,
    source: "episode",
    filter: rules[id].filter,
    paint: { ...paint, ...rules[id].paint },
    ...more,
  });
  const around = (id, type, paint) => ({ id, type, source: "episode", filter: role(id), paint });
  const name = ["get", "name"];
  const short = ["case", [">", ["length", name], LONGEST], ["concat", ["slice", name, 0, LONGEST - 1], "…"], name];
  const layout = { "icon-image": ["concat", `below ${ROOM} `, short], "icon-anchor": "top", "icon-padding": 0 };
  const layers = [
    around("aoi", "fill", { "fill-color": colours.built }),
    around("park", "fill", { "fill-color": colours.green }),
    around("water", "fill", { "fill-color": colours.water }),
    around("minor", "line", { "line-color": colours.street, "line-width": 1.6 }),
    around("major", "line", { "line-color": colours.street, "line-width": 3.6 }),
    of("asked areas", "fill", { "fill-color": colours.pin }),
    of("found areas", "fill", { "fill-color": colours.gold }),
    of("views", "fill", { "fill-color": colours.pin }),
    of("edges of views", "line", { "line-color": colours.pin, "line-width": 1.2 }),
    of("looks", "line", { "line-color": colours.gold, "line-width": 1.2 }),
    of("measured", "line", { "line-color": colours.pin, "line-width": 1.6, "line-dasharray": [2, 2] }),
    of("moves", "line", { "line-color": colours.pin, "line-width": 3 }),
    of("asked lines", "line", { "line-color": colours.pin, "line-width": 2.5 }),
    of("found lines", "line", { "line-color": colours.gold, "line-width": 4 }),
    of("asked points", "circle", dot(colours.pin, colours.panel)),
    of("found points", "circle", dot(colours.gold, colours.panel)),
    of("centres", "circle", { ...dot(colours.pin, colours.panel), "circle-radius": 4 }),
    of("seen", "circle", { ...dot(colours.muted, colours.panel), "circle-radius": 4 }),
    of("answers", "symbol", {}, { layout: { "icon-image": "cross", "icon-allow-overlap": true } }),
    of("hits", "circle", dot(colours.gold, colours.panel)),
    of("key", "circle", ring(colours.gold)),
    of("user", "symbol", {}, { layout: { "icon-image": "triangle pin", "icon-allow-overlap": true } }),
    of("names", "symbol", {}, { layout }),
  ];
  return { sources: { episode: { type: "geojson", data } }, layers };
}

const dot = (colour, edge) => ({
  "circle-radius": 7,
  "circle-color": colour,
  "circle-stroke-color": edge,
  "circle-stroke-width": 1.6,
});

const ring = (colour) => ({
  "circle-radius": 11,
  "circle-opacity": 0,
  "circle-stroke-color": colour,
  "circle-stroke-width": 2.6,
});

for (const figure of document.querySelectorAll("figure[data-episode]")) {
  try {
    new EpisodeMap(figure);
  } catch (error) {
    document.getElementById(`map-note-${figure.dataset.side}`).textContent =
      `The map cannot be moved: ${error.message}. The picture shows the same.`;
  }
}
