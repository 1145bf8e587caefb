// Fetches the vector tiles of a data set and keeps them; a mark is a point with its place on the world.

import { readTile } from "./vector_tile.js";

const MOST_KEPT = 400;
export const DEEPEST = 20;

// The places of Web Mercator: x from 0 to 1 eastwards, y southwards.
export function placeOf(lon, lat) {
  const turned = Math.asinh(Math.tan((lat * Math.PI) / 180));
  return { x: (lon + 180) / 360, y: (1 - turned / Math.PI) / 2 };
}

export function degreesOf({ x, y }) {
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
  return { lon: 360 * x - 180, lat };
}

// The tiles of a level that a box of the world touches: [{z, x, y}].
export function tilesOf(box, z) {
  const last = 2 ** z - 1;
  const within = (value) => Math.min(last, Math.max(0, Math.floor(value * 2 ** z)));
  const found = [];
  for (let x = within(box.west); x <= within(box.east); x++) {
    for (let y = within(box.north); y <= within(box.south); y++) found.push({ z, x, y });
  }
  return found;
}

export class Tiles {
  #address;
  #kept = new Map();

  constructor(address) {
    this.#address = address;
  }

  // {marks, failures} of these tiles; a failure is a sentence, and its tile is asked for again the next time.
  async load(wanted) {
    const settled = await Promise.allSettled(wanted.map((tile) => this.#marks(tile)));
    const failures = settled.filter((one) => one.status === "rejected").map((one) => one.reason.message);
    return { marks: settled.flatMap((one) => one.value ?? []), failures };
  }

  #marks(tile) {
    const key = `${tile.z}/${tile.x}/${tile.y}`;
    const kept = this.#kept.get(key) ?? this.#fetch(key, tile);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value);
    kept.catch(() => this.#kept.delete(key));
    return kept;
  }

  async #fetch(key, { z, x, y }) {
    const answer = await fetch(`${this.#address}/${key}.mvt`).catch(() => {
      throw new Error("the server does not answer");
    });
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    const layers = readTile(new Uint8Array(await answer.arrayBuffer()));
    return Object.entries(layers).flatMap(([layer, points]) =>
      points.map((point) => ({
        layer,
        count: point.values[layer],
        question: point.values.question,
        templates: point.values.templates ?? "",
        x: (x + point.x) / 2 ** z,
        y: (y + point.y) / 2 ** z,
      })),
    );
  }
}
