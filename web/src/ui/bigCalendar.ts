// What calendars over a month share: days by our own words, and roles that a reader can make sense of.
import { format, getDay, parse, startOfWeek } from 'date-fns';
import { srLatn } from 'date-fns/locale/sr-Latn';
import { dateFnsLocalizer } from 'react-big-calendar';

export const monday = { weekStartsOn: 1 } as const;
export const localizer = dateFnsLocalizer({
  format,
  parse,
  startOfWeek: (date: Date) => startOfWeek(date, monday),
  getDay,
  locales: { 'sr-Latn': srLatn },
});

interface Range {
  start: Date;
  end: Date;
}

const range = ({ start, end }: Range) => `${format(start, 'd.M.')} – ${format(end, 'd.M.yyyy.')}`;
export const formats = {
  dayFormat: 'EEE d.M.',
  weekdayFormat: 'EEE',
  monthHeaderFormat: 'LLLL yyyy.',
  dayHeaderFormat: 'EEEE d.M.yyyy.',
  dayRangeHeaderFormat: range,
  agendaHeaderFormat: range,
  agendaDateFormat: 'EEE d.M.yyyy.',
  agendaTimeFormat: 'HH:mm',
  agendaTimeRangeFormat: ({ start }: Range) => format(start, 'HH:mm'),
  timeGutterFormat: 'HH:mm',
  eventTimeRangeFormat: ({ start }: Range) => format(start, 'HH:mm'),
};

const GRIDS = ':is(.rbc-month-view, .rbc-time-view)';

/**
 * The library calls its month and week tables whose rows hold buttons, which no reader can make sense of: they are plain regions here. The
 * hours of a week scroll by the keyboard too, where they hold nothing.
 */
export function mendRoles(box: HTMLElement | null, hoursLabel: string): void {
  for (const part of box?.querySelectorAll(`${GRIDS}[role], ${GRIDS} [role]`) ?? []) {
    if (!/^(table|rowgroup|row|cell|columnheader)$/.test(part.getAttribute('role') ?? '')) continue;
    for (const name of ['role', 'aria-sort']) part.removeAttribute(name);
  }
  // Their names are English, and the region around them has one.
  for (const grid of box?.querySelectorAll(GRIDS) ?? []) grid.removeAttribute('aria-label');
  // Our own button is within.
  for (const event of box?.querySelectorAll('.rbc-time-view .rbc-event[role=button]') ?? []) {
    event.removeAttribute('role');
    event.removeAttribute('tabindex');
  }
  const hours = box?.querySelector<HTMLElement>('.rbc-time-content');
  if (!hours) return;
  hours.tabIndex = 0;
  hours.setAttribute('role', 'group');
  hours.setAttribute('aria-label', hoursLabel);
}
