// Sort, filter and keys for the list of items. Without this script the page shows all of them.
"use strict";
(() => {
  const list = document.getElementById("list");
  const bar = document.getElementById("filters");
  if (!list || !bar) return;
  const items = [...list.children];
  const byId = new Map(items.map((item) => [item.dataset.id, item]));
  const search = bar.querySelector("input");
  const sort = bar.querySelector("select");
  const chips = [...bar.querySelectorAll("button[data-facet]")];
  const runs = [...bar.querySelectorAll("button[data-run]")];
  const count = bar.querySelector("output");
  const order = new Map(items.map((item, place) => [item, place]));
  const texts = new Map();
  const start = () => ({ q: "", sort: "worst", run: "", facets: new Map() });
  let state = start();
  let current = null;
  let counted = null;

  const text = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  // What an item is by all runs, or by the one that is chosen.
  const value = (item, facet) =>
    item.dataset[facet + (state.run && facet !== "domain" ? `Run${state.run}` : "")] || "";
  const has = (item, facet, wanted) => value(item, facet).split("\t").includes(wanted);
  const ran = (item) => !state.run || (item.dataset.runs || "").split("\t").includes(state.run);

  const keys = new Map([
    ["worst", (item) => order.get(item)],
    ["best", (item) => -order.get(item)],
    ["rc", (item) => (value(item, "rc") === "" ? 2 : Number(value(item, "rc")))],
    ["id", (item) => item.dataset.id],
    ["domain", (item) => item.dataset.domain],
  ]);

  function shown() {
    return items.filter((item) => !item.hidden);
  }

  function apply() {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const item of items) {
      let keep = ran(item) && words.every((word) => text(item).includes(word));
      for (const [facet, values] of state.facets) {
        keep = keep && [...values].some((wanted) => has(item, facet, wanted));
      }
      item.hidden = !keep;
      n += keep;
    }
    count.textContent = `${n.toLocaleString("en")} of ${items.length.toLocaleString("en")} shown`;
    const key = keys.get(state.sort);
    const sorted = [...items].sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      return x < y ? -1 : x > y ? 1 : order.get(a) - order.get(b);
    });
    list.append(...sorted);
    for (const chip of chips) {
      const on = state.facets.get(chip.dataset.facet)?.has(chip.value) || false;
      chip.setAttribute("aria-pressed", String(on));
      if (counted === state.run) continue;
      const { facet } = chip.dataset;
      const n = items.filter((item) => ran(item) && has(item, facet, chip.value)).length;
      chip.querySelector("span").textContent = n.toLocaleString("en");
    }
    counted = state.run;
    for (const run of runs) run.setAttribute("aria-pressed", String(run.dataset.run === state.run));
    search.value = state.q;
    sort.value = state.sort;
  }

  // The state lives in the address, so that a link shows what its sender saw.
  function write() {
    const parts = new URLSearchParams();
    if (state.q) parts.set("q", state.q);
    if (state.sort !== "worst") parts.set("sort", state.sort);
    if (state.run) parts.set("run", state.run);
    for (const [facet, values] of state.facets) {
      for (const one of values) parts.append(facet, one);
    }
    if (current && current.open) parts.set("item", current.dataset.id);
    const hash = parts.toString();
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  }

  function read() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const known = new Set(chips.map((chip) => chip.dataset.facet));
    const facets = new Map();
    for (const [name, wanted] of parts) {
      if (known.has(name)) facets.set(name, (facets.get(name) || new Set()).add(wanted));
    }
    const sorted = parts.get("sort");
    const run = runs.some((one) => one.dataset.run === parts.get("run")) ? parts.get("run") : "";
    state = { q: parts.get("q") || "", sort: keys.has(sorted) ? sorted : "worst", run, facets };
    apply();
    const item = byId.get(parts.get("item"));
    if (item) {
      item.hidden = false;
      item.open = true;
      go(item);
    } else if (facets.size || run) {
      bar.scrollIntoView();
    }
  }

  function go(item) {
    if (!item) return;
    current?.classList.remove("current");
    current = item;
    item.classList.add("current");
    item.querySelector("summary").focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const visible = shown();
    const place = visible.indexOf(current);
    go(visible[place < 0 ? (by > 0 ? 0 : visible.length - 1) : place + by]);
  }

  search.addEventListener("input", () => {
    state.q = search.value;
    apply();
    write();
  });
  sort.addEventListener("change", () => {
    state.sort = sort.value;
    apply();
    write();
  });
  for (const run of runs) {
    run.addEventListener("click", () => {
      state.run = state.run === run.dataset.run ? "" : run.dataset.run;
      apply();
      write();
    });
  }
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      const values = state.facets.get(chip.dataset.facet) || new Set();
      if (!values.delete(chip.value)) values.add(chip.value);
      if (values.size) state.facets.set(chip.dataset.facet, values);
      else state.facets.delete(chip.dataset.facet);
      apply();
      write();
    });
  }
  list.addEventListener(
    "toggle",
    (event) => {
      if (event.target.parentElement === list) {
        if (event.target.open) go(event.target);
        write();
      }
    },
    true,
  );
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches?.("input, select, textarea");
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      else if (current?.open) current.open = false;
      else if (state.q || state.run || state.facets.size) {
        state = { ...start(), sort: state.sort };
        apply();
        write();
      }
    } else if (typing) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      search.focus();
      bar.scrollIntoView({ block: "nearest" });
    } else if (event.key === "j" || event.key === "k") {
      step(event.key === "j" ? 1 : -1);
    }
  });
  window.addEventListener("hashchange", read);
  window.addEventListener("beforeprint", () => {
    for (const item of shown().slice(0, 10)) item.open = true;
  });
  bar.hidden = false;
  read();
})();
