// What PrimeReact's parts lack for those who do not see the screen or have no mouse, put right in one place.
import type { PrimeReactPTOptions } from 'primereact/api';
import type { CalendarPassThroughMethodOptions } from 'primereact/calendar';
import type { KeyboardEvent } from 'react';
import { t } from '../messages';

/** Escape closes what is open over a dialog; PrimeReact, which listens on the document, would then close the dialog too. */
const keepEscape = (panel: string) => (event: KeyboardEvent) => {
  // A calendar's own lists of months and years leave the key to the document.
  if (event.key === 'Escape' && !(event.target instanceof HTMLSelectElement) && document.querySelector(panel)) event.stopPropagation();
};

export const accessibility: PrimeReactPTOptions = {
  // A copy of the value kept for native forms; the visible box has the name.
  dropdown: {
    // The focus is in the box within, not on the root.
    root: { onKeyDown: keepEscape('.p-dropdown-panel'), 'aria-activedescendant': undefined },
    select: { 'aria-hidden': true },
    trigger: { 'aria-label': t.common.choose },
    panel: { role: 'region', 'aria-label': t.common.choose },
  },
  // PrimeReact's paginator has English texts of its own and looks nowhere else.
  paginator: { RPPDropdown: { root: { 'aria-label': t.common.rowsPerPage }, input: { 'aria-label': t.common.rowsPerPage } } },
  multiselect: {
    root: { onKeyDown: keepEscape('.p-multiselect-panel') },
    panel: { role: 'region', 'aria-label': t.common.choose },
    wrapper: { tabIndex: 0 },
    // The option itself says whether it is chosen.
    checkboxContainer: { 'aria-hidden': true },
    checkbox: { input: { style: { display: 'none' } } },
    headerCheckbox: { root: { role: 'presentation', 'aria-checked': undefined }, input: { 'aria-label': t.patients.archive.allItems } },
  },
  // The switch is the input within.
  inputswitch: { root: { role: 'presentation', 'aria-checked': undefined } },
  dialog: { maximizableButton: { 'aria-label': t.common.maximize } },
  // The arrow keys open and close a node; the arrow itself is for the mouse. The node's text is its name.
  tree: { toggler: { 'aria-hidden': true, tabIndex: -1 }, node: { 'aria-label': undefined } },
  // What is entered is a list with a field at its end, and nothing to choose from.
  chips: {
    container: { role: 'list', 'aria-orientation': undefined },
    token: { role: undefined, 'aria-label': undefined, 'aria-selected': undefined, 'aria-setsize': undefined, 'aria-posinset': undefined },
  },
  calendar: {
    root: { onKeyDown: keepEscape('.p-datepicker') },
    select: { 'aria-label': t.common.monthAndYear },
    // A cell's label would hide the day that it shows, and a plain span cannot be "selected".
    day: { 'aria-label': undefined },
    dayLabel: ({ context }: CalendarPassThroughMethodOptions) => ({
      role: 'button',
      'aria-selected': undefined,
      'aria-pressed': (context as { selected?: boolean }).selected ?? false,
    }),
  },
};
