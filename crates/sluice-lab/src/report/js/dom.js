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

/** A table from rows of `{attributes, cells}`; a cell is text or an element. */
function table(head, rows) {
  const cell = (name, scope) => (content) => element(name, { scope }, content ?? "");
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...head.map(cell("th", "col")))),
    element(
      "tbody",
      {},
      ...rows.map(({ attributes, cells: [first, ...rest] }) =>
        element("tr", attributes, cell("th", "row")(first), ...rest.map(cell("td"))),
      ),
    ),
  );
}

/** A selection with a label; `change` gets the index of the option. */
function choice(label, options, change) {
  const select = element(
    "select",
    { onchange: () => change(select.selectedIndex) },
    ...options.map((option) => element("option", {}, option)),
  );
  return element("label", {}, `${label} `, select);
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
