// Where the focus goes in a form, known by the id of its element.
import { useEffect } from 'react';

/** Puts the focus on the first field of a form that has come into view, unless somebody types in it already. */
export function focusFirst(id: string): void {
  const form = document.getElementById(id);
  if (!form?.contains(document.activeElement)) form?.querySelector<HTMLElement>('input:not(:disabled), textarea:not(:disabled)')?.focus();
}

/** Puts the focus on the first field at fault. */
export function focusFault(form: Element | null): void {
  form
    ?.querySelector<HTMLElement>(
      '[aria-invalid="true"], :is(.p-invalid, [data-invalid="true"]) :is(input, button, [tabindex]):not([tabindex="-1"])',
    )
    ?.focus();
}

/** The same whenever there is another fault. */
export function useFaultFocus(id: string, fault: unknown): void {
  useEffect(() => {
    if (fault) focusFault(document.getElementById(id));
  }, [fault, id]);
}
