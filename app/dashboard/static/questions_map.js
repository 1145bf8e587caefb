// Turns the picture of where a data set's questions lie into a map that moves. Without this script the picture stays.

import { element, said } from "./elements.js";
import { FRAME_REACH, MARK_REACH, reachBy, reachOf } from "./map_images.js";
import { MovingMap, lacking } from "./moving_map.js";

const LAYERS = ["questions", "answers"];
const MOST_LISTED = 50;
const CLICK = 6;
const DEEPEST = 20;
const NONE = { type: "FeatureCollection", features: [] };

class QuestionsMap {
  #figure;
  #totals;
  #map;
  #picked = element("p", { class: "muted picked", role: "status" });
  #rows = element("tbody", {});
  #list;

  constructor(figure, ground, totals) {
    this.#figure = figure;
    this.#totals = totals;
    const picture = figure.querySelector("svg.map");
    const label = `Map of ${ground.snapshot}: where questions and answers lie.`;
    const box = figure.dataset.box.split(" ").map(Number);
    const tiles = `${location.origin}${figure.dataset.tiles}/{z}/{x}/{y}.mvt`;
    this.#map = new MovingMap(picture, ground.snapshot, label, box, (colours) => styleOf(tiles, ground.outline, colours));
    this.#list = listOf(ground.snapshot, this.#rows);
    this.#map.whole.append(this.#picked, this.#list);
    this.#map.onSettled(() => this.#tell());
    this.#map.gl.on("click", (event) => this.#pick(event));
    this.#list.addEventListener("toggle", () => this.#fillList());
  }

  // The marks in view.
  #marks() {
    const found = LAYERS.flatMap((layer) =>
      this.#map.gl.querySourceFeatures("marks", { sourceLayer: layer }).map((feature) => markOf(feature, layer)),
    );
    return found.filter((mark) => this.#map.isInView(mark.at));
  }

