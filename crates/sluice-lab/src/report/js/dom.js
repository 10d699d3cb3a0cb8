// Elements. Text is only ever set as text, so that no name in a result can become markup.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function at(id) {
  return document.getElementById(id);
}

/**
 * A table from rows of `{attributes, cells}`; a cell is text or an element. Cells carry the head of
 * their column, which a narrow window shows beside them.
 */
function table(head, rows, attributes = {}) {
  const heads = head.map((content) => element("th", { scope: "col" }, content ?? ""));
  const cell = (content, column) => element("td", { "data-head": head[column + 1] }, content ?? "");
  const row = ({ attributes, cells: [first, ...rest] }) =>
    element("tr", attributes, element("th", { scope: "row" }, first ?? ""), ...rest.map(cell));
  return element(
    "table",
    attributes,
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map(row)),
  );
}

/** A selection with a label; `change` gets the index of the option. Paper shows the option as text. */
function choice(label, options, change, first = 0) {
  const chosen = element("span", { class: "chosen" }, options[first]);
  const select = element(
    "select",
    {
      onchange: () => {
        chosen.textContent = options[select.selectedIndex];
        change(select.selectedIndex);
      },
    },
    ...options.map((option, i) => element("option", { selected: i === first }, option)),
  );
  return element("label", {}, `${label} `, select, chosen);
}

/** Text with code in backquotes. */
function marked(text) {
  return text.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));
}

function note(text) {
  return element("p", { class: "note" }, text);
}

function empty(text) {
  return element("p", { class: "empty" }, ...marked(text));
}
