// Draws a data set's map on a canvas: the end of the map, marks, a scale bar. A question is a triangle, an answer a ring.

import { degreesOf } from "./tiles.js";

const AROUND_THE_EARTH = 40_075_016.7;
const LONGEST_BAR = 160;
export const TILE_PIXELS = 512;

export const worldPixels = (zoom) => TILE_PIXELS * 2 ** zoom;

// How far from its middle a mark reaches, in pixels.
export const reachOf = (mark) => Math.min(13, 5 + 1.6 * Math.sqrt(mark.count - 1));

// `view` is {x, y, zoom}, its middle; `outline` is rings of {x, y}; `picked` is the mark that was chosen, or null.
export function draw(canvas, view, { marks, outline, picked }) {
  const context = canvas.getContext("2d");
  const { width, height } = sizeOf(canvas);
  const ratio = canvas.width / width;
  const colours = coloursOf(canvas);
  const scale = worldPixels(view.zoom);
  const at = ({ x, y }) => [(x - view.x) * scale + width / 2, (y - view.y) * scale + height / 2];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.land;
  context.fillRect(0, 0, width, height);
  drawOutline(context, outline, at, colours);
  const nearby = marks.filter((mark) => isInside(at(mark), width, height, 20));
  for (const mark of nearby.filter((one) => one.layer === "questions")) drawQuestion(context, at(mark), mark, colours);
  for (const mark of nearby.filter((one) => one.layer === "answers")) drawAnswer(context, at(mark), mark, colours);
  drawCounts(context, nearby, at, colours);
  if (picked) drawPicked(context, at(picked), picked, colours);
  drawBar(context, height, barOf(view), colours);
  write(context, "© OpenStreetMap contributors", width - 8, height - 9, "right", colours);
}

export function sizeOf(canvas) {
  return { width: canvas.clientWidth, height: canvas.clientHeight };
}

export function isInside([x, y], width, height, margin = 0) {
  return x >= -margin && y >= -margin && x <= width + margin && y <= height + margin;
}

function coloursOf(canvas) {
  const style = getComputedStyle(canvas);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    land: of("land"),
    question: of("fill"),
    answer: of("expected"),
    edge: of("panel"),
    ink: of("ink"),
    muted: of("muted"),
    font: style.fontFamily,
  };
}

function drawOutline(context, outline, at, colours) {
  context.beginPath();
  for (const ring of outline) {
    ring.forEach((place, number) => context[number ? "lineTo" : "moveTo"](...at(place)));
    context.closePath();
  }
  context.setLineDash([2, 3]);
  context.lineWidth = 1.2;
  context.strokeStyle = colours.muted;
  context.stroke();
  context.setLineDash([]);
}

function drawQuestion(context, [x, y], mark, colours) {
  const reach = reachOf(mark);
  context.beginPath();
  context.moveTo(x, y - 1.1 * reach);
  context.lineTo(x + 0.95 * reach, y + 0.7 * reach);
  context.lineTo(x - 0.95 * reach, y + 0.7 * reach);
  context.closePath();
  context.fillStyle = colours.question;
  context.fill();
  context.lineWidth = 1.2;
  context.strokeStyle = colours.edge;
  context.stroke();
}

function drawAnswer(context, [x, y], mark, colours) {
  const reach = reachOf(mark);
  for (const [colour, wide] of [
    [colours.edge, 4.2],
    [colours.answer, 2.2],
  ]) {
    context.beginPath();
    context.arc(x, y, reach, 0, 2 * Math.PI);
    context.lineWidth = wide;
    context.strokeStyle = colour;
    context.stroke();
  }
}

// How many each mark stands for, the largest first; a number that would lie on another is left out, as zooming in tells it.
function drawCounts(context, marks, at, colours) {
  const written = [];
  for (const mark of marks.filter((one) => one.count > 1).sort((one, other) => other.count - one.count)) {
    const [x, middle] = at(mark);
    const reach = reachOf(mark);
    const y = mark.layer === "questions" ? middle + 0.7 * reach + 11 : middle - reach - 4;
    const half = 4 * String(mark.count).length + 2;
    if (written.some((other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < 12)) continue;
    written.push({ x, y, half });
    write(context, String(mark.count), x, y, "center", colours);
  }
}

function drawPicked(context, [x, y], mark, colours) {
  const reach = reachOf(mark) + 7;
  context.lineWidth = 2.2;
  context.strokeStyle = colours.ink;
  context.strokeRect(x - reach, y - reach, 2 * reach, 2 * reach);
}

// A round number of metres, and how many pixels it takes in the middle of the view.
function barOf(view) {
  const { lat } = degreesOf(view);
  const metresOfPixel = (AROUND_THE_EARTH * Math.cos((lat * Math.PI) / 180)) / worldPixels(view.zoom);
  const most = LONGEST_BAR * metresOfPixel;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = [5, 2, 1].find((step) => step * power <= most) * power;
  const label = metres >= 1000 ? `${metres / 1000} km` : `${Number(metres.toPrecision(1))} m`;
  return { pixels: metres / metresOfPixel, label };
}

function drawBar(context, height, bar, colours) {
  context.beginPath();
  context.moveTo(14, height - 20);
  context.lineTo(14, height - 14);
  context.lineTo(14 + bar.pixels, height - 14);
  context.lineTo(14 + bar.pixels, height - 20);
  context.lineWidth = 1.8;
  context.strokeStyle = colours.ink;
  context.stroke();
  write(context, bar.label, 14 + bar.pixels / 2, height - 23, "center", colours);
}

function write(context, said, x, y, side, colours) {
  context.font = `12px ${colours.font}`;
  context.textAlign = side;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = colours.land;
  context.strokeText(said, x, y);
  context.fillStyle = colours.ink;
  context.fillText(said, x, y);
}
