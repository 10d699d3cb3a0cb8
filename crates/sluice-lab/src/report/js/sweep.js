// The page of a sweep: a measure over a field, for every class of flow sizes or one of them.

/** Axes whose values span more than this factor are logarithmic. */
const LOG_ABOVE = 20;

/** What is shown: the measure, the field along the axis, the sizes, and the values of other fields. */
function first(page) {
  // The field with the most values says most.
  const most = page.fields.reduce((best, field, i) => (field.values.length > page.fields[best].values.length ? i : best), 0);
  return { measure: 0, field: most, size: 0, fixed: page.fields.map(() => 0) };
}

function sweep(page) {
  const chosen = first(page);
  const draw = () => {
    [...charts].forEach(discard);
    const specs = sizesShown(page, chosen).map((size) => fieldSpec(page, chosen, size));
    at("charts").replaceChildren();
    specs.forEach((spec) => new Chart(at("charts"), spec));
    at("doubts").replaceChildren(...doubtful(page, specs));
  };
  const fill = () => {
    const menus = () => [...at("controls").querySelectorAll("select")];
    const focused = menus().indexOf(document.activeElement);
    at("controls").replaceChildren(...controls(page, chosen, () => (fill(), draw())));
    menus()[focused]?.focus();
  };
  fill();
  draw();
  points(page);
}

/** Menus; `changed` is called after a choice that changes the menus, too. */
function controls(page, chosen, changed) {
  const of = (label, options, value, set) =>
    choice(label, options, (number) => (set(number), changed()), value);
  const made = [
    of("Measure", page.measures.map(({ title }) => title), chosen.measure, (number) => (chosen.measure = number)),
    of("over", page.fields.map(({ path }) => path), chosen.field, (number) => (chosen.field = number)),
  ];
  if (page.measures[chosen.measure].by_size) {
    const sizes = [...page.sizes, "each size"];
    made.push(of("of flows of", sizes, chosen.size, (number) => (chosen.size = number)));
  }
  page.fields.forEach(({ path, values }, i) => {
    if (i === chosen.field || !isGrid(page)) return;
    made.push(of(`at ${path}`, values, chosen.fixed[i], (number) => (chosen.fixed[i] = number)));
  });
  return made;
}

/** Whether the points are all combinations of the fields' values. */
function isGrid({ fields, points }) {
  return fields.reduce((all, { values }) => all * values.length, 1) === points.length;
}

function sizesShown(page, { measure, size }) {
  if (!page.measures[measure].by_size) return [0];
  return size < page.sizes.length ? [size] : [...page.sizes.keys()];
}

/** The points along the field, in its order. */
function along(page, { field, fixed }) {
  const grid = isGrid(page);
  const matches = ({ values }) => !grid || values.every((value, i) => i === field || value === fixed[i]);
  return page.points.filter(matches).sort((a, b) => a.values[field] - b.values[field]);
}

function fieldSpec(page, chosen, size) {
  const { title, unit, by_size } = page.measures[chosen.measure];
  const field = page.fields[chosen.field];
  const shown = along(page, chosen);
  const lines = page.systems.map((system) => {
    const found = shown.map((point) => point.found[chosen.measure][size][system.number]);
    return {
      system,
      found,
      ys: found.map((value) => value?.[0][0] ?? null),
      intervals: found.map((value) => (value && value[0][1] !== null ? value[0].slice(1) : null)),
      doubts: found.map((value) => value?.[1].map((doubt) => page.doubts[doubt])),
    };
  });
  const drawn = lines.filter(({ ys }) => ys.some((y) => y !== null));
  const values = drawn.flatMap(({ ys }) => ys.filter((y) => y !== null));
  return {
    title: by_size ? `${capital(title)}, ${page.sizes[size]}` : capital(title),
    x: { label: field.path, unit: field.unit, log: isWide(field.numbers ?? []), names: field.numbers ? null : field.values, air: 0.04 },
    y: { label: title, unit, log: isWide(values) },
    xs: shown.map((point) => (field.numbers ? field.numbers[point.values[chosen.field]] : point.values[chosen.field])),
    lines: drawn,
    heading: (i) => setting(page, shown[i]),
    text: ({ found }, i) => [withInterval(found[i][0], unit), ...found[i][1].map((doubt) => page.doubts[doubt])].join("; "),
    asTable: true,
  };
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function isWide(values) {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return values.length > 0 && min > 0 && max > min * LOG_ABOVE;
}

/** The values of a point's fields. */
function setting({ fields }, { values }) {
  return fields.map((field, i) => `${field.path} = ${field.values[values[i]]}`).join(", ");
}

/** The reasons for the hollow markers. */
function doubtful(page, specs) {
  const reasons = new Map();
  for (const { lines, heading } of specs) {
    for (const { system, doubts } of lines) {
      doubts.forEach((found, i) => {
        for (const reason of found ?? []) {
          const places = reasons.get(reason) ?? new Map();
          reasons.set(reason, places.set(heading(i), (places.get(heading(i)) ?? new Set()).add(system.title)));
        }
      });
    }
  }
  const sure = `Bars are ${Math.round(page.confidence * 100)} % confidence intervals.`;
  if (reasons.size === 0) return [note(sure)];
  const rows = [...reasons].flatMap(([reason, places]) =>
    [...places].map(([place, systems], i) => ({ cells: [i ? "" : reason, place, [...systems].join(", ")] })),
  );
  const made = table(["reason", "point", "systems"], rows);
  const list = element("details", {}, element("summary", {}, `Reasons to doubt points (${reasons.size})`), element("div", { class: "scroll" }, made));
  return [note(`${sure} Hollow markers are points to doubt.`), list];
}

function points(page) {
  const rows = page.points.map((point) => ({
    cells: [point.folder, ...page.fields.map(({ values }, i) => values[point.values[i]])],
  }));
  at("points").append(table(["folder", ...page.fields.map(({ path }) => path)], rows));
}

function about(page) {
  const swept = page.fields.map(({ path, values }) => `${path} (${values.length})`).join(", ");
  return `Sweep of ${swept}: ${page.points.length} ${page.points.length === 1 ? "point" : "points"}.`;
}

start(about, sweep);
