// Makes elements of a page.

export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A number as pages write it: 12 345.
export const said = (number) => number.toLocaleString("en").replaceAll(",", "\u202f");
