// "1,582 | 3", "160 + 7 = 167": the number that a text begins with, or adds up to.
const printed = (text) => {
  if (text === "–") return "";
  const total = text.split("=").pop().trim().replaceAll(",", "").replace("−", "-");
  const found = total.match(/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?(?= |$)/);
  return found ? found[0] : text;
};
// Click on a column's name: sort by it; once more: the other way round.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const th = button.closest("th");
    const body = th.closest("table").tBodies[0];
    const down = th.getAttribute("aria-sort") === "ascending";
    for (const other of th.parentNode.cells) other.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => {
      const cell = row.cells[th.cellIndex];
      return cell.dataset.v ?? printed(cell.textContent.trim());
    };
    const compare = (a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === "" || y === "") return (x === "") - (y === ""); // what is unknown, last
      const order = isNaN(x) || isNaN(y) ? x.localeCompare(y, "en", { numeric: true }) : x - y;
      return down ? -order : order;
    };
    body.append(...[...body.rows].sort(compare));
  });
}
