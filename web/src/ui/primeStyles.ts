// PrimeReact's components write their stylesheets while the site runs, each anew whenever one of its kind appears. They write here,
// outside the page (the provider's `styleContainer`); the page adopts each sheet once. So the browser looks at the page no more often
// than it has to, and the page needs no inline style, which its security policy forbids.
export const styleContainer = document.createElement('div');

/** By kind, or by the element where a component writes for itself alone, which also takes it away. */
const adopted = new Map<string | HTMLStyleElement, CSSStyleSheet>();

function adopt(style: HTMLStyleElement): void {
  const kind = style.dataset.primereactStyleId;
  const known = adopted.get(kind ?? style);
  if (known && kind !== undefined) return;
  const sheet = known ?? new CSSStyleSheet();
  sheet.replaceSync(style.textContent);
  if (known) return;
  adopted.set(kind ?? style, sheet);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function discard(style: Node): void {
  const sheet = style instanceof HTMLStyleElement && !style.dataset.primereactStyleId ? adopted.get(style) : undefined;
  if (!sheet) return;
  adopted.delete(style as HTMLStyleElement);
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
}

new MutationObserver((changes) => {
  changes.forEach(({ removedNodes }) => removedNodes.forEach(discard));
  styleContainer.querySelectorAll('style').forEach(adopt);
}).observe(styleContainer, { childList: true, subtree: true, characterData: true });
