// What stands on the page around a map that moves: its canvas, buttons, words and list.

const BUTTONS = [
  ["+", "Zoom in", "+"],
  ["\u2212", "Zoom out", "-"],
  ["\u2190", "Move west", "ArrowLeft"],
  ["\u2192", "Move east", "ArrowRight"],
  ["\u2191", "Move north", "ArrowUp"],
  ["\u2193", "Move south", "ArrowDown"],
  ["Show all", null, "Home"],
];

// The elements of the map of that name; a button does what its key does, by `act`.
export function partsOf(name, mostListed, act) {
  const canvas = element("canvas", {
    class: "map",
    tabindex: "0",
    role: "application",
    "aria-label": `Map of ${name}: where questions and answers lie. Arrow keys move it, plus and minus zoom, Home shows all.`,
  });
  const buttons = BUTTONS.map(([sign, label, key]) => {
    const made = element("button", { type: "button", ...(label && { "aria-label": label, title: label }) }, sign);
    made.addEventListener("click", () => act(key));
    return made;
  });
  const status = element("p", { class: "muted", role: "status" });
  const again = element("button", { type: "button", hidden: "" }, "Load again");
  const picked = element("p", { class: "muted picked", role: "status" });
  const rows = element("tbody", {});
  const heads = ["Mark", "Stands for", "Templates", "Question"].map((head, place) =>
    element("th", { scope: "col", ...(place === 1 && { class: "number" }) }, head),
  );
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), rows);
  const summary = element("summary", {}, `List of the marks in view: the ${mostListed} nearest to the middle`);
  const region = element("div", { class: "scroll", role: "region", "aria-label": `Marks in view: ${name}`, tabindex: "0" }, table);
  const list = element("details", {}, summary, region);
  const hint = element("p", { class: "muted hint" }, "Drag the map, or click it: then the wheel and the keys + and \u2212 zoom, and arrows move it.");
  const bar = element("div", { class: "map-buttons", role: "group", "aria-label": `Move the map: ${name}` }, ...buttons);
  const whole = element("div", { "data-by-script": "" }, canvas, bar, hint, status, again, picked, list);
  return { whole, canvas, status, again, picked, list, rows };
}

export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
