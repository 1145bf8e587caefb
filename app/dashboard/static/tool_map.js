// Turns the picture of a tool's answer into a map that moves: its points with names, its lines and areas, streets around.

import { MovingMap } from "./moving_map.js";

const NONE = { type: "FeatureCollection", features: [] };
const ROOM = 9;
const LONGEST = 32;
const role = (name) => ["==", ["get", "role"], name];
const isPoint = ["==", ["geometry-type"], "Point"];
const isArea = ["==", ["geometry-type"], "Polygon"];

class AnswerMap {
  #map;
  #picked;

  constructor(figure) {
    const data = JSON.parse(figure.dataset.answer);
    const box = figure.dataset.box.split(" ").map(Number);
    const label = "Map of the answer.";
    this.#map = new MovingMap(figure.querySelector("svg.map"), "the answer", label, box, (colours) => styleOf(data, colours));
    this.#picked = this.#map.status;
    this.#map.gl.on("click", (event) => this.#pick(event));
  }

  // Says what was clicked.
  #pick({ point: { x, y } }) {
    const around = [
      [x - ROOM, y - ROOM],
      [x + ROOM, y + ROOM],
    ];
    const found = this.#map.gl.queryRenderedFeatures(around, { layers: ["found points", "asked points"] });
    const names = [...new Set(found.map((one) => one.properties.name).filter(Boolean))];
    this.#picked.textContent = names.length ? `Chosen: ${names.join("; ")}` : "";
  }
}

function styleOf(data, colours) {
  const around = { water: colours.water, park: colours.green };
  const areas = Object.entries(around).map(([kind, colour]) => layer(kind, "fill", role(kind), { "fill-color": colour }));
  const layers = [
    ...areas.reverse(),
    layer("stream", "line", role("stream"), line(colours.water, 2)),
    layer("minor", "line", role("minor"), line(colours.street, 1.6)),
    layer("major", "line", role("major"), line(colours.street, 3.6)),
    layer("asked areas", "fill", ["all", role("asked"), isArea], { "fill-color": colours.pin, "fill-opacity": 0.08 }),
    layer("asked lines", "line", ["all", role("asked"), ["!", isPoint]], line(colours.pin, 2.5)),
    layer("found areas", "fill", ["all", role("found"), isArea], { "fill-color": colours.gold, "fill-opacity": 0.15 }),
    layer("found lines", "line", ["all", role("found"), ["!", isPoint]], line(colours.gold, 4)),
    layer("asked points", "circle", ["all", role("asked"), isPoint], dot(colours.pin, colours.panel)),
    layer("found points", "circle", ["all", role("found"), isPoint], dot(colours.gold, colours.panel)),
    names(),
  ];
  return { sources: { answer: { type: "geojson", data: data ?? NONE } }, layers };
}

const layer = (id, type, filter, paint) => ({ id, type, source: "answer", filter, paint });
const line = (colour, width) => ({ "line-color": colour, "line-width": width });
const dot = (colour, edge) => ({
  "circle-radius": 7,
  "circle-color": colour,
  "circle-stroke-color": edge,
  "circle-stroke-width": 1.6,
});

// Names of points of the answer; one that would lie on another is left out: zooming in shows it.
function names() {
  const name = ["get", "name"];
  const short = ["case", [">", ["length", name], LONGEST], ["concat", ["slice", name, 0, LONGEST - 1], "…"], name];
  const layout = { "icon-image": ["concat", `below ${ROOM} `, short], "icon-anchor": "top", "icon-padding": 0 };
  return { ...layer("names", "symbol", ["all", role("found"), isPoint, ["!=", name, ""]], {}), layout };
}

for (const figure of document.querySelectorAll("figure[data-answer]")) {
  try {
    new AnswerMap(figure);
  } catch (error) {
    document.getElementById("map-note").textContent = `The map cannot be moved: ${error.message}. The picture shows the same.`;
  }
}
