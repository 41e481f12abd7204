/** Puts the focus on the first field of a form that has come into view, unless somebody types in it already. */
export function focusFirst(id: string): void {
  const form = document.getElementById(id);
  if (!form?.contains(document.activeElement)) form?.querySelector<HTMLElement>('input:not(:disabled), textarea:not(:disabled)')?.focus();
}
