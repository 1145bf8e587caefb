// Reads a vector tile (Mapbox Vector Tile 2.1, which is protobuf): its points, and what they say of themselves.

const TILE = { layer: 3 };
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5 };
const FEATURE = { tags: 2, geometry: 4 };
const TEXT = 1;
const BYTES = 2;
const words = new TextDecoder();

// {layer: [{x, y, values}]}; x runs from 0 to 1 eastwards, y southwards. Throws an Error for what is no tile of points.
export function readTile(bytes) {
  const layers = {};
  for (const [number, content] of fields(bytes)) {
    if (number === TILE.layer) {
      const { name, points } = readLayer(content);
      layers[name] = points;
    }
  }
  return layers;
}

function readLayer(bytes) {
  const features = [];
  const keys = [];
  const values = [];
  let name = "";
  let extent = 4096;
  for (const [number, content] of fields(bytes)) {
    if (number === LAYER.name) name = words.decode(content);
    else if (number === LAYER.feature) features.push(content);
    else if (number === LAYER.key) keys.push(words.decode(content));
    else if (number === LAYER.value) values.push(readValue(content));
    else if (number === LAYER.extent) extent = content;
  }
  return { name, points: features.map((feature) => readPoint(feature, keys, values, extent)) };
}

function readPoint(bytes, keys, values, extent) {
  const parts = Object.fromEntries(fields(bytes));
  const [, east, south] = varints(parts[FEATURE.geometry]);
  const tags = varints(parts[FEATURE.tags]);
  const told = {};
  for (let at = 0; at + 1 < tags.length; at += 2) told[keys[tags[at]]] = values[tags[at + 1]];
  return { x: signed(east) / extent, y: signed(south) / extent, values: told };
}

// Our tiles hold texts and whole numbers alone.
function readValue(bytes) {
  const [number, content] = fields(bytes)[0];
  return number === TEXT ? words.decode(content) : content;
}

// The fields of a message: [number, bytes or a whole number].
function fields(bytes) {
  const found = [];
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const tag = varint(reader);
    const content = varint(reader);
    if ((tag & 7) === BYTES) {
      if (reader.at + content > bytes.length) throw new Error("the tile ends too early");
      found.push([tag >>> 3, bytes.subarray(reader.at, reader.at + content)]);
      reader.at += content;
    } else if ((tag & 7) === 0) {
      found.push([tag >>> 3, content]);
    } else {
      throw new Error("the tile holds what is not read here");
    }
  }
  return found;
}

function varints(bytes) {
  const found = [];
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) found.push(varint(reader));
  return found;
}

function varint(reader) {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    if (reader.at >= reader.bytes.length) throw new Error("the tile ends too early");
    const byte = reader.bytes[reader.at++];
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
}

const signed = (value) => (value % 2 ? -(value + 1) / 2 : value / 2);