  #tell() {
    const found = this.#marks();
    const counted = (layer) => found.filter((one) => one.layer === layer).reduce((sum, one) => sum + one.count, 0);
    const [questions, answers] = LAYERS.map(counted);
    const level = Math.min(DEEPEST, Math.floor(this.#map.gl.getZoom()));
    Object.assign(this.#map.place.dataset, { questions, answers, marks: found.length, level });
    const ofAnswers = this.#totals.answers ? ` and ${said(answers)} of ${said(this.#totals.answers)} answers` : "";
    const gathered = questions + answers > found.length ? " What lies too near each other is one mark with its number." : "";
    const inView = `In view: ${said(questions)} of ${said(this.#totals.questions)} questions${ofAnswers}, as ${said(found.length)} marks.`;
    this.#map.status.textContent = inView + gathered + lacking(this.#map.failures);
    this.#fillList();
  }

  // The marks in view, those nearest to the middle first.
  #fillList() {
    if (!this.#list.open) return;
    const middle = this.#map.gl.project(this.#map.gl.getCenter());
    const far = (mark) => this.#map.gl.project(mark.at).dist(middle);
    const nearest = this.#marks().sort((one, other) => far(one) - far(other));
    this.#rows.replaceChildren(...nearest.slice(0, MOST_LISTED).map((one) => this.#row(one)));
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

  #pick({ point }) {
    const far = (mark) => this.#map.gl.project(mark.at).dist(point) - reachOf(mark.count);
    const near = this.#marks().filter((mark) => far(mark) < CLICK);
    const picked = near.sort((one, other) => far(one) - far(other))[0];
    this.#picked.replaceChildren(...(picked ? this.#described(picked) : []));
    this.#map.gl.getSource("picked").setData(picked ? pointOf(picked) : NONE);
  }

  #described(mark) {
    const templates = mark.templates ? ` (${mark.templates.replaceAll(" ", ", ")})` : "";
    const of = mark.layer === "answers" ? "its question: " : mark.count > 1 ? "one of them: " : "";
    return [`Chosen: ${many(mark)}${templates}, ${of}`, this.#link(mark)];
  }
}

function styleOf(tiles, outline, colours) {
  const sources = {
    marks: { type: "vector", tiles: [tiles], maxzoom: DEEPEST },
    outline: { type: "geojson", data: outline ?? NONE },
    picked: { type: "geojson", data: NONE },
  };
  const end = { "line-color": colours.muted, "line-width": 1.2, "line-dasharray": [2, 3] };
  const layers = [
    { id: "outline", source: "outline", type: "line", paint: end },
    questionsLayer(),
    answersLayer("edge", colours.panel, 4.2),
    answersLayer("ring", colours.expected, 2.2),
    countsLayer("questions", "below"),
    countsLayer("answers", "above"),
    { id: "picked", source: "picked", type: "symbol", layout: always("frame", ["/", ["get", "reach"], FRAME_REACH]) },
  ];
  return { sources, layers };
}

// A symbol that is drawn whatever lies beside it.
const always = (image, size) => ({
  "icon-image": image,
  "icon-size": size,
  "icon-allow-overlap": true,
  "icon-ignore-placement": true,
});

function questionsLayer() {
  const layout = always("triangle", ["/", reachBy(["get", "questions"]), MARK_REACH]);
  return { id: "questions", source: "marks", "source-layer": "questions", type: "symbol", layout };
}

function answersLayer(name, colour, width) {
  const paint = {
    "circle-radius": ["-", reachBy(["get", "answers"]), width / 2],
    "circle-opacity": 0,
    "circle-stroke-color": colour,
    "circle-stroke-width": width,
  };
  return { id: `answers ${name}`, source: "marks", "source-layer": "answers", type: "circle", paint };
}

// How many each mark stands for, the largest first; a number that would lie on another is left out: zooming in tells it.
function countsLayer(layer, side) {
  const count = ["get", layer];
  const reach = ["to-string", ["round", reachBy(count)]];
  const layout = {
    "icon-image": ["concat", `${side} `, reach, " ", ["to-string", count]],
    "icon-anchor": side === "below" ? "top" : "bottom",
    "icon-padding": 0,
    "symbol-sort-key": ["-", count],
  };
  return { id: `${layer} counts`, source: "marks", "source-layer": layer, type: "symbol", filter: [">", count, 1], layout };
}

function listOf(name, rows) {
  const heads = ["Mark", "Stands for", "Templates", "Question"].map((head, place) =>
    element("th", { scope: "col", ...(place === 1 && { class: "number" }) }, head),
  );
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), rows);
  const summary = element("summary", {}, `List of the marks in view: the ${MOST_LISTED} nearest to the middle`);
  const region = { class: "scroll", role: "region", "aria-label": `Marks in view: ${name}`, tabindex: "0" };
  return element("details", { class: "marks" }, summary, element("div", region, table));
}

function markOf({ geometry, properties }, layer) {
  const { question, templates = "" } = properties;
  return { layer, count: properties[layer], question, templates, at: geometry.coordinates };
}

const pointOf = (mark) => ({
  type: "Feature",
  properties: { reach: reachOf(mark.count) + 7 },
  geometry: { type: "Point", coordinates: mark.at },
});
const kindOf = (mark) => (mark.layer === "answers" ? "answer" : "question");
const many = (mark) => `${said(mark.count)} ${kindOf(mark)}${mark.count === 1 ? "" : "s"}`;

async function begin() {
  const figures = [...document.querySelectorAll("figure[data-tiles]")];
  try {
    const answer = await fetch(figures[0].dataset.map);
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    const { grounds } = await answer.json();
    const cells = grounds.flatMap((one) => one.cells);
    const sum = (name) => cells.reduce((total, cell) => total + cell[name], 0);
    const totals = { questions: sum("questions"), answers: sum("answers") };
    figures.forEach((figure, number) => new QuestionsMap(figure, grounds[number], totals));
  } catch (error) {
    const note = `The map cannot be moved: ${error.message}. The picture shows the same, counted in a grid.`;
    document.getElementById("map-note").textContent = note;
  }
}

begin();
