// Images of maps: marks, and words. Words are drawn with the browser's fonts, so that a map loads no glyphs.

const RATIO = 2;
const TALL = 16;
const FONT = "12px";

export const MARK_REACH = 13;
export const FRAME_REACH = 20;

// How far from its middle a mark that stands for so many reaches, in pixels: as an expression of the style, and as a number.
export const reachOf = (count) => Math.min(MARK_REACH, 5 + 1.6 * Math.sqrt(count - 1));
export const reachBy = (count) => ["min", MARK_REACH, ["+", 5, ["*", 1.6, ["sqrt", ["-", count, 1]]]]];

// The colours of the page, and its font, as they are now.
export function coloursOf(whole) {
  const style = getComputedStyle(whole);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["land", "fill", "expected", "panel", "ink", "muted", "gold", "pin", "built", "green", "water", "street"];
  return { ...Object.fromEntries(names.map((name) => [name, of(name)])), font: style.fontFamily };
}

// The images that a style may name, by their first word: `triangle`, `triangle COLOUR`, `cross`, `frame`,
// `above 12 WORDS`, `below 12 WORDS`. The number says how far from the point the words stand.
const IMAGES = {
  triangle: (rest, colours) => triangle(colours, rest || "fill"),
  cross: (_, colours) => cross(colours),
  frame: (_, colours) => frame(colours),
  above: (rest, colours) => label(rest, colours, true),
  below: (rest, colours) => label(rest, colours, false),
};

// Adds the image of that name to the map.
export function addImage(map, id, colours) {
  const [, kind, rest] = id.match(/^(\w+) ?(.*)$/su) ?? [];
  if (kind in IMAGES) map.addImage(id, IMAGES[kind](rest, colours), { pixelRatio: RATIO });
}

function triangle(colours, name) {
  const reach = MARK_REACH;
  return painted(2 * reach + 4, 2 * reach + 6, (context) => {
    context.translate(reach + 2, reach + 3);
    context.beginPath();
    context.moveTo(0, -1.1 * reach);
    context.lineTo(0.95 * reach, 0.7 * reach);
    context.lineTo(-0.95 * reach, 0.7 * reach);
    context.closePath();
    context.fillStyle = colours[name];
    context.fill();
    context.lineWidth = 1.6;
    context.strokeStyle = colours.panel;
    context.stroke();
  });
}

function cross(colours) {
  return painted(20, 20, (context) => {
    context.fillStyle = colours.muted;
    context.fillRect(1, 1, 18, 18);
    context.lineWidth = 2;
    context.strokeStyle = colours.panel;
    context.strokeRect(1, 1, 18, 18);
    context.beginPath();
    context.moveTo(6, 6);
    context.lineTo(14, 14);
    context.moveTo(14, 6);
    context.lineTo(6, 14);
    context.stroke();
  });
}

function frame(colours) {
  return painted(2 * FRAME_REACH, 2 * FRAME_REACH, (context) => {
    context.lineWidth = 2.6;
    context.strokeStyle = colours.ink;
    context.strokeRect(2, 2, 2 * FRAME_REACH - 4, 2 * FRAME_REACH - 4);
  });
}

// Words above or below a point; the image begins at the point, and leaves room for its mark.
function label(rest, colours, isAbove) {
  const [, room, words] = rest.match(/^(\d+) (.*)$/su);
  const font = `${FONT} ${colours.font}`;
  const measuring = document.createElement("canvas").getContext("2d");
  measuring.font = font;
  const wide = Math.ceil(measuring.measureText(words).width) + 6;
  const tall = TALL + Number(room);
  return painted(wide, tall, (context) => {
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = colours.land;
    context.fillStyle = colours.ink;
    const y = isAbove ? TALL / 2 : tall - TALL / 2;
    context.strokeText(words, wide / 2, y);
    context.fillText(words, wide / 2, y);
  });
}

function painted(width, height, paint) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * RATIO));
  canvas.height = Math.max(1, Math.round(height * RATIO));
  const context = canvas.getContext("2d");
  context.scale(RATIO, RATIO);
  paint(context);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
