"use strict";
// Only enhances: without it everything can be read, opened and filtered by status.
(() => {
  const items = [...document.querySelectorAll(".item")];
  const folds = [...document.querySelectorAll(".item details")];
  const all = document.getElementById("only-all");
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  if (!field) return;
  const texts = new Map();
  const text = item => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const say = () => {
    const shown = items.filter(item => item.checkVisibility()).length;
    found.textContent = shown === items.length ? "" : `${shown} of ${items.length} shown`;
  };
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) item.hidden = !words.every(word => text(item).includes(word));
    say();
  };
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    const item = target && target.closest(".item");
    if (!item) return;
    if (!item.checkVisibility()) {
      all.checked = true;
      field.value = "";
      search();
    }
    for (const fold of item.querySelectorAll("details")) fold.open = true;
    target.scrollIntoView();
  };
  const open = state => () => {
    for (const fold of folds) if (fold.checkVisibility()) fold.open = state;
  };
  let closed = [];
  field.parentElement.hidden = false;
  field.addEventListener("input", search);
  document.querySelector(".filter").addEventListener("change", say);
  document.getElementById("open").addEventListener("click", open(true));
  document.getElementById("close").addEventListener("click", open(false));
  for (const name of ["open", "close"]) document.getElementById(name).hidden = !folds.length;
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => {
    closed = folds.filter(fold => !fold.open);
    for (const fold of closed) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of closed) fold.open = false;
  });
  reveal();
})();
