// What PrimeReact's parts lack for those who do not see the screen, put right in one place.
import type { PrimeReactPTOptions } from 'primereact/api';
import type { CalendarPassThroughMethodOptions } from 'primereact/calendar';
import { t } from '../messages';

export const accessibility: PrimeReactPTOptions = {
  // A copy of the value kept for native forms; the visible box has the name.
  dropdown: { select: { 'aria-hidden': true }, trigger: { 'aria-label': t.common.choose }, panel: { role: 'region', 'aria-label': t.common.choose } },
  multiselect: {
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
  calendar: {
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
