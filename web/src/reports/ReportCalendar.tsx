// Past runs and coming fires on a calendar.
import { addDays, addMonths, endOfMonth, endOfWeek, format, getDay, parse, startOfMonth, startOfWeek } from 'date-fns';
import { srLatn } from 'date-fns/locale/sr-Latn';
import { Message } from 'primereact/message';
import { useEffect, useRef, useState } from 'react';
import { Calendar, dateFnsLocalizer, type EventProps, type View } from 'react-big-calendar';
import 'react-big-calendar/lib/css/react-big-calendar.css';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { fromServer, toServerDate } from '../format';
import { t } from '../messages';
import { LoadFailed } from '../ui/states';
import { useIsNarrow } from '../ui/useIsNarrow';
import './calendar.css';
import style from './reports.module.css';
import { ZONE } from './request';
import { asEvents, type CalendarEvent } from './types';

interface Props {
  report: number | null;
  open: (report: number, tab: 'generisani' | 'zakazani') => void;
}

interface Event {
  title: string;
  start: Date;
  end: Date;
  source: CalendarEvent;
}

const monday = { weekStartsOn: 1 } as const;
const localizer = dateFnsLocalizer({
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
const formats = {
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

const text = t.reports.calendar;
const messages = {
  today: text.today,
  previous: text.previous,
  next: text.next,
  month: text.month,
  week: text.week,
  day: text.dayView,
  agenda: text.agenda,
  date: text.date,
  time: text.time,
  event: text.event,
  allDay: text.allDay,
  noEventsInRange: text.empty,
};

/** The days that a view shows. */
function rangeOf(date: Date, view: View): { od: string; do: string } {
  const [from, to] =
    view === 'month'
      ? [startOfWeek(startOfMonth(date), monday), endOfWeek(endOfMonth(date), monday)]
      : view === 'agenda'
        ? [date, addMonths(date, 1)]
        : view === 'day'
          ? [date, date]
          : [startOfWeek(date, monday), endOfWeek(date, monday)];
  return { od: toServerDate(from) ?? '', do: toServerDate(addDays(to, 1)) ?? '' };
}

function stateOf(status: CalendarEvent['status']): string {
  if (status === 'scheduled') return text.coming;
  return status === 'paused' ? text.paused : t.reports.status[status].toLowerCase();
}

function eventsOf(events: readonly CalendarEvent[], report: number | null): Event[] {
  return events
    .filter(({ izvestajID }) => report === null || izvestajID === report)
    .flatMap((source) => {
      const start = fromServer(source.pocetak);
      if (!start) return [];
      return [{ title: `${source.naziv} (${stateOf(source.status)})`, start, end: fromServer(source.kraj) ?? start, source }];
    });
}

const classOf = ({ source }: Event): string => {
  switch (source.status) {
    case 'scheduled':
      return 'coming';
    case 'failed':
    case 'skipped_unauthorised':
    case 'skipped_paused':
    case 'skipped_ended':
      return 'failed';
    case 'missed':
    case 'skipped_overlap':
    case 'cancelled':
    case 'paused':
      return 'passed-over';
    default:
      return 'done';
  }
};

/** A button, so that the keyboard reaches it; the calendar around it hears the click. */
function EventTitle({ title }: EventProps<Event>) {
  return (
    <button type="button" className="event-title">
      {title}
    </button>
  );
}

const components = { event: EventTitle };

const GRIDS = ':is(.rbc-month-view, .rbc-time-view)';

/**
 * The library calls its month and week tables whose rows hold buttons, which no reader can make sense of: they are plain regions here. The
 * hours of a week scroll by the keyboard too, where they hold nothing.
 */
function mendRoles(box: HTMLElement | null): void {
  for (const part of box?.querySelectorAll(`${GRIDS}[role], ${GRIDS} [role]`) ?? []) {
    if (!/^(table|rowgroup|row|cell|columnheader)$/.test(part.getAttribute('role') ?? '')) continue;
    part.removeAttribute('role');
    part.removeAttribute('aria-sort');
  }
  // Our own button is within.
  for (const event of box?.querySelectorAll('.rbc-time-view .rbc-event[role=button]') ?? []) {
    event.removeAttribute('role');
    event.removeAttribute('tabindex');
  }
  const hours = box?.querySelector<HTMLElement>('.rbc-time-content');
  if (!hours) return;
  hours.tabIndex = 0;
  hours.setAttribute('role', 'group');
  hours.setAttribute('aria-label', text.hours);
}

export default function ReportCalendar({ report, open }: Props) {
  const isNarrow = useIsNarrow();
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? (isNarrow ? 'agenda' : 'month');
  const [date, setDate] = useState(() => new Date());
  const { data, error, mutate } = useApi(at('/api/report-calendar', rangeOf(date, view)), { keepPreviousData: true });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => mendRoles(box.current));
  if (error && !data) return <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />;
  return (
    <div ref={box} className={style.calendar} role="region" aria-label={text.label}>
      {data?.skraceno && <Message severity="warn" text={text.cut} />}
      <Calendar<Event>
        localizer={localizer}
        culture="sr-Latn"
        messages={messages}
        formats={formats}
        components={components}
        // A list is as high as it is long.
        style={view === 'agenda' ? { height: 'auto' } : undefined}
        events={eventsOf(data ? asEvents(data.dogadjaji) : [], report)}
        date={date}
        view={view}
        views={['month', 'week', 'agenda']}
        onNavigate={setDate}
        onView={setChosen}
        length={31}
        // A button "more" inside a row of the grid is nothing a screen reader can place.
        showAllEvents
        eventPropGetter={(event) => ({ className: classOf(event) })}
        onSelectEvent={({ source }) => open(source.izvestajID, source.vrsta === 'zakazan' ? 'zakazani' : 'generisani')}
      />
      <small className={style.muted}>{t.reports.nextZone(ZONE)}</small>
    </div>
  );
}
