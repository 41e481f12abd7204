// Each of PrimeReact's components writes its stylesheet anew whenever one of its kind appears, and the browser then looks at the whole page
// anew. They write here, outside the page (the provider's `styleContainer`), and every stylesheet is brought into the page once.
export const styleContainer = document.createElement('div');

const brought = new Set<string>();

function bring(style: HTMLStyleElement): void {
  const kind = style.dataset.primereactStyleId;
  // What one component writes for itself alone has no kind, and that component takes it away.
  if (kind === undefined) return document.head.append(style);
  if (!brought.has(kind)) document.head.append(style.cloneNode(true));
  brought.add(kind);
}

new MutationObserver(() => styleContainer.querySelectorAll('style').forEach(bring)).observe(styleContainer, { childList: true });
