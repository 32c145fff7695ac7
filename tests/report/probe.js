// Appended to a copy of the page: click, measure, tell the page around.
const numbers = (rows, column) => rows.map((row) => row.cells[column].dataset.v);
const probeTable = (table) => {
  const rows = () => [...table.tBodies[0].rows];
  const before = rows().length;
  const headers = [...table.tHead.rows[0].cells];
  const isNumber = (column) =>
    numbers(rows(), column).every((v) => v !== undefined && !isNaN(v)) &&
    numbers(rows(), column).some((v) => v !== "");
  const column = headers.findLastIndex((_, place) => isNumber(place));
  if (column < 0) return []; // a table of texts
  const button = headers[column].querySelector("button");
  const known = () => numbers(rows(), column).filter((v) => v !== "").map(Number);
  const unknown = () => numbers(rows(), column).filter((v) => v === "").length;
  button.click();
  const rising = known();
  button.click();
  const tail = unknown() ? numbers(rows(), column).slice(-unknown()) : [];
  return [{
    name: button.textContent,
    rising,
    falling: known(),
    marked: headers[column].getAttribute("aria-sort"),
    kept: rows().length === before,
    unknown: unknown(),
    last: tail.every((v) => v === ""),
  }];
};
const probeFigure = (svg) => {
  const box = svg.getBoundingClientRect();
  return {
    marks: svg.querySelectorAll("path, use").length,
    texts: svg.querySelectorAll("text").length,
    width: box.width,
    height: box.height,
  };
};
const shown = (element) => element.getClientRects().length > 0;
const sticksOut = (element) =>
  !element.closest(".box") && element.getBoundingClientRect().right > innerWidth + 1;
for (const details of document.querySelectorAll("details")) details.open = true;
parent.postMessage(
  {
    width: innerWidth,
    overflow: document.documentElement.scrollWidth - innerWidth,
    sticking_out: [...document.body.querySelectorAll("*")]
      .filter((element) => shown(element) && !element.closest("svg") && sticksOut(element))
      .map((element) => element.outerHTML.slice(0, 80)),
    figures: [...document.querySelectorAll(".panel svg")].map(probeFigure),
    tables: [...document.querySelectorAll("table")].flatMap(probeTable),
  },
  "*",
);
